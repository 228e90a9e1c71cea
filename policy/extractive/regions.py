"""Where a place lies, level by level: "in Hinds County, Mississippi" for a state or a county."""

import re

from policy.extractive.locating import in_question
from policy.language.kinds import is_organisation
from policy.language.questions import Ask
from policy.language.wording import UPPER, bare

_NAME = re.compile(rf"[{UPPER}][\w'’–-]*(?: [{UPPER}][\w'’–-]*)*")
_IN = re.compile(r"(?<!\w)(?:in|of)(?= )")
_LINK = re.compile(
    r",?(?: (?!(?:which|that|where|who|with|near|along|on|from|to|by|at|is|was|were|are|as|for"
    r"|since|until|between|after|before|opened|built|founded)\b)[a-z-]+){0,5},? "
)
_LEVEL = (
    r"county|counties|district|province|region|state|department|municipality|territory|krai"
    r"|oblast|raion|canton|prefecture|governorate|parish|township|borough|ward|peninsula"
)
_NO_PLACE = re.compile(
    r"^(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)\b|\b(?:Building|Room|Floor|Team"
    r"|Corp|Group|Ltd|Inc|Department)\b"
)
_OF_LEVEL = re.compile(rf" (?:{_LEVEL})$", re.IGNORECASE)
_HAS_STATES = frozenset(
    {"united states", "us", "usa", "united states of america", "australia", "india"}
    | {"brazil", "mexico", "malaysia", "nigeria", "germany", "austria"}
)
_ASKS_WHERE = re.compile(
    r"^(?:in|at) (?:which|what) |\b(?:located|situated|based|lies?|stands?|contains?)\b"
    r"|\bfound\W*$",
    re.IGNORECASE,
)
_LEVELS = frozenset("country state county province district region city town".split())


def region_in(ask: Ask, text: str) -> str:
    """The place of the asked level in the first chain of places that a sentence names.

    The last of a chain is the country; a state is the last, or the one before a country that has
    states; a county, district, province or region says so in its name; a city is the first that
    is none of these. "" where no such level is asked for, or none is told.
    """
    level = bare(ask.head).split()[-1:]
    if not level or level[0] not in _LEVELS or not _ASKS_WHERE.search(ask.text):
        return ""
    for place in _IN.finditer(text):
        chain = _chain(text, place.end())
        found = "" if any(_NO_PLACE.search(one) for one in chain) else _of_level(level[0], chain)
        if found and not is_organisation(found) and not in_question(ask, found):
            return found
    return ""


def _chain(text: str, start: int) -> list[str]:
    """The names that follow one another, each inside the next, from a place in the text."""
    names: list[str] = []
    while (link := _LINK.match(text, start)) and (name := _NAME.match(text, link.end())):
        level = re.match(rf" (?:{_LEVEL})(?= (?:of|in)\b|[,.;)]|$)", text[name.end() :])
        names.append(name[0] + (level[0] if level else ""))
        start = name.end() + (level.end() if level else 0)
    return names


def _of_level(level: str, chain: list[str]) -> str:
    plain = [one for one in chain if not _OF_LEVEL.search(one)]
    if level in ("country", "state"):
        last = plain[-1] if plain else ""
        inside = last.lower() in _HAS_STATES and plain[:-1]
        return plain[-2] if level == "state" and inside else last
    if level in ("city", "town"):
        return plain[0] if len(plain) > 1 else ""
    return next((one for one in chain if one.lower().endswith(f" {level}")), "")
