"""A question taken apart by grammar: nested questions, comparisons, conjunctions."""

import re

from policy import nested_english, nested_vietnamese
from policy.comparing import read_comparison
from policy.conjunctions import FIRST_ANSWER, split_parts
from policy.protocol import PlannedSubgoal
from policy.questions import question_anchors
from policy.wording import language_of
from state.coverage import open_placeholders
from state.text import nfc

MAX_HOPS = 4
_LEAD_IN = re.compile(
    r"^(?:(?:please|hi|hello|hey|xin|chào bạn|dạ|ạ|alo)[,!]? )*(?:(?:can|could"
    r"|would) you (?:please )?"
    r"(?:tell me|find out)(?: about)?|(?:please )?tell me|i(?:['’]d| would) like to know|i want to "
    r"know|i need to know|do you know|let me know|i wonder|(?:bạn |anh |chị )?(?:cho|cho phép) "
    r"(?:mình|tôi|em|anh|chị|tui|minh|toi) (?:hỏi|biết|hoi|biet)|cho hỏi|cho biết|xin hỏi|cho xin"
    r"|(?:mình|tôi|em) (?:muốn|cần) (?:hỏi|biết)|làm ơn cho biết|hãy cho biết)[,:]? (?:là |xem )?",
    re.IGNORECASE,
)
_TOPIC = re.compile(
    r"^(?P<topic>[^,:?]+): (?P<rest>.*\b(?:his|her|their|its|he|she|they|it)\b.*)$", re.IGNORECASE
)
_WH_START = re.compile(
    r"^(?:(?:in|at|from|for|on|with|under|to|by) )?(?:who|whom|whose|what|which|when|where|why"
    r"|how|is|are|was"
    r"|were|do|does|did|can|could|has|have|had|will|should|must|may)\b",
    re.IGNORECASE,
)


def self_contained(question: str) -> str:
    """The question without polite openings, its topic in its place, ending in "?"."""
    text = " ".join(nfc(question).split()).strip()
    stripped = _LEAD_IN.sub("", text).strip(" .?!") or text.strip(" .?!")
    topic = _TOPIC.match(stripped)
    if topic:
        stripped = _resolve_topic(topic["topic"], topic["rest"])
    if (
        stripped != text.strip(" .?!")
        and language_of(text) != "vi"
        and not _WH_START.match(stripped)
        and not re.search(r"\b(?:who|what|which|where|when|how)\b", stripped, re.IGNORECASE)
    ):
        stripped = f"What is {stripped}"
    second = stripped.split(" ")[1:2]
    if second and not second[0][:1].isupper():
        stripped = f"{stripped[0].upper()}{stripped[1:]}"
    return f"{stripped}?" if stripped else ""


def _resolve_topic(topic: str, rest: str) -> str:
    rest = re.sub(r"\b(?:his|her|their|its)\b", f"{topic}'s", rest, count=1, flags=re.IGNORECASE)
    if "'s" not in rest:
        rest = re.sub(r"\b(?:he|she|they|it)\b", topic, rest, count=1, flags=re.IGNORECASE)
    return rest


def decompose(question: str) -> list[PlannedSubgoal]:
    """The subgoals of a question, in an order in which they can be solved.

    A later one may hold `{s1}` for the answer of an earlier one and then depends on it. A
    question of no known shape is its own and only subgoal.
    """
    question = self_contained(question)
    comparison = read_comparison(question)
    parts = list(comparison.sides) if comparison else split_parts(question.rstrip("?"))
    chain: list[str] = []
    for part in parts:
        _extend(chain, part.replace(FIRST_ANSWER, f"{{s{len(chain)}}}"))
    return _numbered(chain)


def _extend(chain: list[str], question: str) -> None:
    """Append a question to a chain, after the questions nested in it; none twice."""
    text = question.rstrip(" ?.")
    for _ in range(MAX_HOPS):
        found = _nested(text, len(chain) + 1)
        if found is None:
            break
        inner, outer = found
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
    if grammar.is_trivial(outer) or len(outer.split()) < 2:
        return None
    return found.question, outer


def _numbered(questions: list[str]) -> list[PlannedSubgoal]:
    subgoals = []
    for number, question in enumerate(questions[:6], 1):
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
