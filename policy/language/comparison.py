"""What a comparison is, and the two things that it names."""

import re
from dataclasses import dataclass
from typing import Literal

from policy.language.wording import UPPER

Direction = Literal["less", "more", "difference", "same", "both", "none"]


@dataclass(frozen=True)
class Comparison:
    """Two things, the question for the value of each, and which value is asked for."""

    names: tuple[str, str]
    sides: tuple[str, str]
    direction: Direction


def named(side: str) -> bool:
    """Whether a side is a name or ends in one."""
    return len(side.split()) <= 10 and re.search(rf"[{UPPER}0-9{{]", side) is not None


def restored(one: str, two: str) -> str:
    """The second side with the words that both share ("hợp đồng A1 và A2", "the lids of A and"
    " B")."""
    first, second = one.split(), two.split()
    if two[0].isdigit() and first[-1][0].isdigit():
        return " ".join([*first[:-1], *second])
    at = next(
        (k for k, word in enumerate(first) if k and word.casefold() == second[0].casefold()), 0
    )
    if at and second[0][:1].islower():
        return " ".join([*first[:at], *second])
    lead = []
    for at, word in enumerate(first[:-1]):
        beside = any(one.islower() and one != "v." for one in first[1:2])
        if word[:1].isupper() and (at > 0 or not beside):
            break
        lead.append(word)
    heads = [word.casefold() for word in lead if word.casefold() not in ("the", "a", "an")]
    if heads and not second[0][:1].islower() and second[0].casefold() not in heads:
        return " ".join([*lead, *second])
    return two


def pair(one: str, two: str, first: str, second: str, direction: Direction) -> Comparison:
    """The comparison of two named things by a question for each."""
    names = (one.removeprefix("the ").strip(), two.removeprefix("the ").strip())
    return Comparison(names, (first, second), direction)
