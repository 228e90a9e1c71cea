"""Whose child somebody is: the father or the mother that a sentence tells of."""

import re

from policy.language.questions import Ask
from policy.language.wording import UPPER, pattern, seek, typed_bare

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
_SON_VI = (
    r"(?<!\w)con(?: trai| gái)?(?: \w+)?(?: \w+)? của (?:ông |bà |vua )?(?P<who>(?-i:{person}))"
)


def parent_in(ask: Ask, text: str) -> str:
    """ "Ann Lee" of "the daughter of Ben Lee and Ann Lee" where a mother is asked for, or ""."""
    father = seek(r"(?<!\w)(?:father|cha|bố|ba) (?:of|của)(?!\w)", ask.text) is not None
    mother = seek(r"(?<!\w)(?:mother|mẹ|má) (?:of|của)(?!\w)", ask.text) is not None
    if father == mother:
        return ""
    found = (_FATHER if father else _MOTHER).search(text)
    if found is None and father:
        found = pattern(_SON_VI.format(person=_PERSON), typed_bare(text)).search(text)
        return found["who"].strip() if found else ""
    return (found["who"] or found["named"]).strip() if found else ""
