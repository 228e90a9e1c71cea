"""Query identity: when two queries are the same search, and when they must not be taken for it."""

import re

from state.text import comparable
from state.types import Json, SeenQuery

_END_PUNCTUATION = re.compile(r"[\s?!.,;:…。？！\"'“”‘’]+$")


def normal_query(query: str) -> str:
    """The form under which a query counts as already seen.

    Unicode form, tone-mark position, case, white space and end punctuation are folded.
    Accents, numbers, codes, negations and names are kept, so a query that differs in one
    of them is a different query.
    """
    return _END_PUNCTUATION.sub("", comparable(query))


def was_seen(query: str, tool: str, subgoal_id: str, seen: list[SeenQuery]) -> bool:
    """Whether the same tool was already asked this query for this subgoal."""
    form = normal_query(query)
    return any(
        row["normal"] == form and row["tool"] == tool and row["subgoal_id"] == subgoal_id
        for row in seen
    )


def shown_arguments(arguments: Json) -> str:
    """Arguments as a person reads them: "query=leave_balance, year=2026"; nested ones unfolded."""
    parts = [
        shown_arguments(value) if isinstance(value, dict) else f"{name}={value}"
        for name, value in arguments.items()
    ]
    return ", ".join(part for part in parts if part)
