"""Where an English noun phrase of a question begins, and whether it is a whole one."""

import re

from policy.language.wording import UPPER, language_of

_MODIFIERS = re.compile(
    r"\b(?:[Tt]he|[Aa]n?|[Tt]his|[Tt]hat|its|his|her|their|our|['’]s) (?P<all>(?:(?!most\b|first\b"
    r"|second\b|third\b|last\b|only\b|same\b|other\b|[a-z]+est\b|of\b|in\b|for\b|that\b|who\b)"
    r"[a-z-]+ ){1,2})$"
)
"""What stands between an article and a noun and takes part in naming: "the soil study"."""


def with_modifiers(question: str, left: int) -> int:
    """Where an English phrase begins that has its article before other nouns."""
    if not question[left : left + 1].islower() or language_of(question) != "en":
        return left
    found = _MODIFIERS.search(question[:left])
    return found.start("all") if found else left


_ARTICLE = re.compile(
    r"(?:the|an?|this|that|these|those|its?|his|her|their|our|your|my|each|every|any|all|which|what|whose"
    r"|\w+['’]s?)$",
    re.IGNORECASE,
)


def lacks_article(question: str, left: int) -> bool:
    """Whether an English phrase opens with a noun that has no article: "president in 1912".

    Nor does one stand alone that an adjective goes before ("the highest city in Texas"), or a
    name with what it does or where it is ("Batman in the film").
    """
    if language_of(question) != "en":
        return False
    rest = question[left:]
    if rest[:1].isupper():
        does = re.search(r"\b(?:did|does|do) $", question[:left]) is not None
        return _NAME_WITH_PLACE.match(rest) is not None or (
            does and _NAME_WITH_VERB.match(rest) is not None
        )
    words = _WORD_OR_OWNER.findall(question[:left])
    opening = re.match(r"\w+", rest)
    return bool(words) and not (
        _ARTICLE.match(words[-1]) or (opening and _ARTICLE.match(opening[0]))
    )


_NAMED = rf"[{UPPER}][\w-]*(?: [{UPPER}][\w-]*)*"
_NAME_WITH_PLACE = re.compile(rf"(?!(?:The|This|An?) ){_NAMED} (?:in|on|at|for|with) ")
_NAME_WITH_VERB = re.compile(rf"{_NAMED} (?!(?:of|and)\b)[a-z]")
_WORD_OR_OWNER = re.compile(r"[\w-]+(?:['’]s?)?")
