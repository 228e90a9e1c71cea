"""The nation that a sentence tells of a person or a work."""

import re

from policy.language.questions import Ask
from policy.language.sameness import ONE_LAND
from policy.language.wording import UPPER, holds, pattern, seek, typed_bare

_COMMON = (
    "American|British|English|Scottish|Welsh|Irish|French|German|Italian|Spanish|Portuguese|Dutch"
    "|Belgian|Swiss|Austrian|Danish|Swedish|Norwegian|Finnish|Icelandic|Polish|Czech|Slovak"
    "|Hungarian|Romanian|Bulgarian|Serbian|Croatian|Slovenian|Bosnian|Greek|Turkish|Russian"
    "|Ukrainian|Belarusian|Lithuanian|Latvian|Estonian|Georgian|Armenian|Azerbaijani|Kazakh"
    "|Vietnamese|Chinese|Japanese|Korean|Thai|Lao|Cambodian|Burmese|Malaysian|Indonesian"
    "|Singaporean|Filipino|Indian|Pakistani|Bangladeshi|Nepalese|Iranian|Iraqi|Israeli|Lebanese"
    "|Syrian|Egyptian|Moroccan|Algerian|Tunisian|Nigerian|Ghanaian|Kenyan|Ethiopian|Ugandan"
    "|Australian|Canadian|Mexican|Cuban|Brazilian|Argentine|Argentinian|Chilean|Peruvian"
    "|Colombian|Venezuelan|Uruguayan|Bolivian|Guatemalan|Jamaican|Albanian|Maltese|Cypriot|Afghan"
    "|Mughal|Roman|Ottoman|Persian|Soviet|European|Asian|African|Latin"
)
"""Words for where somebody is from. "Susan" and "Brian" end like them."""
_NATION = (
    rf"(?:(?:{_COMMON})(?:[- ](?:{_COMMON}))*|New Zealand(?:er)?|Hong Kong|South African"
    r"|(?:North|South) Korean|(?!Christian|Presbyterian|Episcopalian|Victorian|Edwardian|Jewish"
    r"|Yiddish|Parish)[A-Z][a-z]+(?:ese|ian|ish)(?= [a-z]))"
)
_ORIGIN_EN = re.compile(
    r"^(?:what|which) nationality\b|\bnationality of\b|^(?:of |in )?(?:what|which) country\b.*"
    r" (?:(?:come |hail )?from|(?:a )?citizen(?: of)?)\W*$|^where (?:does|did|do) .* (?:come|hail)"
    r" from\W*$",
    re.IGNORECASE,
)
_ORIGIN_VI = (
    r"(?<!\w)(?:quốc tịch (?:gì|nào|nước nào)|quốc tịch (?:của )?.+ là|người nước (?:nào|gì))(?!\w)"
)
_WHO = r"^(?:who|whom|ai)(?!\w)"
_IS_A = re.compile(
    rf"(?<!\w)(?:is|was|are|were) (?:an?|the|one of the) (?:(?:[a-z]+|\d{{4}}) )?"
    rf"(?P<nation>{_NATION})(?=[ -])"
)
_OPENS_AS = re.compile(rf"^[^;:]{{0,90}}?{_IS_A.pattern}")
_ASKED_NATION = re.compile(
    rf"^(?i:is|are|was|were) .+? (?:an?|the) (?:[a-z]+ ){{0,2}}?"
    rf"(?P<nation>(?:{_COMMON})(?:-(?:{_COMMON}))*|U\.?S\.?A?|UK)(?:-based)? [a-z]"
)
_APPOSED = re.compile(
    rf"^(?P<who>[^,]{{3,60}}), (?:an?|the) (?:[a-z]+ )?(?P<nation>{_NATION})(?= [a-z])"
)
_COUNTRY = (
    "Denmark|Sweden|Norway|Finland|Iceland|Germany|Austria|Switzerland|France|Spain|Portugal|Italy"
    "|Greece|Turkey|Poland|Hungary|Romania|Bulgaria|Serbia|Croatia|Slovenia|Slovakia|Ukraine|Russia"
    "|Belgium|Ireland|Scotland|Wales|England|Latvia|Lithuania|Estonia|India|Pakistan|Bangladesh"
    "|Nepal|China|Japan|Vietnam|Thailand|Laos|Cambodia|Malaysia|Singapore|Indonesia|Iran|Iraq"
    "|Israel|Egypt|Morocco|Algeria|Tunisia|Nigeria|Ghana|Kenya|Ethiopia|Uganda|Australia|Canada"
    "|Mexico|Cuba|Brazil|Argentina|Chile|Peru|Colombia|Venezuela|Uruguay|Bolivia|Jamaica"
    "|New Zealand|South Africa|(?:North|South) Korea|(?:the )?(?:Netherlands|Philippines"
    "|Czech Republic|United States|United Kingdom|Soviet Union)"
)
_FROM_EN = re.compile(
    rf"(?<!\w)(?:is|was) (?:an?|the) (?:[a-z-]+ ){{1,5}}from (?P<nation>{_COUNTRY})(?!\w)"
)
_OWNED_EN = re.compile(
    rf"(?<!\w)(?P<nation>[{UPPER}]\w+)['’]s (?:national|capital|government|parliament|armed)(?!\w)"
)
_LABEL = re.compile(
    rf"(?<!\w)(?:[Nn]ationality|[Qq]uốc tịch)\W{{1,3}}(?P<nation>[{UPPER}]\w+(?: [{UPPER}]\w+)*)"
)
_CITIZEN_VI = rf"quốc tịch(?: nước)? (?P<nation>(?-i:[{UPPER}][\w]*(?: [{UPPER}]\w*)*))"
_FROM_VI = (
    r"(?<!\w)(?:là|một) (?:[^\W\d_]+ ){1,5}người (?P<nation>(?-i:"
    rf"[{UPPER}]\w*(?: [{UPPER}]\w*)*))"
)
_BEFORE_A_NOUN = re.compile(
    r" (?!(?:in|on|at|of|by|and|or|within|from|to|for|with|is|was|has|had|who|which|that|leads?"
    r"|runs?|only|after|before|since|until)\b)[a-z]"
)


def _written(word: str) -> str:
    """ "UK" of "uk" and "British" of "british"."""
    return word.upper() if len(word) <= len("usa") else word.title()


def asks_nation(ask: Ask) -> bool:
    """Whether a nationality is asked for, or the country that somebody is from."""
    asked = _ORIGIN_EN.search(ask.text) or pattern(_ORIGIN_VI, typed_bare(ask.text)).search(
        ask.text
    )
    return asked is not None and not seek(_WHO, ask.text)


def is_of(ask: Ask, text: str) -> bool | None:
    """Whether what a text opens with is of the nation that "Is X an American film?" names.

    True where the question names none, None where the text does not tell.
    """
    asked = _ASKED_NATION.search(ask.text)
    if asked is None:
        return True
    named = _lands(asked["nation"])
    if any(re.search(rf"(?<!\w){one}(?!\w)", text.replace("U.S.", "US")) for one in named):
        return True
    told = _OPENS_AS.match(re.sub(r"\([^)]*\)", "", text))
    return None if told is None else bool(named & _lands(told["nation"]))


def _lands(nation: str) -> set[str]:
    """The words for one country: "UK", "British" and "English"; of "Polish-American" all."""
    words = {nation.replace(".", ""), *re.split("[- ]", nation.replace(".", ""))}
    return words.union(*(land for land in _ONE_LAND if words & land))


_ONE_LAND = [
    {word for one in land if re.fullmatch(rf"{_COMMON}|USA?|UK", word := _written(one))}
    for land in ONE_LAND
]


def nation_in(ask: Ask, text: str) -> str:
    """ "American" of "is an American director", where a nationality or the country that somebody
    is from is asked for; "" where that is not asked for or not told.
    """
    if not asks_nation(ask):
        return ""
    told = (
        _IS_A.search(text)
        or _FROM_EN.search(text)
        or _apposed(ask, text)
        or _LABEL.search(text)
        or _OWNED_EN.search(text)
        or re.search(_CITIZEN_VI, text, re.IGNORECASE)
        or re.search(_FROM_VI, text, re.IGNORECASE)
    )
    return told["nation"] if told else ""


def _apposed(ask: Ask, text: str) -> re.Match[str] | None:
    """ "Ann Lee, a Danish printer": behind the name that is asked about, and no other."""
    found = _APPOSED.match(text)
    named = found is not None and any(holds(one, found["who"]) for one in ask.anchors)
    return found if named else None


def is_demonym(name: str, after: str) -> bool:
    """Whether a capitalised word only tells where somebody is from: "American" before a noun."""
    followed = _BEFORE_A_NOUN.match(after) or re.match(r"-? ?born\b", after)
    return re.fullmatch(_COMMON, name) is not None and followed is not None
