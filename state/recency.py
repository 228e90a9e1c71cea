"""When a source holds, as its version and its dates say it."""

import re
from collections.abc import Sequence

from state.text import comparable, fold_accents
from state.types import Evidence

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")
_OTHER_TIMES = re.compile(
    r"\b(?:nam (?:ngoai|truoc|sau|kia|toi)|truoc (?:day|kia|do)|hoi truoc|ban cu|ban truoc|"
    r"(?:last|next|previous|prior|earlier) (?:year|version|edition)s?|formerly|previously|"
    r"used to|histor\w+|lich su|thay doi|khac|chang\w+|differ\w*|compar\w+|so sanh|so voi)\b"
)
"""Words, without accents, that ask for another time than today or for two times."""


def years_asked(question: str) -> list[str]:
    """The years that a question names, in order, once each."""
    return sorted(set(_YEAR.findall(question)))


def asks_for_today(question: str) -> bool:
    """Whether a question names no year and no other time: then what is in force today counts."""
    return not years_asked(question) and not _OTHER_TIMES.search(fold_accents(comparable(question)))


def begins(item: Evidence) -> str:
    """The ISO date from when a source holds: as stated, else the year of its version, or ""."""
    years = _YEAR.findall(item.get("version", ""))
    return item.get("effective_from") or (f"{years[0]}-01-01" if years else "")


def in_force(item: Evidence, day: str) -> bool:
    """Whether a source holds on an ISO date, both ends of its time included."""
    ends = item.get("effective_to", "")
    return begins(item) <= day and (not ends or day <= ends)


def of_year(item: Evidence, year: str) -> bool:
    """Whether a source is the version of a year, or holds in a part of it."""
    if _YEAR.search(item.get("version", "")):
        return year in _YEAR.findall(item["version"])
    ends = item.get("effective_to", "")
    return begins(item)[:4] <= year and (not ends or year <= ends[:4])


def superseded_by(item: Evidence, others: Sequence[Evidence], day: str) -> Evidence | None:
    """The version in force of the same subject that has taken the place of this one, if any."""
    dated = begins(item) or item.get("effective_to")
    if not dated or begins(item) > day:
        return None
    newer = [
        one
        for one in others
        if same_subject(item, one) and in_force(one, day) and begins(one) > begins(item)
    ]
    return max(newer, key=begins, default=None)


def same_subject(one: Evidence, other: Evidence) -> bool:
    """Whether two documents are versions of one: their titles are the same but for the version."""
    return one["document_id"] != other["document_id"] and _subject(one) == _subject(other)


def _subject(item: Evidence) -> str:
    title, version = comparable(item.get("title", "")), comparable(item.get("version", ""))
    without = title.replace(version, " ") if version else title
    return " ".join(_YEAR.sub(" ", without).split())
