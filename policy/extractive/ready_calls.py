"""Which ready call of a tool answers a part of a question: a named query instead of a search.

Told by code and by the support scorer: whether the part speaks of the asker, whether all that
it names is a parameter of the call, and how close it is to what the call says that it answers.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from policy.extractive.parameters import Found, find
from policy.language.openings import read_message
from policy.language.questions import question_anchors, read
from policy.language.wording import bare, holds, language_of, pattern, terms, typed_bare
from policy.protocol import ReadyCall, ToolView
from policy.support import SupportScorer
from state.coverage import PLACEHOLDER
from state.text import fold_accents
from state.types import Json

_FIRST_VI = (
    r"(?<!công ty )(?<!bên )(?<!chỗ )(?<!nhà )(?<!cho )(?<!giúp )(?<!chỉ )(?<!với )(?<!nhờ )"
    r"(?<!do )(?<!anh )(?<!chị )(?<!một )(?<!\w)(?:tôi|mình|em|tớ|tao|chúng tôi)(?!\w)"
)
_FIRST_EN = r"\b(?:i|me|my|mine|myself|i['’](?:ve|m|d|ll))\b"
_OTHERS_VI = (
    r"(?<!\w)(?P<who>sếp|vợ|chồng|con (?:trai|gái|cái)|bố|mẹ|bạn|đồng nghiệp|cấp (?:dưới|trên)|"
    r"quản lý|trưởng (?:phòng|nhóm|bộ phận)|giám đốc|trợ lý|nhân viên|thực tập sinh|người nhà|"
    r"nhóm|đội|phòng)(?: (?:trực tiếp|cũ|mới|thân))?(?: của)? "
    r"(?:tôi|mình|em|tớ|tao|chúng tôi)(?!\w)"
)
_CHILD_VI = r"(?<!\w)(?P<who>con) (?:của )?(?:tôi|mình|em|tớ|tao)(?!\w)"
"""Only where accents are typed: without them "còn tôi" is the same."""
_OTHERS_EN = (
    r"\bmy (?:\w+ )?(?P<who>manager|boss|supervisor|wife|husband|partner|spouse|son|daughter|"
    r"child|children|kids?|mother|father|parents?|brother|sister|friends?|colleagues?|"
    r"co-?workers?|team|teammates?|reports?|assistant|employees?|interns?|department)\b"
)
_INTRODUCTION = (
    r"(?:(?:tôi|mình|em|tớ) (?:là|tên)|(?:i am|i['’]m|my name is|this is)) [A-Z][\w-]*\d[\w-]*"
)
LIKE, ALIKE = 0.75, 0.905
"""How much of a part a call's question must hold where it is close, and how close it must be in
meaning (cosine, default embedding model) where it holds less."""
CLOSE = 0.86
_TWICE = re.compile(r"(?<!\w)([^\W\d]+) \1(?!\w)", re.IGNORECASE)
"""A word that stands twice once a value with its lead-in is filled in ("tháng tháng 8")."""


class Chosen(NamedTuple):
    """A call for a part of a question, and how well it fits (more is better)."""

    tool: str
    arguments: Json
    own: bool
    score: float


def choose(
    part: str, whole: str, tools: Sequence[ToolView], scorer: SupportScorer
) -> Chosen | None:
    """The ready call that answers a part of a question, or None.

    `whole` is the question that the part was cut from: what the part leaves out ("…, and how
    many days have I left?") may stand there.
    """
    text = _INTRODUCED.sub(" ", read_message(part).question).strip(" ,.;:?!")
    found = [
        (fit, tool, ready, values)
        for tool in tools
        for ready in tool.get("ready", [])
        if (not ready["own"] or speaks_of_asker(text)) and not PLACEHOLDER.search(text)
        for values in [values_of(ready, text, whole)]
        if values is not None
        for fit in [_fit(ready, values, text, whole, scorer)]
        if fit
    ]
    if not found:
        return None
    fit, tool, ready, values = max(found, key=lambda one: one[0])
    return Chosen(tool["name"], _arguments(tool, ready, values, part), ready["own"], fit)


_INTRODUCED = re.compile(_INTRODUCTION, re.IGNORECASE)


def speaks_of_asker(text: str) -> bool:
    """Whether a text is about whoever asks: "tôi", "của em", "my", not "công ty mình"."""
    if language_of(text) == "vi":
        return pattern(_FIRST_VI, typed_bare(text)).search(text) is not None
    return pattern(_FIRST_EN).search(text) is not None


def others(text: str) -> list[str]:
    """Whom a text speaks of beside the asker, without accents: "sếp tôi", "my wife"."""
    without = typed_bare(text)
    if language_of(text) != "vi":
        shapes = [_OTHERS_EN]
    else:
        shapes = [_OTHERS_VI] if without else [_OTHERS_VI, _CHILD_VI]
    found = (one["who"] for shape in shapes for one in pattern(shape, without).finditer(text))
    return [bare(who) for who in found]


def values_of(ready: ReadyCall, text: str, whole: str) -> dict[str, Found] | None:
    """The parameters of a call that a part names; None where one that it needs is not named.

    One that the part does not name may stand in the whole question, unless a default says
    otherwise.
    """
    values: dict[str, Found] = {}
    for name, schema in ready["parameters"].items():
        value = find(name, schema, text)
        if value is None and "default" not in schema:
            value = find(name, schema, whole)
            if value is None:
                return None
        if value is not None:
            values[name] = value
    return values


def _fit(
    ready: ReadyCall, values: dict[str, Found], text: str, whole: str, scorer: SupportScorer
) -> float:
    """How well the best of a call's questions fits a part; 0 where none does."""
    return max((_fit_of(ask, values, text, whole, scorer) for ask in ready["asks"]), default=0.0)


def _fit_of(
    ask: str, values: dict[str, Found], text: str, whole: str, scorer: SupportScorer
) -> float:
    wanted = set(PLACEHOLDER.findall(ask))
    if language_of(ask) != language_of(text) or not wanted <= set(values):
        return 0.0
    if any(who not in bare(ask) for who in others(text)):
        return 0.0
    ask = fold_accents(ask) if typed_bare(text) else ask
    named = set(terms(" ".join(one.said for one in values.values())))
    own = set(terms(_without(text, values))) - named
    theirs, around = set(terms(PLACEHOLDER.sub(" ", ask))), own | set(terms(whole))
    shared = len(own & theirs) / max(1, len(own))
    if len(theirs & around) < LIKE * len(theirs) or (shared < LIKE and wanted):
        return 0.0
    for name, value in values.items():
        ask = ask.replace(f"{{{name}}}", value.said)
        text = text if name in wanted else _without(text, {name: value})
    ask = _TWICE.sub(r"\1", ask)
    if not _same_kind(text, ask) or any(not holds(one, ask) for one in question_anchors(text)):
        return 0.0
    support = scorer(text, [("", ask)])[0]
    cosine = max((one.cosine for one in support), default=0.0)
    return cosine + shared if cosine >= (CLOSE if shared >= LIKE else ALIKE) else 0.0


def _same_kind(text: str, ask: str) -> bool:
    """Whether both ask for a name, or a date, or a number, as far as they tell."""
    kinds = {read(f"{text}?").kind, read(ask).kind}
    return len(kinds) == 1 or "thing" in kinds


def _without(text: str, values: dict[str, Found]) -> str:
    for value in values.values():
        text = text.replace(value.said, " ")
    return " ".join(text.split())


def _arguments(tool: ToolView, ready: ReadyCall, values: dict[str, Found], part: str) -> Json:
    arguments: Json = {**ready["arguments"]}
    if values:
        arguments["parameters"] = {name: one.value for name, one in values.items()}
    if "language" in tool.get("parameters", {}).get("properties", {}):
        arguments["language"] = language_of(part)
    return arguments
