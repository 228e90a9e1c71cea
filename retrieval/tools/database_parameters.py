"""Values of named queries: checked and converted before they reach a statement."""

import math
import re
from collections.abc import Callable, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from retrieval.errors import ToolError
from state.text import comparable, nfc

if TYPE_CHECKING:  # which checks its own limits with this
    from retrieval.tools.database_settings import Parameter

_LONGEST = 200
"""Characters of a text."""
_INT64 = 2**63
_TRUE, _FALSE = ("true", "yes", "1"), ("false", "no", "0")


def convert(name: str, rule: "Parameter", value: Any, values: Sequence[str] | None = None) -> Any:
    """The value in the type of the rule; `ToolError` saying name, value and what is allowed.

    `values` are the only texts that are allowed, where there are such.
    """
    found = _KINDS[rule.type](value)
    allowed = [*_limits(rule), *([f"like {rule.pattern}"] if rule.pattern else [])]
    if found is None:
        raise _unfit(name, value, " ".join([_WORDS[rule.type], *allowed]))
    if values:
        return _listed(name, found, values)
    low, high = _bound(rule, rule.minimum), _bound(rule, rule.maximum)
    outside = (low is not None and found < low) or (high is not None and found > high)
    if outside or (rule.pattern and not re.fullmatch(rule.pattern, found)):
        raise _unfit(name, value, " ".join([_WORDS[rule.type], *allowed]))
    return found


def check_bounds(rule: "Parameter") -> None:
    """`ToolError` for a limit that is not of the rule's type, and for a minimum over the maximum.

    One that cannot be compared would let everything through.
    """
    for name, value in (("minimum", rule.minimum), ("maximum", rule.maximum)):
        if value is not None and _bound(rule, value) is None:
            raise _unfit(name, value, _WORDS[rule.type])
    low, high = _bound(rule, rule.minimum), _bound(rule, rule.maximum)
    if low is not None and high is not None and low > high:
        raise ToolError(f"the minimum {rule.minimum} is over the maximum {rule.maximum}")


def _unfit(name: str, value: Any, wanted: str) -> ToolError:
    shown = repr(value)
    shown = shown if len(shown) <= 80 else f"{shown[:80]}…"
    return ToolError(f"The parameter {name!r} cannot be {shown}: it must be {wanted}.")


def _limits(rule: "Parameter") -> list[str]:
    if rule.minimum is not None and rule.maximum is not None:
        return [f"from {rule.minimum} to {rule.maximum}"]
    least = [f"of at least {rule.minimum}"] if rule.minimum is not None else []
    return least or ([f"of at most {rule.maximum}"] if rule.maximum is not None else [])


def _bound(rule: "Parameter", value: Any) -> Any:
    return _KINDS[rule.type](value) if value is not None else None


def _listed(name: str, found: str, values: Sequence[str]) -> str:
    """The value as the list spells it; case, white space and Unicode form do not matter."""
    known = {comparable(value): value for value in values}
    if comparable(found) in known:
        return found if found in values else known[comparable(found)]
    shown = ", ".join(values[:10]) + (", …" if len(values) > 10 else "")
    raise _unfit(name, found, f"one of: {shown}")


def _text(value: Any) -> str | None:
    if not isinstance(value, str) or "\x00" in value or len(value) > _LONGEST:
        return None
    try:
        value.encode()  # a lone surrogate is no text that a database takes
    except UnicodeEncodeError:
        return None
    return nfc(value).strip()


def _integer(value: Any) -> int | None:
    if isinstance(value, str) and re.fullmatch(r"[+-]?[0-9]{1,19}", value.strip()):
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    plain = isinstance(value, int) and not isinstance(value, bool)
    return value if plain and -_INT64 <= value < _INT64 else None


def _number(value: Any) -> int | float | None:
    if isinstance(value, str) and re.fullmatch(r"[+-]?[0-9]{1,19}(\.[0-9]{1,19})?", value.strip()):
        value = float(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return _integer(value)


def _date(value: Any) -> date | None:
    if isinstance(value, date):
        return None if isinstance(value, datetime) else value
    if not isinstance(value, str):
        return None
    iso = re.fullmatch(r"([0-9]{4})-([0-9]{2})-([0-9]{2})", value.strip())
    local = re.fullmatch(r"([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})", value.strip())
    parts = iso.groups() if iso else local.groups()[::-1] if local else None
    try:
        return date(*map(int, parts)) if parts else None
    except ValueError:
        return None


def _boolean(value: Any) -> bool | None:
    if isinstance(value, bool):
        return value
    word = value.strip().casefold() if isinstance(value, str) else ""
    return True if word in _TRUE else False if word in _FALSE else None


_KINDS: dict[str, Callable[[Any], Any]] = {
    "string": _text,
    "integer": _integer,
    "number": _number,
    "date": _date,
    "boolean": _boolean,
}
_WORDS = {
    "string": f"a text of at most {_LONGEST} characters",
    "integer": "a whole number",
    "number": "a number",
    "date": "a day such as 2026-03-31 or 31/03/2026",
    "boolean": "true or false",
}
