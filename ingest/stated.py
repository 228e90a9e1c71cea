"""What is stated about a file: by itself, by a sidecar file beside it, by rules on paths."""

import calendar
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ingest.errors import RefusedError
from retrieval.access import Access
from state.text import clean

NULL = ("", "~", "null")
KNOWN = (
    "title",
    "version",
    "language",
    "access",
    "effective_from",
    "effective_to",
    "department",
    "authority",
)
_LINES = tuple(name for name in KNOWN if name not in ("access", "effective_from", "effective_to"))
_DATE = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?")


@dataclass(frozen=True)
class Stated:
    """Metadata from one place; "" and None are not stated. Dates are ISO, both ends included."""

    title: str = ""
    version: str = ""
    language: str = ""
    access: Access = None
    effective_from: str = ""
    effective_to: str = ""
    department: str = ""
    authority: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)


def stated_in(values: dict[str, Any], where: str) -> dict[str, Any]:
    """Values of YAML or TOML (known names in lower case) as arguments of `Stated`.

    Raises `RefusedError` for readers or dates that cannot be read; `where` is where they stand.
    """
    found: dict[str, Any] = {name: one_line(values.get(name)) for name in _LINES}
    found["access"] = access_of(values["access"], where) if "access" in values else None
    for name, last in (("effective_from", False), ("effective_to", True)):
        found[name] = _date(values.get(name), name, where, last)
    _check_order(found["effective_from"], found["effective_to"], where)
    found["metadata"] = {name: value for name, value in values.items() if name not in KNOWN}
    return found


def combined(stated: Sequence[Stated]) -> Stated:
    """What holds when several places state something.

    The last one counts, except for `access`: each list narrows it, none ever widens it, so a
    reader has to stand in all of them.
    """
    chosen: dict[str, str] = {}
    access: Access = None
    metadata: dict[str, Any] = {}
    for one in stated:
        chosen |= {
            name: value for name in KNOWN if name != "access" and (value := getattr(one, name))
        }
        metadata |= one.metadata
        if one.access is not None:
            allowed = one.access
            access = allowed if access is None else tuple(n for n in access if n in allowed)
    _check_order(chosen.get("effective_from", ""), chosen.get("effective_to", ""), "what is stated")
    return Stated(**chosen, access=access, metadata=metadata)


def one_line(value: object) -> str:
    """A value as one line; lists and mappings count as not given."""
    return " ".join(value.split()) if isinstance(value, str) and value not in NULL else ""


def access_of(value: object, where: str) -> Access:
    """Who may read: null is everybody, a list the named users and groups, [] nobody."""
    if value is None or (isinstance(value, str) and value.strip().lower() in NULL):
        return None
    if not isinstance(value, list) or not all(
        isinstance(one, str) and one.strip() for one in value
    ):
        raise RefusedError(
            f"`access` in {where} must be a list such as [hr, legal] or null, "
            f"not {str(value)[:60]!r}"
        )
    return tuple(dict.fromkeys(clean(one.strip()) for one in value))


def _date(value: object, name: str, where: str, last: bool) -> str:
    """An ISO date; a year or a month stands for its first day, or its last if `last` is set."""
    text = str(value).strip() if value is not None else ""
    if text.lower() in NULL:
        return ""
    found = _DATE.fullmatch(text)
    year, month, day = (int(part) if part else 0 for part in found.groups()) if found else (0, 0, 0)
    month = month or (12 if last else 1)
    if not found or not year or not 1 <= month <= 12 or day > calendar.monthrange(year, month)[1]:
        raise RefusedError(
            f"`{name}` in {where} must be a date such as 2026-01-31, not {text[:60]!r}"
        )
    if found[3] == "00":
        raise RefusedError(f"`{name}` in {where} has no day 0: {text!r}")
    day = day or (calendar.monthrange(year, month)[1] if last else 1)
    return f"{year:04d}-{month:02d}-{day:02d}"


def _check_order(first: str, last: str, where: str) -> None:
    if first and last and first > last:
        raise RefusedError(f"`effective_from` ({first}) in {where} is later than `effective_to`")
