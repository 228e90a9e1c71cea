"""The brackets behind a person's name that say when and where a life began and ended."""

import re
from typing import NamedTuple

from policy.language.values import DATE, parse_date
from policy.language.wording import UPPER

_TOKEN = rf"(?:[{UPPER}][\w'’.-]*|(?:de|von|van|of|the|la)(?= )|\d\w*|[\"“][^\"”()]{{1,20}}[\"”])"
_BRACKET = re.compile(
    rf"^(?P<name>(?:{_TOKEN}[ ,]{{0,2}}){{1,12}})\(+(?=[^()]*\d{{3}})(?P<inside>[^()]{{4,160}})\)"
)
_ABOUT = re.compile(r"(?<!\w)(?:c|ca|circa)\. ?|(?<!\w)circa ")
_HALVES = re.compile(r" ?[–—] ?| - |(?<=\d)-(?=\d{4}(?!\d))|(?<=\d\d) to (?=\w)")
_WHEN = r"(?= (?:năm|ngày|tháng|tại|ở|vào|\d))"
_BORN = re.compile(rf"(?<!\w)(?:born|b\.|(?<!phát )sinh{_WHEN})(?!\w)", re.IGNORECASE)
_DIED = re.compile(rf"(?<!\w)(?:died|d\.|mất{_WHEN}|qua đời)(?!\w)", re.IGNORECASE)
_PLACE = re.compile(rf"(?:(?:in|at|tại|ở|,) )*(?P<place>[{UPPER}][^;()\d]*)$")
_LEAST_YEARS, _MOST_YEARS = 15, 120
"""A dash between years nearer than that is a term of office, and farther no life."""


class Life(NamedTuple):
    """What a bracket says of the birth and of the death: a date each, and a place, or ""."""

    born: str = ""
    birthplace: str = ""
    died: str = ""
    deathplace: str = ""


def life_in(sentence: str) -> Life | None:
    """The life that the bracket behind the name which opens a sentence tells, or None.

    "Mario Costa (Rome, 30 May 1904 – Rome, 22 October 1995) was …", "Nguyễn Tuân (sinh ngày
    10 tháng 7 năm 1910 tại Hà Nội)".
    """
    found = _BRACKET.match(sentence)
    if found is None:
        return None
    inside = _ABOUT.sub("", found["inside"])
    halves = _HALVES.split(inside, maxsplit=1)
    born, died = _BORN.search(inside), _DIED.search(inside)
    if len(halves) == 2 and all(DATE.search(one) for one in halves):
        life = Life(*_when_and_where(halves[0]), *_when_and_where(halves[1]))
        return life if born or _is_a_lifetime(found["name"], life) else None
    if died and not born:
        return Life("", "", *_when_and_where(inside[died.start() :]))
    if born and not died:
        return Life(*_when_and_where(inside[born.start() :]))
    return None


def _is_a_lifetime(name: str, life: Life) -> bool:
    """Whether two dates behind a name are as far apart as birth and death."""
    first, last = parse_date(life.born), parse_date(life.died)
    if first is None or last is None or len(name.split()) < 2:
        return False
    return _LEAST_YEARS <= (last.amount - first.amount) / 10_000 <= _MOST_YEARS


def _when_and_where(half: str) -> tuple[str, str]:
    """The date of a half and the place beside it: "in Rome, 30 May 1904", "1904 in Rome"."""
    word = _BORN.search(half) or _DIED.search(half)
    date = DATE.search(half, word.end() if word else 0)
    if date is None:
        return "", ""
    after = half[date.end() :].strip(" ,")
    before = half[: date.start()].rpartition(";")[2].strip(" ,")
    place = _PLACE.match(after)
    if place is None and word is None:  # After "born" and before the date stands another name.
        place = _PLACE.match(before)
    return date[0], place["place"].strip(" ,") if place else ""
