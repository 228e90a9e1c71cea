"""Which values a checkpoint can hold, whoever wrote them."""

import math
from typing import Any

_DEEPEST = 20
_INT64 = 2**63


def is_plain(value: Any, deep: int = _DEEPEST) -> bool:
    """Whether a value is JSON that every store keeps: finite, in 64 bits, nested 20 deep at most.

    A checkpoint with another one cannot be written, and the thread could never go on.
    """
    if isinstance(value, dict):
        names = all(isinstance(name, str) for name in value)
        return deep > 0 and names and all(is_plain(one, deep - 1) for one in value.values())
    if isinstance(value, list):
        return deep > 0 and all(is_plain(one, deep - 1) for one in value)
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, int):
        return -_INT64 <= value < _INT64
    return value is None or isinstance(value, str)
