"""Whose child or spouse somebody is, where a sentence tells of the one or the other."""

import re

from policy.extractive.locating import in_question
from policy.language.english_phrases import RANK
from policy.language.questions import Ask
from policy.language.wording import UPPER, bare, pattern, seek, typed_bare
from state.text import comparable

CHILD_OF = r"(?<!\w)(?:son|daughter|child) of|con(?: trai| gái)? của(?!\w)"
"""Who is told to be somebody's child is not the parent that is asked for."""
_WORD = rf"(?:[{UPPER}]\.|[{UPPER}][\w'’-]*)"
_PERSON = rf"{_WORD}(?: (?:(?:of|de|von|van|the) )?{_WORD})*"
_STYLE = r"(?:(?:Hon|Rev|Capt|Col|Gen|Dr)\. )?"
_RANK = rf"(?:, {RANK}(?: (?:of|the|{_WORD}))*)?"
_CHILD = r"\b(?:son|daughter|child)(?:, [^,.]{3,40},)? (?:and heir )?of (?:the )?(?:[a-z]+ ){0,4}?"
_WIFE = r"(?:his (?:\w+ )?wife,? )?(?:the )?(?:[a-z]+ ){0,3}?"
_FATHER = re.compile(
    rf"{_CHILD}{_STYLE}(?P<who>{_PERSON}{_RANK})"
    rf"|\b(?:[Hh]is|[Hh]er) father,? {_STYLE}(?P<named>{_PERSON})"
)
_MOTHER = re.compile(
    rf"{_CHILD}{_STYLE}{_PERSON}(?:, [^.;]{{3,60}}?)? (?:and|by) {_WIFE}(?P<who>{_PERSON})"
    rf"|\b(?:[Hh]is|[Hh]er) mother,? (?P<named>{_PERSON})"
)
_HONOUR = r"(?:[A-Z][a-z]+(?:an|ese|ish) )?(?:President |King |Emperor |Prince |Sir )?"
_WIFE_OF = r"\b(?:is|was|as|the|and) (?:[a-z]+ )?{role} of (?:the )?"
_MARRIED = rf"\b(?:is|was|got) married to (?:the )?(?:[a-z]+ ){{0,3}}?(?P<to>{_PERSON}{_RANK})"
_HUSBAND = re.compile(
    _WIFE_OF.format(role="(?:wife|widow|consort|spouse)")
    + rf"{_HONOUR}(?:[a-z]+ ){{0,3}}?{_STYLE}(?P<who>{_PERSON}{_RANK})|{_MARRIED}"
    + rf"|\b[Hh]er (?:first |second |third |late )?(?:husband|spouse),? (?P<named>{_PERSON})"
)
_WIFE_IS = re.compile(
    _WIFE_OF.format(role="(?:husband|widower|spouse)")
    + rf"{_HONOUR}(?:[a-z]+ ){{0,3}}?{_STYLE}(?P<who>{_PERSON}{_RANK})|{_MARRIED}"
    + rf"|\b[Hh]is (?:first |second |third |late )?(?:wife|spouse),? (?P<named>{_PERSON})"
)
_SPOUSE_VI = (
    r"(?<!\w)là (?P<role>vợ|chồng|vo|chong) (?:(?:đầu tiên|thứ hai|cũ) )?(?:của )?"
    rf"(?:ông |bà |vua )?(?P<who>(?-i:{_PERSON}))(?P<to>)(?P<named>)"
)
_PRONOUN = r"^(?:he|she|his|her|anh|chị|ông|bà|cô)(?!\w)"
_CHILD_VI = r"(?<!\w)con(?: trai| gái| cả| út)?(?: \w+)? của "
_NAME_VI = rf"(?-i:{_PERSON})"
_HIS_VI = (
    rf"{_CHILD_VI}(?:bà {_NAME_VI} và )?(?:ông|vua) (?P<who>{_NAME_VI})"
    rf"|(?<!\w)(?:bố|cha|ba) (?:anh|cô|chị|ông|bà)(?: ấy)? là (?:ông )?(?P<named>{_NAME_VI})"
)
_HERS_VI = (
    rf"{_CHILD_VI}(?:ông {_NAME_VI} và )?bà (?P<who>{_NAME_VI})"
    rf"|(?<!\w)(?:mẹ|má) (?:anh|cô|chị|ông|bà)(?: ấy)? là (?:bà )?(?P<named>{_NAME_VI})"
)


def parent_in(ask: Ask, text: str) -> str:
    """ "Ann Lee" of "the daughter of Ben Lee and Ann Lee" where a mother is asked for, or "".

    Of two parents the first counts as the father, as texts of that kind have it; a parent who is
    named in the question is the one whose child is told.
    """
    father = seek(r"(?<!\w)(?:father|cha|bố|ba) (?:of|của)(?!\w)", ask.text) is not None
    mother = seek(r"(?<!\w)(?:mother|mẹ|má) (?:of|của)(?!\w)", ask.text) is not None
    if father == mother:
        return ""
    found = (_FATHER if father else _MOTHER).search(text)
    if found is None:
        found = pattern(_HIS_VI if father else _HERS_VI, typed_bare(text)).search(text)
    name = (found["who"] or found["named"]).strip() if found else ""
    return "" if not name or _is_asked_about(ask, name) else name


def spouse_in(ask: Ask, text: str) -> str:
    """ "Ben Lee" of "Ann Lee was the wife of Ben Lee" where her husband is asked for, or "".

    Whoever is asked about has to stand before it, by name or as "she".
    """
    husband = seek(r"(?<!\w)(?:husband|chồng) (?:of|của)(?!\w)", ask.text) is not None
    wife = seek(r"(?<!\w)(?:wife|vợ) (?:of|của)(?!\w)", ask.text) is not None
    either = seek(r"(?<!\w)spouse of(?!\w)|^who (?:is|was) married to", ask.text) is not None
    shapes = [_HUSBAND] * (husband or either) + [_WIFE_IS] * (wife or either)
    found = [one for shape in shapes if (one := shape.search(text))]
    if (told := pattern(_SPOUSE_VI, typed_bare(text)).search(text)) and (
        husband if bare(told["role"]) == "vo" else wife
    ):
        found.append(told)
    for one in found:
        name = (one["who"] or one["to"] or one["named"]).strip()
        before = text[: one.start()]
        about = seek(_PRONOUN, text) or any(bare(each) in bare(before) for each in ask.anchors)
        if about and not _is_asked_about(ask, name):
            return name
    return ""


def _is_asked_about(ask: Ask, name: str) -> bool:
    """Whether a name is that of the question, and not of a namesake of another rank."""
    if "," in name and comparable(name) not in comparable(ask.text):
        return not any(letter.isdigit() for letter in name)
    return in_question(ask, name)
