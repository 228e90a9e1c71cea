"""The nation or country that a sentence tells of a person, a work or a place."""

import re

from policy.language.questions import Ask
from policy.language.wording import UPPER, pattern, typed_bare

_NAME = rf"[{UPPER}][\w'’-]*(?:[ -][{UPPER}][\w'’-]*){{0,2}}"
_ORIGIN_EN = re.compile(
    r"\bnationality\b|\bcitizens?(?:hip)?\b|\bcountry\b.* (?:come from|hail from|from)\W*$",
    re.IGNORECASE,
)
_ORIGIN_VI = r"(?<!\w)(?:quốc tịch|người nước (?:nào|gì)|đến từ nước nào)(?!\w)"
_SEAT_EN = re.compile(
    r"\bcountry (?:is|was|are|were) [^,]+? (?:in|located|situated)\W*$"
    r"|\bcountry [^,]+? (?:is|was) (?:in|located|situated)\W*$"
    rf"|^(?i:in which|in what) country (?:is|was|does|did) (?:the )?[{UPPER}][^,]*?"
    r"(?: (?:located|situated|lie|stand|found))?\W*$"
)
_IS_A = re.compile(
    r"(?<!\w)(?:is|was) (?:an?|the|one of the) (?:(?:[a-z]+|\d{4}) )?"
    rf"(?P<nation>{_NAME})(?=(?: [a-z]|-born ))"
)
_LA_NGUOI = r"(?<!\w)(?:người|quốc tịch|đến từ)(?: nước)? (?P<nation>(?-i:{name}))"
_ENDS_WITH = re.compile(rf"(?:, |(?<!\w)in (?:[a-z-]+ )?)(?:the )?(?P<country>{_NAME})\.?$")
DEMONYM = re.compile(r"[A-Z]\w+(?:an|ish|ese|nch|tch|eek|ech|wiss|elsh|Thai|aeli|aqi)$")


def nation_in(ask: Ask, text: str) -> str:
    """ "American" of "is an American director", where a nationality or country is asked for.

    For a place it is the last of the places that it lies in ("a village in …, Iran"). "" where
    nothing of the kind is asked for or told.
    """
    origin = _ORIGIN_EN.search(ask.text) or pattern(_ORIGIN_VI, typed_bare(ask.text)).search(
        ask.text
    )
    seat = _SEAT_EN.search(ask.text)
    if not origin and not seat:
        return ""
    told = _IS_A.search(text) or re.search(_LA_NGUOI.format(name=_NAME), text, re.IGNORECASE)
    if told:
        return told["nation"]
    ends = _ENDS_WITH.search(text) if seat else None
    return ends["country"] if ends else ""


def is_demonym(name: str, after: str) -> bool:
    """Whether a capitalised word only tells where somebody is from: "American" before a noun."""
    return DEMONYM.match(name) is not None and re.match(r" [a-z]", after) is not None
