"""What a database returns, as plain JSON values of bounded size."""

import math
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from retrieval.errors import ToolError
from state.text import clean

CELL = 2_000
"""Characters of a value; the rest is left out."""


@dataclass
class Rows:
    """Rows by column name, and what was left out of them ("only the first 100 rows")."""

    columns: list[str]
    rows: list[dict[str, Any]]
    cut: list[str] = field(default_factory=list)


def as_rows(columns: Sequence[str], found: Sequence[Sequence[Any]], most: int) -> Rows:
    """At most `most` rows as JSON; `ToolError` for a value that is no text, number or time."""
    names = _distinct(columns)
    rows = [
        {name: _plain(name, value) for name, value in zip(names, row, strict=True)}
        for row in found[:most]
    ]
    result = Rows(names, rows)
    if len(found) > most:
        result.cut.append(f"only the first {most} rows were read")
    if any(_is_cut(value) for row in rows for value in row.values()):
        result.cut.append(f"values were cut after {CELL} characters")
    return result


def days_as_text(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values with days as 2026-03-31, the form of SQLite and of what is kept."""
    return {
        name: value.isoformat() if isinstance(value, date) else value
        for name, value in values.items()
    }


def _distinct(columns: Sequence[str]) -> list[str]:
    """Column names that can be the keys of an object."""
    names: list[str] = []
    for name in map(clean, columns):
        number, free = 2, name
        while free in names:
            free, number = f"{name}_{number}", number + 1
        names.append(free)
    return names


def _is_cut(value: Any) -> bool:
    return isinstance(value, str) and len(value) > CELL


def _plain(name: str, value: Any) -> Any:
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str):
        return _shortened(clean(value))
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)  # JSON has no infinity
    if isinstance(value, Decimal):
        return _decimal(value)
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, timedelta | uuid.UUID):
        return str(value)
    if isinstance(value, list | tuple | dict):
        return _shortened(clean(str(value)))
    raise ToolError(f"The column {name!r} holds {type(value).__name__}, which is no text.")


def _shortened(text: str) -> str:
    return text if len(text) <= CELL else f"{text[:CELL]}…"


def _decimal(value: Decimal) -> int | float | str:
    """A number where it can be one without loss."""
    if not value.is_finite() or value.adjusted() > 18:
        return _shortened(str(value))
    if value == int(value):
        return int(value)
    return float(value) if Decimal(str(float(value))) == value else _shortened(str(value))
