"""Where names stand in a text, and whether it is really that name."""

import re

from policy.language.wording import UPPER, bare, typed_bare
from state.anchors import names
from state.text import comparable

_DIGITS_FIRST = re.compile(
    r"^(?:(?:\d[\d.,]*|(?:January|February|March|April|May|June|July|August|September|October"
    r"|November|December)(?= \d)) )+(?=\S)"
)
_CALENDAR = re.compile(
    r"^(?:(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|monday|tuesday|wednesday|thursday|friday|saturday|sunday|hai|ba|tư|năm|sáu|bảy)\b ?\d*)+$",
    re.IGNORECASE,
)
_MIDDLE_NAME = re.compile(r"(?:Thị|Văn|Hữu|Đình|Quốc|Ngọc) ")
_SURNAME = re.compile(rf"(?<!\w)[{UPPER}]\w+ $")
_EXTENDS = re.compile(rf" (?:[{UPPER}]|\d{{1,3}}(?!\w))")
_NUMBERED = re.compile(r" (?:[IVX]+|\d{1,3})(?!\w)")
"""What makes another name of one ("Halo II"); a year only tells which edition it is."""


def holds_name(text: str, name: str, *, accents: bool = True) -> bool:
    """Whether a text names exactly this: "Nguyễn Thị Lan" is not in "Nguyễn Thị Lan Anh".

    A name typed without accents, or with `accents` off, matches a text with them.
    """
    return place_of(text, name, accents=accents) is not None


def place_of(text: str, name: str, *, accents: bool = True) -> tuple[int, int] | None:
    """Start and end of the first place where a text holds a name, in folded characters."""
    fold = bare if typed_bare(name) or not accents else comparable
    haystack, needle = fold(text), fold(name)
    spaced = " ".join(text.split())
    in_code = r"(?<![^\W\d_]-)" if needle.isdigit() else ""
    whole = rf"(?<!\w){in_code}{re.escape(needle)}(?!\w)"
    for found in re.finditer(whole, haystack):
        same_length = len(spaced) == len(haystack)
        extends = _EXTENDS if len(needle.split()) > 1 else _NUMBERED
        if not same_length or not extends.match(spaced, found.end()):
            return found.start(), found.end()
    return None


def name_spans(text: str) -> list[tuple[str, int, int]]:
    """Names of a text with their places; dates and leading numbers are left out."""
    spans = []
    position = 0
    for found in names(text):
        name = _DIGITS_FIRST.sub("", found).strip(" -&'’")
        name = re.sub(r"['’]s$", "", name)
        start = text.find(name, position)
        if not name or start < 0 or _is_calendar(name) or name.isdigit():
            continue
        surname = _SURNAME.search(text[:start]) if _MIDDLE_NAME.match(name) else None
        begins = surname.start() if surname else start
        spans.append((text[begins : start + len(name)], begins, start + len(name)))
        position = start + len(name)
    return spans


def _is_calendar(name: str) -> bool:
    """Whether a name is a day or a month, alone or after "Every"."""
    return bool(_CALENDAR.match(re.sub(r"^(?:Every|Each|Last|Next) ", "", name)))


def part_of(name: str, other: str) -> bool:
    """Whether all words of one name stand in another ("Tran" in "Minh Tran")."""
    return set(bare(name).split()) <= set(bare(other).split())


SERIES = frozenset(
    "project lab grant policy team group department office du an nhom phong van phong cong ty loi "
    "hop dong thanh pho khoa hoc chuong trinh san pham goi nhan vien khoi to".split()
) | {
    "du an",
    "van phong",
    "cong ty",
    "hop dong",
    "thanh pho",
    "khoa hoc",
    "chuong trinh",
    "san pham",
}
