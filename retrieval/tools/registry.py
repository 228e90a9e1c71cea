"""What a subgoal can be asked of: tools by name, called with checked arguments.

The identity and the number of passages are given by the run, never by the arguments, which
a model may have written.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from retrieval.access import Identity
from retrieval.errors import ToolError
from retrieval.filters import EVERYTHING, Filters

Json = dict[str, Any]

_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
}


@dataclass(frozen=True)
class ToolResult:
    """What a call found, and what did not work while it did ("vector search failed: ...").

    A passage is a `state.types.Candidate` without `subgoal_id`, `query` and `tool`. `refused`
    says why the asker may not have what was asked for: no failure, and not to be tried again.
    """

    passages: list[Json] = field(default_factory=list)
    degraded: list[str] = field(default_factory=list)
    refused: str = ""


def _none(identity: Identity) -> list[Json]:
    return []


@dataclass(frozen=True)
class Tool:
    """A tool and what is to be known of it before it is called.

    `description` says when to use it and when not; `parameters` is the JSON schema of the
    arguments (an object); `ready_calls` gives the calls that were prepared for an asker
    (`policy.protocol.ReadyCall`). `cost` is money a call. `private`: it reads what not
    everybody may see. `trusted`: nobody but the operator decides what its content says.
    `reaches_outside`: what it is called with leaves for a place that the operator does not
    keep. `version` is part of the key under which a result is remembered. `web`: only a run
    that allows the web may call it. `off` says why nobody can call it now, and what to do.
    """

    name: str
    description: str
    parameters: Json
    run: Callable[[Json, Identity, int], ToolResult]
    read_only: bool = True
    needs_approval: bool = False
    cost: float = 0.0
    private: bool = False
    trusted: bool = True
    reaches_outside: bool = False
    version: str = ""
    web: bool = False
    off: str = ""
    ready_calls: Callable[[Identity], list[Json]] = _none
    described: Callable[[Identity], str] | None = None
    """The description for an asker, where some of it is not for everybody."""
    filtered: "Callable[[Filters], Tool] | None" = None
    """The same tool over the documents that a run's filters let through; None: it reads none."""


def registry(*tools: Tool) -> dict[str, Tool]:
    """Tools by name; ValueError if two have the same."""
    by_name = {tool.name: tool for tool in tools}
    if len(by_name) < len(tools):
        raise ValueError(f"Two tools have the same name: {[tool.name for tool in tools]}")
    return by_name


def call(
    tools: Mapping[str, Tool],
    name: str | None,
    arguments: Any,
    identity: Identity,
    top_k: int,
    filters: Filters = EVERYTHING,
) -> ToolResult:
    """Run a tool; `ToolError` for a name that is not there or arguments that do not fit."""
    tool = tools.get(name) if isinstance(name, str) else None
    if tool is None:
        known = ", ".join(sorted(one for one in tools if not tools[one].off)) or "none"
        raise ToolError(f"There is no tool {name!r}; the tools are: {known}.")
    if tool.off:
        raise ToolError(tool.off)
    check_arguments(tool, arguments)
    if tool.filtered and filters != EVERYTHING:
        tool = tool.filtered(filters)
    return tool.run(arguments, identity, top_k)


def check_arguments(tool: Tool, arguments: Any) -> None:
    """`ToolError` unless arguments are an object with the fields of the tool's schema.

    Checks required and unknown fields, and the plain type of each; deeper rules of a schema
    are left to the tool.
    """
    if not isinstance(arguments, dict):
        raise ToolError(f"The arguments of {tool.name} are no object: {arguments!r}.")
    fields = tool.parameters.get("properties", {})
    missing = [one for one in tool.parameters.get("required", []) if one not in arguments]
    unknown = [one for one in arguments if one not in fields]
    if missing:
        raise ToolError(f"{tool.name} needs {', '.join(missing)}.")
    if unknown:
        takes = ", ".join(fields) or "nothing"
        raise ToolError(
            f"{tool.name} does not know {', '.join(map(repr, unknown))}; it takes {takes}."
        )
    for one, value in arguments.items():
        wanted = fields[one].get("type") if isinstance(fields[one], dict) else None
        if not _fits(value, wanted):
            raise ToolError(f"{one!r} of {tool.name} must be a {wanted}, not {value!r}.")


def _fits(value: Any, wanted: Any) -> bool:
    types = _TYPES.get(wanted) if isinstance(wanted, str) else None
    if types is None:
        return True
    return isinstance(value, types) and (wanted == "boolean" or not isinstance(value, bool))
