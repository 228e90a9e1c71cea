"""The nation that a sentence tells of a person or a work."""

import re

from policy.language.questions import Ask
from policy.language.wording import UPPER, pattern, typed_bare

_NAME = rf"[{UPPER}][\w'’-]*(?:[ -][{UPPER}][\w'’-]*){{0,2}}"
_ORIGIN_EN = re.compile(
    r"\bnationality\b|\bcitizens?(?:hip)?\b|\bcountry\b.* (?:come from|hail from|from)\W*$",
    re.IGNORECASE,
)
_ORIGIN_VI = r"(?<!\w)(?:quốc tịch|người nước (?:nào|gì)|đến từ nước nào)(?!\w)"
_NO_NATION = (
    "Catholic|Christian|Protestant|Orthodox|Anglican|Lutheran|Methodist|Baptist|Jewish|Muslim|Hindu"
    "|Buddhist|Olympic|Grammy|Democratic|Republican|Paralympic"
)
_IS_A = re.compile(
    r"(?<!\w)(?:is|was|are|were) (?:an?|the|one of the) (?:(?:[a-z]+|\d{4}) )?"
    rf"(?!(?:{_NO_NATION})\b)(?P<nation>{_NAME})(?=(?: [a-z]|-born ))"
)
_LA_NGUOI = r"(?<!\w)(?:người|quốc tịch|đến từ)(?: nước)? (?P<nation>(?-i:{name}))"
DEMONYM = re.compile(r"[A-Z]\w+(?:an|ish|ese|nch|tch|eek|ech|wiss|elsh|Thai|aeli|aqi)$")


def nation_in(ask: Ask, text: str) -> str:
    """ "American" of "is an American director", where a nationality or the country that somebody
    is from is asked for; "" where that is not asked for or not told.
    """
    asked = _ORIGIN_EN.search(ask.text) or pattern(_ORIGIN_VI, typed_bare(ask.text)).search(
        ask.text
    )
    if not asked:
        return ""
    told = _IS_A.search(text) or re.search(_LA_NGUOI.format(name=_NAME), text, re.IGNORECASE)
    return told["nation"] if told else ""


def is_demonym(name: str, after: str) -> bool:
    """Whether a capitalised word only tells where somebody is from: "American" before a noun."""
    return DEMONYM.match(name) is not None and re.match(r" [a-z]", after) is not None
