"""Every tool of the settings with what is to be known of it, for `groundhop tools`."""

import json
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Literal, cast

from graph.external_tools import server_of
from graph.settings import Settings
from graph.tools import open_tools
from graph.trifecta import refuse_trifecta
from retrieval.errors import ToolError, UsageError
from retrieval.knowledge_base import KnowledgeBase
from retrieval.tools import mcp, mcp_pins
from retrieval.tools.registry import Json, Tool

State = Literal["on", "off", "changed", "new"]


@dataclass(frozen=True)
class Listed:
    """A tool, whether it can be called, and why not.

    `before` and `now` are what one that waits for approval says of itself.
    """

    name: str
    state: State
    why: str
    description: str
    reads_private: bool
    trusted: bool
    reaches_outside: bool
    read_only: bool
    needs_approval: bool
    only_with_web: bool
    cost: float
    before: str = ""
    now: str = ""


def list_tools(settings: Settings) -> tuple[list[Listed], str]:
    """The tools, after each MCP server was asked once more what it has.

    The second is why no question can be asked with them, where they must not stand together.
    """
    down: dict[str, str] = {}
    for server in settings.tools.mcp:
        try:
            mcp.look(server_of(server), settings.home)
        except ToolError as error:
            down[server.name] = str(error)
    with ExitStack() as opened:
        # Only what is said of the tools is read; nothing is searched.
        nothing = cast(KnowledgeBase, None)
        tools = open_tools(settings, nothing, opened)
        pins = mcp_pins.read(settings.home)
        listed = [_listed(tool, pins, down) for tool in tools.values()]
        try:
            refuse_trifecta(tools.values(), settings.tools.allow)
        except UsageError as error:
            return listed, str(error)
        return listed, ""


def _listed(tool: Tool, pins: dict[str, mcp_pins.Pins], down: dict[str, str]) -> Listed:
    server, _, name = tool.name.partition(".")
    why = tool.off or down.get(server, "")
    pin = pins.get(server, {}).get(name)
    state: State = mcp_pins.state_of(pin) if pin else "on"
    before = pin["pinned"] if pin else None
    now = pin.get("seen") if pin else None
    return Listed(
        name=tool.name,
        state="off" if why and state == "on" else state,
        why=why,
        description=tool.description,
        reads_private=tool.private,
        trusted=tool.trusted,
        reaches_outside=tool.reaches_outside,
        read_only=tool.read_only,
        needs_approval=tool.needs_approval,
        only_with_web=tool.web,
        cost=tool.cost,
        before=_said(before, now) if before and now else "",
        now=_said(now, before or {}) if now else "",
    )


def _said(spec: Json, other: Json) -> str:
    """What a specification says where the other one may not."""
    schemas = [
        f"{name}: {json.dumps(spec[name], ensure_ascii=False)}"
        for name in ("inputSchema", "outputSchema")
        if spec[name] != other.get(name)
    ]
    return " ".join([spec["description"], *schemas])
