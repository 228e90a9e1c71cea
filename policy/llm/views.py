"""What a model is shown of a view: named sections of text, each of bounded length."""

from collections import Counter
from collections.abc import Sequence

from policy.language.years import counts_from_now
from policy.llm.costs import estimate_tokens
from policy.llm.orders import without_orders
from policy.llm.prompting import one_line, shorten
from policy.llm.tools import BRIEF, described, tool_lines
from policy.protocol import (
    Fact,
    GradeView,
    PassageView,
    PlanView,
    RewriteView,
    WriteView,
)
from state.language import detect_language
from state.sentences import sentences
from state.text import comparable, fold_accents
from state.types import Subgoal

Sections = list[tuple[str, str]]
Labelled = Sequence[tuple[str, PassageView]]
MOST_QUESTION = 4_000
MOST_PASSAGE = 2_400
"""Characters of a passage; chunks are shorter."""
BEST_PASSAGE, OTHER_PASSAGE = 500, 200
"""Characters of a first look at the best passage and at the others. Sentences chosen by
their words held the answer in .94 to .96 and .85 to .87 of the dev questions of XQuAD (English,
Vietnamese) and SQuAD 2; what a first look turns down is looked at whole where nothing covers."""
_BESIDE = 0.5
"""What standing beside the best sentence counts, in words that no other sentence holds."""
_TURNS = 4
_FACTS = 12


def plan_sections(view: PlanView) -> Sections:
    """The conversation, the tools where there is a choice, what is known, and the question."""
    turns = [
        f"Q: {one_line(turn['question'], 400)}\nA: {one_line(turn['answer'], 300)}"
        for turn in view["conversation"][-_TURNS:]
    ]
    return [
        ("tools", "\n".join(tool_lines(view["tools"])) if len(view["tools"]) > 1 else ""),
        ("today", view.get("today", "") if counts_from_now(view["original_question"]) else ""),
        ("conversation", "\n".join(turns)),
        ("question", shorten(view["original_question"], MOST_QUESTION)),
        ("meant", shorten(view.get("clarified", ""), MOST_QUESTION)),
        ("subgoals", "\n".join(_subgoal(item) for item in view["subgoals"])),
        ("facts", _facts(view["facts"][-_FACTS:])),
        ("searched", "\n".join(one_line(one, 200) for one in view["tried"][-8:])),
    ]


def grade_sections(view: GradeView, lines: Sequence[str]) -> Sections:
    """The question, facts, the subgoal, then the passages of a batch, a line each."""
    return [*_asked(view), ("passages", "\n".join(lines))]


def passage_lines(view: GradeView, passages: Labelled, *, whole: bool = False) -> list[str]:
    """What is shown of each passage behind its label: not `whole`, its best sentences."""
    lines = []
    for number, (label, passage) in enumerate(passages):
        characters = OTHER_PASSAGE if number else BEST_PASSAGE
        text = passage_text(view, passage, MOST_PASSAGE if whole else characters)
        columns = f"{one} " if (one := passage.get("columns", "")) else ""
        lines.append(f"{label} ({_about(passage)}): {one_line(columns + text, MOST_PASSAGE)}")
    return lines


def verdict_sections(view: GradeView, passage: PassageView) -> Sections:
    """One passage as it stands, then what it is held against: the subgoal, which keeps every
    condition of the question that concerns it."""
    above = [one for one in (_about(passage), passage.get("columns", "")) if one]
    text = passage_text(view, passage, MOST_PASSAGE)
    return [
        ("passage", "\n".join([*above, text])),
        ("question", shorten(view["subgoal"]["question"], 500)),
    ]


def _asked(view: GradeView) -> Sections:
    question, subgoal = view["original_question"], view["subgoal"]["question"]
    same = subgoal.strip() == question.strip()
    return [
        ("question", shorten(question, MOST_QUESTION)),
        ("facts", _facts(view["facts"][-_FACTS:])),
        ("subgoal", "" if same else shorten(subgoal, 500)),
    ]


def is_cut(view: GradeView, passage: PassageView) -> bool:
    """Whether a first look may leave out some of the passage."""
    whole = passage_text(view, passage, MOST_PASSAGE)
    return passage_text(view, passage, OTHER_PASSAGE) != whole


def passage_text(view: GradeView, passage: PassageView, characters: int) -> str:
    """The passage without paragraphs that give orders; if it is longer than so many characters,
    its sentences that hold most of the subgoal's words, a word counting the more the fewer
    sentences hold it, with those beside the best one.

    A passage in another language than the question shares no words with it, and is shown whole.
    """
    text, subgoal = without_orders(passage["text"]), view["subgoal"]["question"]
    known = {"", detect_language(subgoal), detect_language(view["original_question"])}
    foreign = passage["language"] not in known
    if foreign or len(text) <= characters:
        return shorten(text, MOST_PASSAGE)
    parts = sentences(text)
    kept: list[int] = []
    for number in _by_words([part.text for part in parts], subgoal):
        if not kept or sum(len(parts[one].text) for one in [*kept, number]) <= characters:
            kept.append(number)
    return shorten(" … ".join(parts[one].text for one in sorted(kept)), MOST_PASSAGE)


def nearest_sentence(view: GradeView, passage: PassageView) -> str:
    """The sentence that holds most of the subgoal's words, orders to software aside."""
    parts = [part.text for part in sentences(without_orders(passage["text"]))]
    return nearest(parts, view["subgoal"]["question"])


def nearest(parts: Sequence[str], question: str) -> str:
    """The sentence that holds most of the question's words, a word that few hold counting more;
    "" of none."""
    return parts[_by_words(parts, question)[0]] if parts else ""


def _by_words(parts: Sequence[str], question: str) -> list[int]:
    """The numbers of the sentences that say some of what is asked, the best and its neighbours."""
    asked = _words(question)
    held = [asked & _words(part) for part in parts]
    spread = Counter(word for words in held for word in words)
    weights = [sum(1 / spread[word] for word in words) for words in held]
    best = max(range(len(parts)), key=lambda number: (weights[number], -number), default=0)
    for number in (best - 1, best + 1):
        if 0 <= number < len(parts):
            weights[number] += _BESIDE
    others = [one for one in range(len(parts)) if one != best and weights[one] > 0]
    return [best, *sorted(others, key=lambda one: (-weights[one], one))] if parts else []


def rewrite_sections(view: RewriteView) -> Sections:
    """The question, the subgoal, the grader's reason, what was tried and turned down."""
    tools = [described(tool, BRIEF) for tool in view["tools"]]
    titles = [without_orders(one_line(one, 100)) for one in view["turned_down"][:8]]
    return [
        ("tools", "\n".join(tools) if len(tools) > 1 else ""),
        ("question", shorten(view["original_question"], MOST_QUESTION)),
        ("subgoal", shorten(view["subgoal"]["question"], 500)),
        ("searched", "\n".join(one_line(one, 200) for one in view["tried"][-8:])),
        ("turned_down", "\n".join(titles)),
        ("grader", without_orders(shorten(view["reason"], 300))),
    ]


def write_sections(view: WriteView) -> Sections:
    """The question, its parts with their answers, and the evidence."""
    return [
        ("question", shorten(view["original_question"], MOST_QUESTION)),
        ("subgoals", _subgoals(view)),
        ("evidence", _facts(view["facts"])),
    ]


def batches(lines: Sequence[str], most_tokens: int, most: int) -> list[list[int]]:
    """The numbers of the lines in groups that fit the limits, none left out."""
    groups: list[list[int]] = [[]]
    used = 0
    for number, line in enumerate(lines):
        size = estimate_tokens(line)
        if groups[-1] and (used + size > most_tokens or len(groups[-1]) >= most):
            groups.append([])
            used = 0
        groups[-1].append(number)
        used += size
    return groups


def _subgoal(item: Subgoal) -> str:
    found = item.get("answer") or item["status"]
    ids = f" [{', '.join(item['evidence_ids'])}]" if item.get("evidence_ids") else ""
    return f"{item['id']}: {one_line(item['question'], 300)} → {one_line(found, 200)}{ids}"


def _subgoals(view: WriteView) -> str:
    """A line each; one that is the question itself is not said again."""
    asked = view["original_question"].strip()
    lines = [_subgoal(item) for item in view["subgoals"]]
    if len(lines) == 1 and view["subgoals"][0]["question"].strip() == asked:
        return lines[0].replace(f": {one_line(asked, 300)}", "", 1)
    return "\n".join(lines)


def _facts(facts: Sequence[Fact]) -> str:
    return "\n".join(
        f"{fact['id']} ({_named(fact['title'], fact['version'])}): {one_line(fact['quote'], 600)}"
        for fact in facts
    )


def _about(passage: PassageView) -> str:
    heading = passage["heading"] or passage["title"]
    return _named(heading, passage["version"])


def _named(title: str, version: str) -> str:
    name = without_orders(one_line(title, 160))
    return f"{name}, {without_orders(one_line(version, 40))}" if version else name


def _words(text: str) -> set[str]:
    plain = fold_accents(comparable(text))
    return {word.strip(".,;:!?()“”\"'") for word in plain.split() if len(word) > 2}
