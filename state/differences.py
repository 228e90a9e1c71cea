"""A number that no source states because it is the difference of two that sources do state."""

import re
from itertools import combinations

from state.anchors import contains_anchor
from state.text import comparable

_AMOUNT = re.compile(r"(?P<number>\d+(?:[.,]\d+)*) (?P<unit>[^\W\d_]+)")


def plain_number(digits: str) -> float:
    """A number as either language writes it: groups of three digits are thousands."""
    groups = re.split(r"[.,]", digits)
    if len(groups) > 2 or (len(groups) == 2 and len(groups[1]) == 3 and groups[0] != "0"):
        return float("".join(groups))
    return float(".".join(groups))


def is_difference(number: str, statement: str, grounds: str) -> bool:
    """Whether a number is how far two others of its statement are apart, which sources hold.

    All three must be of one unit ("3 days: 15 days, 12 days"), or any count would pass as the
    difference of two years.
    """
    amounts = [(one["number"], one["unit"]) for one in _AMOUNT.finditer(comparable(statement))]
    for unit in {unit for written, unit in amounts if written == number}:
        held = [
            plain_number(written)
            for written, own in amounts
            if own == unit and written != number and contains_anchor(grounds, written)
        ]
        if any(abs(abs(a - b) - plain_number(number)) < 1e-9 for a, b in combinations(held, 2)):
            return True
    return False
