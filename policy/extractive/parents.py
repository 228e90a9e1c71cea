"""Whose child somebody is: the father or the mother that a sentence tells of."""

import re

from policy.extractive.locating import in_question
from policy.language.questions import Ask
from policy.language.wording import UPPER, pattern, seek, typed_bare

CHILD_OF = r"(?<!\w)(?:son|daughter|child) of|con(?: trai| gái)? của(?!\w)"
"""Who is told to be somebody's child is not the parent that is asked for."""
_WORD = rf"(?:[{UPPER}]\.|[{UPPER}][\w'’-]*)"
_PERSON = rf"{_WORD}(?: (?:(?:of|de|von|van|the) )?{_WORD})*"
_CHILD = r"\b(?:son|daughter|child)(?:, [^,.]{3,40},)? (?:and heir )?of (?:the )?(?:[a-z]+ ){0,4}?"
_WIFE = r"(?:his (?:\w+ )?wife,? )?(?:the )?(?:[a-z]+ ){0,3}?"
_FATHER = re.compile(
    rf"{_CHILD}(?P<who>{_PERSON})|\b(?:[Hh]is|[Hh]er) father,? (?P<named>{_PERSON})"
)
_MOTHER = re.compile(
    rf"{_CHILD}{_PERSON}(?:, [^.;]{{3,60}}?)? (?:and|by) {_WIFE}(?P<who>{_PERSON})"
    rf"|\b(?:[Hh]is|[Hh]er) mother,? (?P<named>{_PERSON})"
)
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
    return "" if not name or in_question(ask, name) else name
