"""A question given to tools: the parts of it that ready calls answer, and the rest."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from policy.extractive.ready_calls import Chosen, choose
from policy.language.openings import asks
from policy.language.wording import bare, language_of, pattern, typed_bare
from policy.plans import renamed
from policy.protocol import PlannedSubgoal, ToolView
from policy.support import SupportScorer
from state.anchors import names
from state.coverage import open_placeholders

_CUT_VI = r"(?:[.?!;]|,)? (?:và|còn|mà|riêng|đồng thời|rồi|thế|vậy)(?= )|[.?!;,](?= )"
_CUT_EN = r"(?:[.?!;]|,)? (?:and|but|then|also)(?= )|[.?!;,](?= )"
_NAMES_VI = r"^(?P<what>.+ của (?:tôi|mình|em)) (?:là|tên) (?:ai|gì|dự án nào|\w+ nào)\??$"
_NAMES_EN = r"^(?:who|what|which \w+) (?:is|are) (?P<what>my .+?)\??$"
_MOST_PIECES = 5
_MOST_WORDS = 40
"""Of a question whose opening is taken for a value: every opening is tried with every call."""


class Piece(NamedTuple):
    """Some of a question, with where it stands and the call that answers it."""

    start: int
    end: int
    call: Chosen


Parts = Callable[[str, str], list[PlannedSubgoal]]
"""Takes a question apart; the second text holds the parts that stood beside it."""


def with_calls(
    question: str, tools: Sequence[ToolView], scorer: SupportScorer, parts_of: Parts
) -> list[PlannedSubgoal]:
    """The plan of a question: ready calls for the parts that they answer, searches for the rest.

    `parts_of` takes apart what is left to search for.
    """
    if not any(tool.get("ready") for tool in tools):
        return parts_of(question, "")
    parts = parts_of(question, "")
    if any(part.depends_on for part in parts):
        led = [_called(part, question, tools, scorer) for part in parts]
        if any(part.arguments for part in led):
            return led
    pieces = _pieces(question, tools, scorer)
    if pieces:
        return _assembled(question, pieces, parts_of)
    return _through_own(question, tools, scorer) or _through_value(question, tools, scorer) or parts


def call_for(
    part: PlannedSubgoal, tools: Sequence[ToolView], scorer: SupportScorer
) -> PlannedSubgoal:
    """A subgoal whose question has become concrete, as a ready call where one answers it."""
    return part if part.arguments else _called(part, part.question, tools, scorer)


def _called(
    part: PlannedSubgoal, whole: str, tools: Sequence[ToolView], scorer: SupportScorer
) -> PlannedSubgoal:
    if open_placeholders(part.question):
        return part
    call = choose(part.question, whole, tools, scorer)
    return _as_call(part, call) if call else part


def _as_call(part: PlannedSubgoal, call: Chosen) -> PlannedSubgoal:
    return part.model_copy(update={"tool": call.tool, "arguments": call.arguments, "query": ""})


def _pieces(question: str, tools: Sequence[ToolView], scorer: SupportScorer) -> list[Piece]:
    """The pieces that ready calls answer, the best fitting first taken, none over another."""
    bounds = _bounds(question)
    found = [
        Piece(start, end, call)
        for number, (start, _) in enumerate(bounds)
        for _, end in bounds[number:]
        for call in [choose(question[start:end], question, tools, scorer)]
        if call
    ]
    kept: list[Piece] = []
    for one in sorted(found, key=lambda piece: (-piece.call.score, piece.end - piece.start)):
        if all(one.end <= other.start or other.end <= one.start for other in kept):
            kept.append(one)
    return sorted(kept)


def _bounds(question: str) -> list[tuple[int, int]]:
    """Where the pieces between joining words and commas begin and end."""
    cut = pattern(_CUT_VI if language_of(question) == "vi" else _CUT_EN, typed_bare(question))
    at, bounds = 0, []
    for found in cut.finditer(question):
        bounds.append((at, found.start()))
        at = found.end() + 1
    bounds.append((at, len(question)))
    bounds = [(start, end) for start, end in bounds if question[start:end].strip(" ?.!,")]
    return bounds if len(bounds) <= _MOST_PIECES else [(0, len(question))]


def _assembled(question: str, pieces: list[Piece], parts_of: Parts) -> list[PlannedSubgoal]:
    """Searches for what is between the pieces, and the calls, in the order of the question."""
    plan: list[PlannedSubgoal] = []
    at = 0
    beside = " ".join(question[one.start : one.end] for one in pieces)
    for one in pieces:
        _search(plan, question[at : one.start], beside, parts_of)
        text = question[one.start : one.end].strip(" ,.?!")
        part = PlannedSubgoal(id=f"s{len(plan) + 1}", question=f"{text[:1].upper()}{text[1:]}?")
        plan.append(_as_call(part, one.call))
        at = one.end
    _search(plan, question[at:], beside, parts_of)
    return plan


def _search(plan: list[PlannedSubgoal], text: str, beside: str, parts_of: Parts) -> None:
    """Add the searches for a text that asks something; an introduction asks nothing."""
    text = _joiners(text)
    if not text or not asks(f"{text}?"):
        return
    parts = parts_of(f"{text}?", beside)
    names = {part.id: f"s{number}" for number, part in enumerate(parts, len(plan) + 1)}
    plan += [renamed(part, names) for part in parts]


def _joiners(text: str) -> str:
    """A text without the words and marks that joined it to what stood beside it."""
    text = text.strip(" ,.;?!")
    words = r"^(?:và|còn|mà|riêng|đồng thời|rồi|and|but|then|also) |,? (?:và|còn|mà|and|but)$"
    return pattern(words, typed_bare(text)).sub("", text).strip(" ,.;?!")


def _through_own(
    question: str, tools: Sequence[ToolView], scorer: SupportScorer
) -> list[PlannedSubgoal]:
    """ "Where does my manager sit?": a call for "my manager", then a search about its answer."""
    for ask, what in _own_names(tools):
        found = re.search(rf"(?<!\w){re.escape(what)}(?!\w)", question, re.IGNORECASE)
        if found is None or bare(found[0]) == bare(question):
            continue
        call = choose(ask, ask, tools, scorer)
        if call is None:
            continue
        first = _as_call(PlannedSubgoal(id="s1", question=ask), call)
        rest = f"{question[: found.start()]}{{s1}}{question[found.end() :]}"
        return [first, PlannedSubgoal(id="s2", question=rest, query=rest, depends_on=["s1"])]
    return []


def _through_value(
    question: str, tools: Sequence[ToolView], scorer: SupportScorer
) -> list[PlannedSubgoal]:
    """ "Khách hàng ở Hà Tĩnh đã đặt mấy đơn hàng": a search for the customer, then the call.

    What opens the question stands for a value where the question with a listed value in its
    place would be one that a call answers.
    """
    words = question.split()
    if language_of(question) != "vi" or len(words) > _MOST_WORDS:
        return []
    best: tuple[float, int] = (0.0, 0)
    for value in _examples(tools):
        for at in range(2, len(words) - 1):
            if not any(one[0].isalpha() for one in names(" ".join(words[:at]))):
                continue
            call = choose(f"{value} {' '.join(words[at:])}", value, tools, scorer)
            if call and not call.own:
                best = max(best, (round(call.score, 2), -at))
    if not best[1]:
        return []
    what, rest = " ".join(words[: -best[1]]), " ".join(words[-best[1] :])
    who = f"{what} {'la' if typed_bare(question) else 'là'} ai?"
    later = f"{{s1}} {rest}"
    return [
        PlannedSubgoal(id="s1", question=who, query=what),
        PlannedSubgoal(id="s2", question=later, query=later, depends_on=["s1"]),
    ]


def _examples(tools: Sequence[ToolView]) -> list[str]:
    """One value of every parameter whose values are listed."""
    schemas = (
        schema
        for tool in tools
        for ready in tool.get("ready", [])
        for schema in ready["parameters"].values()
    )
    return list(dict.fromkeys(str(one["enum"][0]) for one in schemas if one.get("enum")))


def _own_names(tools: Sequence[ToolView]) -> list[tuple[str, str]]:
    """What ready calls about the asker name ("quản lý trực tiếp của tôi"), with the question
    that asks for it; the longest first."""
    found = []
    for ask in (ask for tool in tools for one in tool.get("ready", []) if one["own"]
                for ask in one["asks"]):  # fmt: skip
        shape = _NAMES_VI if language_of(ask) == "vi" else _NAMES_EN
        named = pattern(shape).match(ask)
        if named:
            found += [
                (ask, re.sub(r"của tôi$", f"của {who}", named["what"]))
                for who in ("tôi", "mình", "em")
            ]
    return sorted(dict.fromkeys(found), key=lambda one: -len(one[1]))
