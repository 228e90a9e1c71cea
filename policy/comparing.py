"""Comparisons: one question per side, and the decision between their two values."""

import re
from dataclasses import dataclass
from typing import Literal

from policy.questions import read
from policy.values import order
from policy.wording import UPPER, language_of, pattern, typed_bare
from state.text import fold_accents

Direction = Literal["less", "more", "none"]

_LESS = re.compile(
    r"\b(?:earlier|earliest|first|older|oldest|before|sooner|fewer|less|smaller|lower|shorter"
    r"|cheaper|lighter|faster|quicker|smallest|lowest|fewest|least|shortest|cheapest|narrower)\b",
    re.IGNORECASE,
)
_MORE = re.compile(
    r"\b(?:later|latest|last|younger|youngest|after|more|larger|largest|bigger|biggest|greater"
    r"|higher"
    r"|highest|longer|longest|heavier|taller|newer|most|costlier|dearer|slower|wider|warmer)\b",
    re.IGNORECASE,
)
_LESS_VI = (
    r"trước|sớm hơn|ít \w* ?\w* ?hơn|thấp hơn|nhỏ hơn|bé hơn|rẻ hơn|ngắn hơn|nhẹ hơn|nhanh hơn"
    r"|gấp hơn|lớn tuổi hơn|già hơn|cũ hơn|lâu đời hơn|ít hơn|sớm nhất"
)
_MORE_VI = (
    r"sau(?! đây)|muộn hơn|trễ hơn|nhiều \w* ?\w* ?hơn|cao hơn|lớn hơn|to hơn|đắt hơn|dài hơn"
    r"|lâu hơn"
    r"|nặng hơn|trẻ hơn|mới hơn|rộng hơn|xa hơn|nhiều hơn|hơn"
)
_CAPITAL = rf"[{UPPER}0-9][\w'’.-]*"
_NAME = (
    rf"(?:(?i:the) )?(?:[a-z]+ )?{_CAPITAL}(?: (?:(?:of|the|and|de) )*{_CAPITAL})*(?: \([^)]*\))?"
)
_AUX = r"(?P<verb>(?i:is|was|are|were|does|did|has|had))"
_OR_EN = re.compile(rf"^(?P<ask>.+?),? (?:(?:between|out of) )?(?P<one>{_NAME}),? or (?P<two>.+)$")
_SIDES_EN = re.compile(
    r"^(?i:between|of|out of|comparing) (?P<one>[^,]+?) (?:and|or) (?P<two>[^,]+), (?P<ask>.+)$"
)
_NAMES_FIRST = re.compile(
    rf"^(?:.*, )?(?P<one>{_NAME}),? (?:and|or|vs\.?|versus) (?P<two>{_NAME})(?:,|:| -| –|) ?"
    r"(?P<ask>(?i:which|who|what|whose)\b.+)$"
)
_WAS_IT = re.compile(
    rf"^(?i:is|was) it (?P<one>{_NAME}) or (?P<two>{_NAME}) (?i:that|which|who) (?P<rest>.+)$"
)
_WHICH_OF = re.compile(
    rf"^(?P<ask>(?i:which|who)(?: one)?) of (?P<one>.+?) (?:and|or) (?P<two>{_NAME}) (?P<rest>.+)$"
)
_WAS_OR = re.compile(rf"^{_AUX} (?P<one>{_NAME}) or (?P<two>{_NAME}) (?P<rest>.+)$")
_WAS_OR_PLAIN = re.compile(
    rf"^{_AUX} (?P<one>[^,]+?) or (?P<two>[^,]+?) (?P<rest>(?:the )?(?:more \w+|less \w+|\w+er)\b.*)$"
)
_THAN = re.compile(
    rf"^{_AUX} (?P<one>{_NAME}) (?P<rest>(?:\w+ ){{0,3}}?(?:\w+er|more|less"
    rf"|fewer)(?: \w+){{0,2}}) than "
    r"(?P<two>.+)$"
)
_BEFORE = re.compile(rf"^{_AUX} (?P<one>.+?) (?P<rest>\w+ (?:before|after)) (?P<two>{_NAME})$")
_DIFFER = re.compile(
    r"^(?i:how (?:do|does|did) (?P<one>.+?) (?:and|differ from) (?P<two>.+?)(?: differ)?"
    r"(?: in (?P<about>.+))?|what(?: is|'s) the difference (?:in (?P<about2>.+?) )?between "
    r"(?P<one2>.+?) and (?P<two2>.+))$"
)
_HAY_VI = r"^(?P<ask>.+?),? (?:giữa )?(?P<one>[^,]+?) hay(?: là)? (?P<two>[^,]+)$"
_PAIR_VI = (
    r"^(?:giữa |trong |so sánh |trong hai \S+ )?(?P<one>[^,]+?) (?:và|với|hay) (?P<two>[^,]+?)"
    r"(?:(?:,|:| thì)+ |(?<=\w) (?=(?:\S+ nào|ai)(?!\w)))(?P<ask>.+)$"
)
_DIFFER_VI = (
    r"^(?P<one>.+?) (?:và|với|so với|khác(?: gì)?(?: với)?) (?P<two>.+?) (?:khác|giống) (?:nhau"
    r"|biệt)?"
    r" ?(?:gì )?(?:về |ở )?(?P<about>.*?) ?(?:thế nào|như thế nào|ra sao|ở điểm nào|chỗ nào|gì"
    r"|không)?$"
)
_THAN_VI = (
    r"^(?:[^,]+, )?(?P<one>[^,]+?) (?P<ask>(?:có (?:\S+ ){1,4}?)?\S+ hơn) (?P<two>.+?)(?P<by> "
    r"(?:mấy|bao nhiêu).*"
    r"| (?:phải )?không| chứ)?$"
)
_BEFORE_VI = (
    r"^(?P<one>.+?) (?P<ask>\S+ \S+) (?:trước hay sau|sớm hay muộn hơn)(?: so với)? (?P<two>.+)$"
)
_HAY_FRONT_VI = (
    r"^(?P<one>.+?) hay(?: là)? (?P<two>.+?) (?P<ask>(?:nào |ai |mới )?(?:có|được|mở|sinh|thành lập"
    r"|bắt đầu|kéo dài|khai trương|ra đời|nặng|dài|cao|lớn|đắt|rẻ|nhiều|ít)(?!\w).*)$"
)
_WHICH_VI = r"(?<!\w)(?:(?P<head>(?:\S+ )?\S+) nào|ai|cái nào|bên nào|đâu)(?!\w)"


@dataclass(frozen=True)
class Comparison:
    """Two things, the question for the value of each, and which value is asked for."""

    names: tuple[str, str]
    sides: tuple[str, str]
    direction: Direction


def read_comparison(question: str) -> Comparison | None:
    """The comparison that a question makes, or None."""
    text = " ".join(question.split()).rstrip(" ?.")
    if language_of(text) == "vi":
        return _vietnamese(text)
    return _english(text)


def decide(comparison: Comparison, first: str, second: str) -> int | None:
    """0 or 1 for the side that is asked for, -1 for a tie, None where it cannot be told."""
    if comparison.direction == "none":
        return None
    found = order(first, second)
    if found is None or found == 0:
        return None if found is None else -1
    smaller = 0 if found < 0 else 1
    return smaller if comparison.direction == "less" else 1 - smaller


def _english(text: str) -> Comparison | None:
    differ = _DIFFER.match(text)
    if differ:
        one, two = differ["one"] or differ["one2"], differ["two"] or differ["two2"]
        about = differ["about"] or differ["about2"]
        if not about:
            return None
        first, second = (f"What is the {about} of {side}?" for side in (one, two))
        return _pair(one, two, first, second, "none")
    for shape in (_NAMES_FIRST, _SIDES_EN, _WHICH_OF, _WAS_IT, _WAS_OR, _WAS_OR_PLAIN, _THAN, _BEFORE, _OR_EN):
        match = shape.match(text)
        if match is None:
            continue
        groups = match.groupdict()
        ask = " ".join(groups[part] for part in ("ask", "rest") if groups.get(part))
        less, more = _LESS.search(ask), _MORE.search(ask)
        if not (less or more) or not _named(groups["one"]) or not _named(groups["two"]):
            continue
        one, two = groups["one"].strip(), groups["two"].strip()
        less_asked = bool(less) and not re.search(r"\bmore (?!than)|\blast longer\b", ask)
        return _english_sides(one, _restored(one, two), ask, less_asked)
    return None


def _named(side: str) -> bool:
    return len(side.split()) <= 10 and re.search(rf"[{UPPER}0-9{{]", side) is not None


def _restored(one: str, two: str) -> str:
    """The second side with the words that both share ("hợp đồng A1 và A2", "the lids of A and B")."""
    first, second = one.split(), two.split()
    if two[0].isdigit() and first[-1][0].isdigit():
        return " ".join([*first[:-1], *second])
    at = next((k for k, word in enumerate(first) if k and word.casefold() == second[0].casefold()), 0)
    if at and second[0][:1].islower():
        return " ".join([*first[:at], *second])
    lead = []
    for word in first[:-1]:
        if word[:1].isupper() and not word.islower():
            break
        lead.append(word)
    heads = [word for word in lead if word.casefold() not in ("the", "a", "an")]
    if heads and not second[0][:1].islower() and second[0].casefold() not in heads:
        return " ".join([*lead, *second])
    return two


def _english_sides(one: str, two: str, ask: str, less: bool) -> Comparison:
    found = re.match(r"(?:which|what) ([a-z]+)(?<!s) ", ask, re.IGNORECASE)
    head = found[1] if found and found[1] != "one" and read(f"Which {found[1]}?").head else ""
    sides = []
    for side in (one, two):
        named = side if not head or head.split()[-1].lower() in side.lower() else f"{side} {head}"
        sides.append(_english_question(named, ask))
    direction: Direction = "less" if less else "more"
    return _pair(one, two, sides[0], sides[1], direction)


def _english_question(side: str, ask: str) -> str:
    plain = ask.lower()
    for words, question in _EN_SIDES:
        found = re.search(words, plain)
        if found:
            return question.format(side=side, word=(found.groups() or ("",))[0])
    return f"{ask.rstrip(' ?')} ({side})?"


_EN_SIDES = (
    (r"\bwho\b.*\b(?:older|younger|oldest|youngest)\b|\bborn\b", "When was {side} born?"),
    (r"\b(?:older|younger|oldest|youngest)\b|into (?:being|existence)|came about|been around"
     r"|came first|existed", "When was {side} founded?"),
    (r"worth|more money|(?:larger|bigger|smaller) (?:sum|amount|grant)", "What is the amount of {side}?"),
    (r"\b(?:more|fewer|most|fewest|less) (?!expensive|recent|recently|money|heavily|often|than|or)"
     r"([a-z]+)", "How many {word} does {side} have?"),
    (r"(?:larger|bigger|higher|lower|greater|smaller|longer|shorter|highest|largest|lowest)"
     r" ((?!one\b|than\b|of\b)[a-z]+(?: [a-z]+)?)", "What is the {word} of {side}?"),
    (r"came out|released|published", "When was {side} released?"),
    (r"expensive|cheap|costl|dear", "How much does {side} cost?"),
    (r"heav|light|weigh", "How much does {side} weigh?"),
    (r"(?:last|take|run|stay|keep|go on)s? (?:longer|shorter)|(?:longer|shorter) to", "How long does {side} last?"),
    (r"\b(?:longer|shorter|longest|shortest)\b", "How long is {side}?"),
    (r"\b(?:taller|higher|tallest|highest)\b", "How high is {side}?"),
    (r"deep", "How deep is {side}?"), (r"\bwide|broader", "How wide is {side}?"),
    (r"\b(?:faster|quicker|slower)\b", "How fast is {side}?"),
    (r"\b(?:warmer|hotter|colder|cooler)\b", "What is the temperature of {side}?"),
    (r"\bone\b|\b(?:larger|bigger|greater|smaller|largest|biggest)$", "What is the amount of {side}?"),
    (r"\b(?:larger|bigger|greater|smaller)\b", "How large is {side}?"),
    (r"\b(?:opened|open|opens)\b", "When did {side} open?"),
    (r"\b(died|ended|started|began|arrived|finished|happened)\b", "When was it that {side} {word}?"),
    (r"set up", "When was {side} set up?"),
    (r"\b([a-z]+ed|built|begun|made|written|sold|bought|won|held)\b", "When was {side} {word}?"),
    (r"\b(start|end|begin|finish|die|expire|close)\w*\b", "When did {side} {word}?"),
    (r"earlier|later|first|last|before|after|sooner|newer", "When did {side} start?"),
)  # fmt: skip


def _pair(one: str, two: str, first: str, second: str, direction: Direction) -> Comparison:
    names = (one.removeprefix("the ").strip(), two.removeprefix("the ").strip())
    return Comparison(names, (first, second), direction)


def _vietnamese(text: str) -> Comparison | None:
    folded = typed_bare(text)
    differ = pattern(_DIFFER_VI, folded).match(text)
    if differ and differ["about"]:
        one, two = differ["one"], differ["two"]
        which = "la gi" if folded else "là gì"
        of = "cua" if folded else "của"
        questions = [f"{_upper(differ['about'])} {of} {side} {which}?" for side in (one, two)]
        return _pair(one, two, questions[0], questions[1], "none")
    before = pattern(_BEFORE_VI, folded).match(text)
    if before:
        ask = f"{before['ask']} {'truoc' if folded else 'trước'}"
        return _vietnamese_sides(before["one"], before["two"], ask, True, folded)
    lower = text == text.lower() or text[1:] == text[1:].lower()
    for shape in (_PAIR_VI, _HAY_VI, _HAY_FRONT_VI, _THAN_VI):
        match = pattern(shape, folded).match(text)
        if match is None or not (lower or (_named(match["one"]) and _named(match["two"]))):
            continue
        ask = pattern(r"^.*,? (?:tức là|nghĩa là|ý là) ", folded).sub("", match["ask"])
        less = pattern(rf"(?<!\w)(?:{_LESS_VI})(?!\w)", folded).search(ask)
        more = pattern(rf"(?<!\w)(?:{_MORE_VI})(?!\w)", folded).search(ask)
        if pattern(r"(?<!\w)nhiều (?:\S+ ){0,3}hơn(?!\w)", folded).search(ask):
            less = None
        if less or more:
            by = (match.groupdict().get("by") or "").strip()
            if pattern(r"(?:mấy|bao nhiêu)", folded).match(by):
                return _difference(match["one"], match["two"], by)
            two = _restored(match["one"], match["two"])
            return _vietnamese_sides(match["one"], two, ask, bool(less), folded)
    return None


def _difference(one: str, two: str, by: str) -> Comparison:
    """ "How much more": both values are stated, as a difference stands in no source."""
    return _pair(one, two, f"{one} là {by}?", f"{two} là {by}?", "none")


def _vietnamese_sides(one: str, two: str, ask: str, less: bool, folded: bool) -> Comparison:
    which = pattern(_WHICH_VI, folded).search(ask)
    head = (which["head"] or "").strip() if which else ""
    predicate = ask if which is None else (ask[: which.start()] + ask[which.end() :]).strip()
    generic = pattern(
        r"^(?:cái|bên|loại|thứ nào|sản phẩm|thiết bị|khoản|lỗi|đâu|người|con|thứ|món|chỗ|.* năm"
        r"|năm)$",
        folded,
    ).match(head)
    sides = []
    for side in (one, two):
        lacks_head = head and not generic and head.casefold() not in side.casefold()
        sides.append(
            _vietnamese_question(f"{head} {side}" if lacks_head else side, predicate, folded)
        )
    direction: Direction = "less" if less else "more"
    return _pair(one, two, sides[0], sides[1], direction)


_VI_SIDES = (
    (r"sinh .*|.*(?:lớn tuổi|trẻ|già) hơn", "{side} sinh năm nào"),
    (r"(?:được )?(?P<verb>.*?) ?(?:trước|sau|sớm hơn|muộn hơn|trễ hơn)", "{side} {verb} khi nào"),
    (r"dài hơn|ngắn hơn", "{side} dài bao nhiêu"),
    (r"(?P<verb>.*?) ?(?:gấp|nhanh|chậm|lâu|dài|ngắn) hơn", "{side} {verb} trong bao lâu"),
    (r"có (?P<verb>.+?) (?:lớn|cao|nhiều|ít|thấp|nhỏ|to|dài) hơn", "{side} có {verb} bao nhiêu"),
    (r"(?:có )?(?:nhiều|ít) (?P<verb>.+?) hơn", "{side} có bao nhiêu {verb}"),
    (r"(?:có giá )?(?:đắt|rẻ) hơn", "{side} giá bao nhiêu"),
    (r"(?P<verb>.*?) ?(?:nhiều|ít) (?P<noun>.+?) hơn", "{side} {verb} bao nhiêu {noun}"),
    (r"nặng hơn|nhẹ hơn", "{side} nặng bao nhiêu"),
    (r"cao hơn|thấp hơn", "{side} cao bao nhiêu"), (r"sâu hơn", "{side} sâu bao nhiêu"),
    (r"rộng hơn|hẹp hơn", "{side} rộng bao nhiêu"),
    (r"(?P<verb>.+?) (?:lớn|cao|nhiều|ít|thấp|nhỏ|to) hơn.*", "{side} {verb} bao nhiêu"),
    (r".*hơn.*", "{side} là bao nhiêu"),
)


def _vietnamese_question(side: str, predicate: str, folded: bool) -> str:
    for shape, question in _VI_SIDES:
        match = pattern(shape, folded).fullmatch(predicate)
        if match:
            template = fold_accents(question) if folded else question
            return " ".join(template.format(side=side, **match.groupdict()).split()) + "?"
    return f"{side} {predicate}?"


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
