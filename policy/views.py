"""What a model is shown of a view: named sections of text, each of bounded length."""

from collections import Counter
from collections.abc import Sequence

from policy.costs import estimate_tokens
from policy.orders import without_orders
from policy.prompting import shorten
from policy.protocol import Fact, GradeView, PassageView, PlanView, RewriteView, WriteView
from state.language import detect_language
from state.sentences import sentences
from state.text import comparable, fold_accents
from state.types import Subgoal

Sections = list[tuple[str, str]]
MOST_QUESTION = 4_000
MOST_PASSAGE = 2_400
"""Characters of a passage; chunks are shorter."""
FULL_PASSAGES = 1
"""Passages of a batch, the best first, that are shown whole; of the others some sentences are."""
BRIEF_PASSAGE = 500
_TURNS = 4
_FACTS = 12


def plan_sections(view: PlanView) -> Sections:
    """The conversation, the tools where there is a choice, what is known, and the question."""
    turns = [
        f"Q: {_line(turn['question'], 400)}\nA: {_line(turn['answer'], 300)}"
        for turn in view["conversation"][-_TURNS:]
    ]
    tools = [f"{tool['name']}: {_line(tool['description'], 200)}" for tool in view["tools"]]
    return [
        ("tools", "\n".join(tools) if len(tools) > 1 else ""),
        ("conversation", "\n".join(turns)),
        ("question", shorten(view["original_question"], MOST_QUESTION)),
        ("meant", shorten(view.get("clarified", ""), MOST_QUESTION)),
        ("subgoals", "\n".join(_subgoal(item) for item in view["subgoals"])),
        ("facts", _facts(view["facts"][-_FACTS:])),
        ("searched", "\n".join(_line(one, 200) for one in view["tried"][-8:])),
    ]


def grade_sections(view: GradeView, batch: Sequence[tuple[str, PassageView]]) -> Sections:
    """The question, the subgoal, facts, then the passages of a batch under their labels."""
    question, subgoal = view["original_question"], view["subgoal"]["question"]
    shown: Sections = [("question", shorten(question, MOST_QUESTION))]
    if subgoal.strip() != question.strip():
        shown.append(("subgoal", shorten(subgoal, 500)))
    shown.append(("facts", _facts(view["facts"][-_FACTS:])))
    for number, (label, passage) in enumerate(batch):
        text = passage_text(passage, subgoal, whole=number < FULL_PASSAGES)
        above = "\n".join(one for one in (_about(passage), passage.get("columns", "")) if one)
        shown.append((label, f"{above}\n{text}"))
    return shown


def passage_text(passage: PassageView, question: str, *, whole: bool) -> str:
    """The passage without paragraphs that give orders; not `whole`: its sentences that hold most
    of the question's words, a word counting the more the fewer sentences hold it.

    A passage in another language than the question shares no words with it, and is shown whole.
    """
    text = without_orders(passage["text"])
    foreign = passage["language"] not in ("", detect_language(question))
    if whole or foreign or len(text) <= BRIEF_PASSAGE:
        return shorten(text, MOST_PASSAGE)
    parts = sentences(text)
    asked = _words(question)
    held = [asked & _words(part.text) for part in parts]
    spread = Counter(word for words in held for word in words)
    weights = [sum(1 / spread[word] for word in words) for words in held]
    kept: list[int] = []
    for number in sorted(range(len(parts)), key=lambda number: (-weights[number], number)):
        if kept and sum(len(parts[one].text) for one in [*kept, number]) > BRIEF_PASSAGE:
            break
        kept.append(number)
    return shorten(" … ".join(parts[one].text for one in sorted(kept)), MOST_PASSAGE)


def rewrite_sections(view: RewriteView) -> Sections:
    """The question, the subgoal, the grader's reason, what was tried and turned down."""
    tools = [f"{tool['name']}: {_line(tool['description'], 200)}" for tool in view["tools"]]
    titles = [without_orders(_line(one, 100)) for one in view["turned_down"][:8]]
    return [
        ("tools", "\n".join(tools) if len(tools) > 1 else ""),
        ("question", shorten(view["original_question"], MOST_QUESTION)),
        ("subgoal", shorten(view["subgoal"]["question"], 500)),
        ("searched", "\n".join(_line(one, 200) for one in view["tried"][-8:])),
        ("turned_down", "\n".join(titles)),
        ("grader", without_orders(shorten(view["reason"], 300))),
    ]


def write_sections(view: WriteView) -> Sections:
    """The question, its parts with their answers, and the evidence."""
    return [
        ("question", shorten(view["original_question"], MOST_QUESTION)),
        ("subgoals", "\n".join(_subgoal(item) for item in view["subgoals"])),
        ("evidence", _facts(view["facts"])),
    ]


def batches(
    passages: Sequence[PassageView], most_tokens: int, most: int
) -> list[list[tuple[str, PassageView]]]:
    """Labelled passages (P1, P2, …) in groups that fit the limits, none left out."""
    groups: list[list[tuple[str, PassageView]]] = [[]]
    used = 0
    for number, passage in enumerate(passages, 1):
        size = estimate_tokens(shorten(passage["text"], MOST_PASSAGE)) + 30
        if groups[-1] and (used + size > most_tokens or len(groups[-1]) >= most):
            groups.append([])
            used = 0
        groups[-1].append((f"P{number}", passage))
        used += size
    return groups


def _subgoal(item: Subgoal) -> str:
    found = item.get("answer") or item["status"]
    ids = f" [{', '.join(item['evidence_ids'])}]" if item.get("evidence_ids") else ""
    return f"{item['id']}: {_line(item['question'], 300)} → {_line(found, 200)}{ids}"


def _facts(facts: Sequence[Fact]) -> str:
    return "\n".join(
        f"{fact['id']} ({_named(fact['title'], fact['version'])}): {_line(fact['quote'], 600)}"
        for fact in facts
    )


def _about(passage: PassageView) -> str:
    heading = passage["heading"] or passage["title"]
    return _named(heading, passage["version"])


def _named(title: str, version: str) -> str:
    name = without_orders(_line(title, 160))
    return f"{name}, {without_orders(_line(version, 40))}" if version else name


def _line(text: str, characters: int) -> str:
    """One line, so that a text in a list cannot look like a further item of it."""
    return shorten(" ".join(text.split()), characters)


def _words(text: str) -> set[str]:
    plain = fold_accents(comparable(text))
    return {word.strip(".,;:!?()“”\"'") for word in plain.split() if len(word) > 2}
