"""The brackets behind a person's name that say when and where a life began and ended."""

import re
from typing import NamedTuple

from policy.language.values import DATE
from policy.language.wording import UPPER

_BRACKET = re.compile(
    rf"^(?:[^().]|(?<=\b[{UPPER}])\.|(?<=\b[JS]r)\.){{0,80}} ?"
    r"\(+(?=[^()]*\d{3})(?P<inside>[^()]{4,160})\)"
)
_ABOUT = re.compile(r"(?<!\w)(?:c|ca|circa)\. ?|(?<!\w)circa ")
_HALVES = re.compile(r" ?[–—] ?| - |(?<=\d)-(?=\d{4}(?!\d))|(?<=\d\d) to (?=\w)")
_BORN = re.compile(r"(?<!\w)(?:born|b\.|sinh)(?!\w)", re.IGNORECASE)
_DIED = re.compile(r"(?<!\w)(?:died|d\.|mất|qua đời)(?!\w)", re.IGNORECASE)
_PLACE = re.compile(rf"(?<!\w)[{UPPER}][^;()]*")


class Life(NamedTuple):
    """What a bracket says of the birth and of the death: a date each, and a place, or ""."""

    born: str = ""
    birthplace: str = ""
    died: str = ""
    deathplace: str = ""


def life_in(sentence: str) -> Life | None:
    """The life that a sentence's first bracket tells; None where it tells none.

    "Mario Costa (Rome, 30 May 1904 – Rome, 22 October 1995) was …", "Nguyễn Tuân (sinh ngày
    10 tháng 7 năm 1910 tại Hà Nội)".
    """
    found = _BRACKET.match(sentence)
    if found is None:
        return None
    inside = _ABOUT.sub("", found["inside"])
    halves = _HALVES.split(inside, maxsplit=1)
    if len(halves) == 2 and all(DATE.search(one) for one in halves):
        return Life(*_when_and_where(halves[0]), *_when_and_where(halves[1]))
    if _DIED.search(inside) and not _BORN.search(inside):
        return Life("", "", *_when_and_where(inside))
    if _BORN.search(inside) and not _DIED.search(inside):
        return Life(*_when_and_where(inside))
    return None


def _when_and_where(half: str) -> tuple[str, str]:
    """The last date of a half, and the place beside it."""
    dates = list(DATE.finditer(half))
    if not dates:
        return "", ""
    date = dates[-1]
    after, before = half[date.end() :], half[: date.start()]
    if ";" in before:
        before = before.rpartition(";")[2]
    before = _BORN.sub(" ", _DIED.sub(" ", before))
    place = _PLACE.search(after) or _PLACE.search(before)
    # "born Charles Felix Locher, February 23, 1915": before the date stands the name at birth.
    named = not _PLACE.search(after) and _BORN.search(half) is not None
    return date[0], "" if place is None or named else place[0].strip(" ,")
