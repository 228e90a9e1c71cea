"""Which name of a sentence is the person asked for: by occupation, and by the deed."""

import re

from policy.language.questions import Ask
from policy.language.wording import UPPER

_OCCUPATION = (
    r"(?:[a-z]{3,}(?:ist|ian|crat)|actor|actress|singer|songwriter|rapper|painter|poet|writer"
    r"|author|director|producer|composer|drummer|scholar|philosopher|engineer|architect|footballer"
    r"|player|explorer|inventor|reformer|photographer|sculptor|astronomer|emperor|filmmaker"
    r"|publisher|trainer|coach|lawyer|teacher|entrepreneur|businessman|businesswoman)"
)
_TITLED = re.compile(
    rf"(?:^|[,;(] ?|(?<!\w)(?:(?P<by>by)|from|and|with) )(?:the |an? )?"
    rf"(?:(?:[{UPPER}][\w-]+|[a-z-]*born) ){{0,3}}(?:[a-z]+ and )?{_OCCUPATION}$"
)
_OF_A_NOUN = r"(?!(?:in|on|at|of|by|and|or|from|to|for|with|as|is|was|has|had|who|the)\b)[a-z-]+"
_MODIFIES = re.compile(rf"(?P<nouns> {_OF_A_NOUN}(?: (?:and )?{_OF_A_NOUN})?) [{UPPER}]")
_ENDS_WITH_OCCUPATION = re.compile(rf"{_OCCUPATION}$")
_BEHIND_A_TOWN = re.compile(rf"(?<!\w)(?:in|at|from|near) [{UPPER}][\w' -]*,$")
_IN_BRACKETS = re.compile(r"\s*(?:<[^>]*>|\([^)]*\))")


NEAR = 100
"""Characters before a name that tell what somebody is."""


def as_a_person(text: str, span: list[int]) -> float:
    """More for a name behind an occupation ("abolitionist Frederick Douglass"), less for one that
    goes with the noun before another name ("the Italian Renaissance painter Lorenzo Costa") or
    is the state of a town ("Rochester, New York").
    """
    start, end = span
    before = text[max(0, start - NEAR) : start].rstrip()
    titled = _TITLED.search(before) if " " in text[start:end] else None
    if titled:
        return 2 if titled["by"] else 1
    if _BEHIND_A_TOWN.search(before):
        return -2
    modified = _MODIFIES.match(text, end)
    return -3 if modified and _ENDS_WITH_OCCUPATION.search(modified["nouns"]) else 0


def as_the_doer(ask: Ask, text: str, span: list[int], places: list[tuple[int, int]]) -> float:
    """More for the name that does it to what is asked about: "Ken Pizzini wrote dc"."""
    bracket = _IN_BRACKETS.match(text, span[1])
    end = bracket.end() if bracket else span[1]
    done = [right for left, right in places if 0 < left - end <= 2]
    named = {*ask.anchors, *ask.terms}
    behind = (re.match(r"\w* (?:the |an? )?(?P<what>[\w-]+)", text[right:]) for right in done)
    return 3 if any(one and (one["what"] in named) for one in behind) else 0
