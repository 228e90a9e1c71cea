"""Comparisons asked in Vietnamese."""

import re

from policy.language.comparison import Comparison, Direction, named, pair, restored
from policy.language.openings import asks
from policy.language.wording import pattern, typed_bare
from state.text import fold_accents

_LESS_VI = (
    r"trước|sớm hơn|ít \w* ?\w* ?hơn|thấp hơn|nhỏ hơn|bé hơn|rẻ hơn|ngắn hơn|nhẹ hơn|nhanh hơn"
    r"|gấp hơn|lớn tuổi hơn|già hơn|cũ hơn|lâu đời hơn|ít hơn|sớm nhất"
)
_MORE_VI = (
    r"sau(?! đây)|muộn hơn|trễ hơn|nhiều \w* ?\w* ?hơn|cao hơn|lớn hơn|to hơn|đắt hơn|dài hơn"
    r"|lâu hơn"
    r"|nặng hơn|trẻ hơn|mới hơn|rộng hơn|xa hơn|nhiều hơn|hơn"
)
_HAY_VI = r"^(?P<ask>.+?),? (?:giữa )?(?P<one>[^,]+?) hay(?: là)? (?P<two>[^,]+)$"
_PAIR_VI = (
    r"^(?:(?:giữa|trong)(?: (?:cả )?hai)? |so sánh |trong hai \S+ )?"
    r"(?P<one>[^,]+?) (?:và|với|hay) (?P<two>[^,]+?)"
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
_THAN_BEFORE_VI = (
    r"^so với (?P<two>[^,]+), (?:thì )?(?P<one>[^,]+?) (?:tăng|giảm|nhiều hơn|ít hơn|cao hơn"
    r"|thấp hơn|chênh|hơn)(?: thêm| lên| đi)? (?P<by>(?:bao nhiêu|mấy) .+)$"
)
_BEFORE_VI = (
    r"^(?P<one>.+?) (?P<ask>\S+ \S+) (?:trước hay sau|sớm hay muộn hơn)(?: so với)? (?P<two>.+)$"
)
_HAY_FRONT_VI = (
    r"^(?P<one>.+?) hay(?: là)? (?P<two>.+?) (?P<ask>(?:nào |ai |mới )?(?:có|được|mở|sinh|thành lập"
    r"|hết hạn|kết thúc|hoàn thành|ra mắt|bắt đầu|kéo dài"
    r"|khai trương|ra đời|nặng|dài|cao|lớn|đắt|rẻ|nhiều|ít)(?!\w).*)$"
)
_WHICH_VI = r"(?<!\w)(?:(?P<head>(?:\S+ )?\S+) nào|ai|cái nào|bên nào|đâu)(?!\w)"


def vietnamese_comparison(text: str) -> Comparison | None:
    """The comparison that a question makes, or None."""
    folded = typed_bare(text)
    differ = pattern(_DIFFER_VI, folded).match(text)
    if differ and differ["about"]:
        one, two = differ["one"], differ["two"]
        which = "la gi" if folded else "là gì"
        of = "cua" if folded else "của"
        questions = [f"{_upper(differ['about'])} {of} {side} {which}?" for side in (one, two)]
        return pair(one, two, questions[0], questions[1], "none")
    than_before = _than_before(text, folded)
    if than_before:
        return than_before
    before = pattern(_BEFORE_VI, folded).match(text)
    if before:
        ask = f"{before['ask']} {'truoc' if folded else 'trước'}"
        return _vietnamese_sides(before["one"], before["two"], ask, True, folded)
    lower = text == text.lower() or text[1:] == text[1:].lower()
    for shape in (_PAIR_VI, _HAY_VI, _HAY_FRONT_VI, _THAN_VI):
        match = pattern(shape, folded).match(text)
        if (
            match is None
            or (shape is _THAN_VI and (asks(match["two"]) or _is_no_side(match, folded)))
            or not (lower or (named(match["one"]) and named(match["two"])))
        ):
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
            two = restored(match["one"], match["two"])
            return _vietnamese_sides(match["one"], two, ask, bool(less), folded)
    return None


def _is_no_side(sides: re.Match[str], folded: bool) -> bool:
    """Whether what follows "hơn" is a bound or a predicate: "lớn hơn 2", "nghèo hơn có thể …"."""
    bound = re.fullmatch(r"\d{1,2}", sides["two"])  # Longer ones name years and rooms.
    return bool(bound) or bool(pattern(r"có thể(?!\w)", folded).match(sides["two"]))


def _difference(one: str, two: str, by: str) -> Comparison:
    """ "How much more": both values are asked for, and the difference is a sum of code."""
    return pair(one, two, f"{one} là {by}?", f"{two} là {by}?", "difference")


def _than_before(text: str, folded: bool) -> Comparison | None:
    """ "So với năm 2025, phép của năm 2026 tăng bao nhiêu ngày": a difference of two years."""
    found = pattern(_THAN_BEFORE_VI, folded).match(text)
    years = (
        [re.findall(r"(?<!\d)(?:19|20)\d\d(?!\d)", found[one]) for one in ("one", "two")]
        if found
        else []
    )
    if not found or [len(one) for one in years] != [1, 1]:
        return None
    two = found["one"].replace(years[0][0], years[1][0])
    return _difference(found["one"], two, found["by"])


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
    return pair(one, two, sides[0], sides[1], direction)


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
    (r"cao hơn|thấp hơn", "{side} cao bao nhiêu"),
    (r"sâu hơn", "{side} sâu bao nhiêu"),
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
