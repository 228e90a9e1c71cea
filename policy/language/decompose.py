"""A question taken apart by grammar: nested questions, comparisons, conjunctions."""

import re

from policy.language import nested_english, nested_vietnamese
from policy.language.comparing import read_comparison
from policy.language.comparison import Comparison
from policy.language.conjunctions import FIRST_ANSWER, complete, cut_parts
from policy.language.following import one_by_one
from policy.language.kinship import generations
from policy.language.openings import Message, asks, read_message, read_messages
from policy.language.plain_wording import plainly
from policy.language.questions import question_anchors
from policy.language.referring import attached, bridged
from policy.language.wording import language_of, pattern, typed_bare
from policy.protocol import PlannedSubgoal
from state.coverage import open_placeholders

MAX_HOPS = 4
_ARROW = re.compile(r"\s*(?:→|➜|⇒|->|=>|>>)\s*")
_TOPIC = re.compile(
    r"^(?P<topic>[^,:?]+?(?=:| -| –| —)|[Tt]he [^,:?]+)(?::| -| –| —|,) (?P<rest>.+)$"
)
_TOPIC_VI = (
    r"^(?P<topic>[^,:]+?)(?: (?:ấy|đó|này|kia))?(?:,|:| thì|,? vậy) (?P<rest>.*(?<!\w)(?P<it>họ"
    r"|nó|người"
    r" (?:đó|này|ấy)|(?:bên|chỗ|nơi) (?:đó|này|ấy)|(?:anh|chị|ông|bà|cô) (?:ấy|ta))(?!\w).*)$"
)
_THEY = re.compile(r"\b(?P<whose>his|her|their|its)\b|\b(?:he|she|they|it)\b", re.IGNORECASE)


def self_contained(question: str) -> str:
    """The question without polite words, what it refers to in its place, ending in "?"."""
    message = read_message(question)
    text = attached(message._replace(question=_resolve_topic(message.question)))
    second = text.split(" ")[1:2]
    if second and not second[0][:1].isupper():
        text = f"{text[0].upper()}{text[1:]}"
    return f"{text}?" if text else ""


def _resolve_topic(text: str) -> str:
    """ "Lab Theta's founder: who was his employer" with the topic where it belongs."""
    if language_of(text) == "vi":
        return _vietnamese_topic(text)
    topic = _TOPIC.match(text)
    if topic is None or asks(topic["topic"]):
        return text
    pronoun = _THEY.search(topic["rest"])
    if pronoun is None:
        return text
    said = f"{topic['topic']}'s" if pronoun["whose"] else topic["topic"]
    return topic["rest"][: pronoun.start()] + said + topic["rest"][pronoun.end() :]


def _vietnamese_topic(text: str) -> str:
    """ "Bên bán vỏ hộp ấy, hợp đồng với họ" with the topic where it belongs."""
    found = pattern(_TOPIC_VI, typed_bare(text)).match(text)
    if found is None or asks(found["topic"]) or len(found["topic"].split()) > 12:
        return text
    if asks(text[found.start("rest") : found.start("it")]):
        return text
    topic = found["topic"]
    if topic.split()[1:2] and topic.split()[1][0].islower():
        topic = f"{topic[0].lower()}{topic[1:]}"
    return text[found.start("rest") : found.start("it")] + topic + text[found.end("it") :]


def decompose(question: str) -> list[PlannedSubgoal]:
    """The subgoals of a question, in an order in which they can be solved.

    A later one may hold `{s1}` for the answer of an earlier one and then depends on it. A
    question of no known shape is its own and only subgoal.
    """
    messages = read_messages(question)
    steps = _steps(question)
    if not steps and len(messages) == 1:
        steps = bridged(messages[0], marked="?" in question)
    chain: list[str] = []
    if steps:
        return _numbered(_joined(steps))
    comparison = comparison_in(question)
    parts = _beside(comparison, messages) if comparison else _parts(question, messages)
    for part in parts:
        _extend(chain, part.replace(FIRST_ANSWER, f"{{s{len(chain)}}}"))
    return _numbered(chain)


def comparison_in(question: str) -> Comparison | None:
    """The comparison that a question makes, or the first one among several questions."""
    messages = read_messages(question)
    if len(messages) == 1:
        return read_comparison(self_contained(question))
    return next((one for each in messages if (one := read_comparison(each.question))), None)


def _beside(comparison: Comparison, messages: list[Message]) -> list[str]:
    """The two sides of a comparison, and behind them what else a message asks."""
    others = [one.question for one in messages if not read_comparison(one.question)]
    beside = one_by_one(others, messages[0]) if len(messages) > 1 and others else []
    return [*comparison.sides, *beside]


def _parts(question: str, messages: list[Message]) -> list[str]:
    """The questions that "and" joins, each with what it refers to in its place."""
    message = messages[0]
    pieces = [piece for one in messages for piece in cut_parts(_resolve_topic(one.question))]
    if len(pieces) == 1:
        return [self_contained(question).rstrip("?")]
    if language_of(question) != "vi" and not question_anchors(message.background):
        message = message._replace(background=_noun_phrase(message.background))
    if len(messages) > 1:
        return one_by_one(pieces, message)
    return complete([attached(message._replace(question=piece)) for piece in pieces])


def _noun_phrase(background: str) -> str:
    """A background that only names the topic ("tidewatch"); "" for one that tells a story."""
    return background if len(background.split()) <= 3 else ""


def _joined(steps: list[str]) -> list[str]:
    """The chain of questions of which each holds `{s1}` for the answer of the one before."""
    chain: list[str] = []
    for step in steps:
        _extend(chain, step.replace("{s1}", f"{{s{len(chain)}}}"))
    return chain


def _steps(question: str) -> list[str]:
    """ "Aurora -> lab -> its founder -> ?" as questions, each about the answer before it."""
    pieces = [one.strip(" ?.") for one in _ARROW.split(question)]
    pieces = [one for one in pieces if one]
    if len(pieces) < 2 or len(_ARROW.split(question)) < 3:
        return []
    vietnamese = language_of(question) == "vi"
    return [
        _step(one, pieces[0] if number == 0 else "{s1}", vietnamese)
        for number, one in enumerate(pieces[1:])
    ]


def _step(step: str, before: str, vietnamese: bool) -> str:
    placed = re.sub(r"\bthat [a-z]+(?=['’]s)|\b(?:his|her|its|their)\b", f"{before}'s", step)
    placed = placed.replace("'s's", "'s").replace("'s’s", "'s")
    if placed == step:
        placed = re.sub(r"\b(?:he|she|it|they)\b|(?<!\w)(?:nó|đó|họ|người đó)(?!\w)", before, step)
    relative = re.match(
        r"(?:the )?(?P<noun>[a-z]+(?: [a-z]+)?) (?:that|which|who) (?P<rest>.+)", placed
    )
    if asks(placed):
        return placed if before in placed else f"{placed} ({before})"
    if relative:
        return f"Which {relative['noun']} {relative['rest']}"
    role = placed.removeprefix(f"{before}'s ")
    if vietnamese:
        return f"{role} của {before} là {'ai' if nested_vietnamese.is_role(role) else 'gì'}"
    if nested_english.is_role(role):
        return nested_english.role_question(role, before)
    return f"What is the {role} of {before}"


def _extend(chain: list[str], question: str) -> None:
    """Append a question to a chain, after the questions nested in it; none twice."""
    text = question.rstrip(" ?.")
    for _ in range(MAX_HOPS):
        found = _nested(text, len(chain) + 1)
        if found is None:
            break
        inner, outer = found
        if not outer:
            text = inner.rstrip("?")
            continue
        if inner in chain:
            outer = outer.replace(f"{{s{len(chain) + 1}}}", f"{{s{chain.index(inner) + 1}}}")
        else:
            chain.append(inner)
        text = outer
    chain.append(f"{text}?")


def _nested(text: str, number: int) -> tuple[str, str] | None:
    """The innermost question inside a text and the text with `{sN}` in its place."""
    name = f"{{s{number}}}"
    grammar = nested_vietnamese if language_of(text) == "vi" else nested_english
    found = grammar.innermost(text, name)
    if found is None:
        return None
    outer = f"{text[: found.start]}{found.instead}{text[found.end :]}".strip()
    if grammar is nested_english and grammar.is_trivial(outer) and found.question != f"{text}?":
        return (found.question, "") if outer.startswith(("What", "Who")) else None
    if grammar.is_trivial(outer) or len(outer.split()) < 2 or (asks(text) and not asks(outer)):
        return None
    return found.question, outer


def through_parents(question: str) -> list[PlannedSubgoal]:
    """The two hops to a grandparent, for a text that tells of parents only; else none."""
    return _numbered(generations(question))


def _numbered(questions: list[str]) -> list[PlannedSubgoal]:
    subgoals = []
    for number, question in enumerate(map(plainly, questions[:6]), 1):
        needs = [one for one in dict.fromkeys(open_placeholders(question)) if one != f"s{number}"]
        subgoals.append(
            PlannedSubgoal(
                id=f"s{number}", question=question, query=search_text(question), depends_on=needs
            )
        )
    return subgoals


def search_text(question: str) -> str:
    """What to search for: the question without polite words; it keeps every anchor."""
    text = self_contained(question).rstrip("?").strip()
    return text if question_anchors(text) == question_anchors(question) else question
