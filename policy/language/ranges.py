"""Limits that rules state: "từ 5.000.000 đồng đến dưới 20.000.000 đồng", "100 or more"."""

import math
import re
from typing import NamedTuple

from policy.language.values import NUMBER, Measure, Value, parse_number

_AMOUNT = r"\d\S*(?: \S+){0,2}"
_FROM_TO = re.compile(
    rf"(?<!\w)(?:từ|from|between) (?P<low>\d\S*.*?) (?:đến|tới|and|to) (?P<below>dưới |under )?"
    rf"(?P<high>{_AMOUNT})",
    re.IGNORECASE,
)
_AT_LEAST = re.compile(
    rf"(?<!\w)(?:từ (?P<vi>\d\S*.*?) trở lên|(?:at least|from) (?P<en>{_AMOUNT})"
    rf"|(?P<above>trên|over|above|more than) (?P<than>{_AMOUNT})"
    r"|(?P<more>\d\S*(?: \S+){0,2}?) (?:or more|and more|and over))",
    re.IGNORECASE,
)
_AT_MOST = re.compile(
    rf"(?<!\w)(?:(?P<below>dưới|under|below|less than)|không quá|up to|at most|not more than)"
    rf" (?P<limit>{_AMOUNT})",
    re.IGNORECASE,
)
_COUNTED = re.compile(r" (?:con|chiếc|cái|bộ|người|units?|pieces?)(?!\w)", re.IGNORECASE)


_LIMITS = re.compile(
    r"(?<!\w)(?:trên|dưới|quá|hơn|từ|đến|tới|over|under|above|below|than|from|to|least|most) $",
    re.IGNORECASE,
)


class Range(NamedTuple):
    """The values from `low` up to `high`, both included, in the units of `Value`."""

    low: float
    high: float
    measure: Measure

    def holds(self, value: Value) -> bool:
        """Whether a value lies in the range."""
        return self.low <= value.amount <= self.high


def read_range(text: str) -> Range | None:
    """The first range of values that a sentence states, or None."""
    both = _FROM_TO.search(text)
    if both:
        low, high = parse_number(both["low"]), parse_number(both["high"])
        if low and high and low.amount <= high.amount:
            measure = high.measure if low.measure == "count" else low.measure
            return Range(low.amount, _under(high.amount, bool(both["below"])), measure)
    least = _AT_LEAST.search(text)
    if least:
        low = parse_number(next(one for one in least.group("vi", "en", "than", "more") if one))
        least_amount = math.nextafter(low.amount, math.inf) if low and least["above"] else None
        return Range(least_amount or low.amount, math.inf, low.measure) if low else None
    most = _AT_MOST.search(text)
    high = parse_number(most["limit"]) if most else None
    if most is None or high is None:
        return None
    return Range(-math.inf, _under(high.amount, bool(most["below"])), high.measure)


def _under(amount: float, below: bool) -> float:
    return math.nextafter(amount, -math.inf) if below else amount


def asked_amounts(question: str) -> list[tuple[str, Value]]:
    """The amounts with a unit that a question names ("một khoản 12 triệu đồng").

    One that is itself a limit ("quá 12%") is left out.
    """
    found = []
    for one in NUMBER.finditer(question):
        if not one[0][0].isdigit() or _LIMITS.search(question[: one.start()]):
            continue
        value = parse_number(one[0])
        counted = _COUNTED.match(question, one.end()) is not None
        if value and (counted or value.measure in ("money", "time", "share")):
            found.append((one[0].strip(), value))
    return found
