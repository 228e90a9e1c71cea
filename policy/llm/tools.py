"""What a model is told of tools that take arguments, and the arguments that it wrote for one."""

import json
from collections.abc import Sequence
from typing import Any

from policy.llm.orders import without_orders
from policy.llm.prompting import one_line
from policy.llm.schemas import PlannedReply
from policy.protocol import ReadyCall, ToolView
from state.language import detect_language
from state.plain import is_plain
from state.types import Json

BRIEF, LONG = 200, 2_000
"""Characters of a tool's description: of one that takes a query only, and of another."""
_MOST_VALUES = 12


def take_arguments(tools: Sequence[ToolView]) -> bool:
    """Whether any of the tools is called with more than a query."""
    return any("parameters" in tool for tool in tools)


def tool_lines(tools: Sequence[ToolView]) -> list[str]:
    """A line a tool, and one for each of its named queries with what it takes."""
    lines = []
    for tool in tools:
        long = LONG if "parameters" in tool else BRIEF
        lines.append(described(tool, long))
        lines += [f"- {_ready(one)}" for one in tool.get("ready", [])]
        if "parameters" in tool and not tool.get("ready"):
            fields = tool["parameters"].get("properties", {})
            lines.append(f"- arguments: {_fields(fields)}")
    return lines


def described(tool: ToolView, characters: int) -> str:
    """A tool's name and description; what a server says of its own tools may give orders, too."""
    return f"{tool['name']}: {without_orders(one_line(tool['description'], characters))}"


def _ready(call: ReadyCall) -> str:
    asks = f' "{one_line(call["asks"][0], 120)}"' if call["asks"] else ""
    return f"{call['name']}({_fields(call['parameters'])}){asks}"


def _fields(schemas: dict[str, Json]) -> str:
    return ", ".join(f"{name}: {_type(schema)}" for name, schema in schemas.items())


def _type(schema: Json) -> str:
    if values := schema.get("enum"):
        more = " | …" if len(values) > _MOST_VALUES else ""
        return " | ".join(one_line(str(one), 60) for one in values[:_MOST_VALUES]) + more
    default = f" = {schema['default']}" if "default" in schema else ""
    return f"{schema.get('type', 'any')}{default}"


def arguments_of(part: PlannedReply, tool: ToolView | None, notes: list[str]) -> Json:
    """What the model wants the tool called with; a text that is no object gives a note and {}.

    Whether they fit is checked when the tool is called, and what is wrong is shown to the planner.
    The language of the wording is the question's, which needs no model.
    """
    text = part.arguments
    if tool is None or "parameters" not in tool or not text.strip():
        return {}
    found = _read(text)
    if found is None:
        notes.append(f"the arguments of {tool['name']} are no JSON object")
        return {}
    if "language" in tool["parameters"].get("properties", {}):
        language = detect_language(part.question)
        found.setdefault("language", "vi" if language == "vi" else "en")
    return found


def _read(text: str) -> Json | None:
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and is_plain(value) else None
