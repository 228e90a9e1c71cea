"""The lethal trifecta: private data, untrusted content and a way out among the tools of one run.

Text that somebody else wrote may hold orders for the model that reads it; with all three at
hand they could carry out what the asker alone may see. See `docs/security.md`.
"""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from retrieval.errors import UsageError
from retrieval.tools.registry import Tool


class Legs(NamedTuple):
    """The names of the tools that read private data, bring untrusted content, and reach out."""

    private: list[str]
    untrusted: list[str]
    ways_out: list[str]


def legs(tools: Iterable[Tool], allow: Collection[str] = ()) -> Legs:
    """The three legs; a tool whose way out is allowed by name has none."""
    tools = list(tools)
    return Legs(
        [tool.name for tool in tools if tool.private],
        [tool.name for tool in tools if not tool.trusted],
        [tool.name for tool in tools if is_way_out(tool) and tool.name not in allow],
    )


def is_way_out(tool: Tool) -> bool:
    """Whether a call can carry something out that no person has seen.

    A call that a person approves is shown to that person with everything that would leave.
    """
    return (tool.reaches_outside or not tool.read_only) and not tool.needs_approval


def refuse_trifecta(tools: Iterable[Tool], allow: Collection[str] = ()) -> None:
    """Raise `UsageError`, which names the tools, where all three legs stand."""
    found = legs(tools, allow)
    if not all(found):
        return
    names = ", ".join(f'"{name}"' for name in found.ways_out)
    raise UsageError(
        "These tools must not stand together, for text that others wrote could carry private "
        f"data out. Private data: {_listed(found.private)}; text of others: "
        f"{_listed(found.untrusted)}; a way out: {_listed(found.ways_out)}. Leave one of them "
        "out, have each call approved by a person (needs_approval), or accept the way out by "
        f"name: `allow = [{names}]` under [tools] in groundhop.toml, or `allow` of Services in "
        "code."
    )


def _listed(names: list[str]) -> str:
    return ", ".join(names)
