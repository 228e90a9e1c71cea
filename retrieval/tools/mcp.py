"""The tools of an MCP server, as tools of ours: pinned, checked, contained."""

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from retrieval.access import Identity
from retrieval.errors import ToolError
from retrieval.tools import mcp_pins
from retrieval.tools.external import MAX_CHARACTERS, Text, passages_of
from retrieval.tools.mcp_client import Server, called, listed, spec_of, visit
from retrieval.tools.mcp_pins import Pin, Pins
from retrieval.tools.mcp_schema import complaint, takes_arguments
from retrieval.tools.registry import Json, Tool, ToolResult

if TYPE_CHECKING:
    from mcp import ClientSession
    from mcp.types import CallToolResult

_NAME = re.compile(r"[\w.\-]{1,64}")
_MOST_WORDS = 1_000
"""Characters of a description that a planner is shown."""


def mcp_tools(
    server: Server, home: Path, allowed: Iterable[str] | None = None, **traits: Any
) -> list[Tool]:
    """The tools of a server (of `allowed` names only), as they were when they were approved.

    A server that was seen before is not asked now; each call asks it. What cannot be called is
    there all the same, and says why. `traits` are fields of `Tool`; without them nothing good
    is believed of a tool.
    """
    said = {"trusted": False, "reaches_outside": True, "read_only": False, **traits}
    said.setdefault("needs_approval", not said["read_only"])
    known = mcp_pins.read(home).get(server.name)
    try:
        pins = look(server, home) if known is None else known
    except ToolError as error:
        return [_off(f"{server.name}.{name}", str(error), said) for name in allowed or ["*"]]
    wanted = list(pins) if allowed is None else list(allowed)
    return [_tool(server, home, name, pins.get(name), said) for name in wanted]


def look(server: Server, home: Path) -> Pins:
    """Ask a server for its tools, pin or compare them; `ToolError` where that fails."""
    return mcp_pins.remember(home, server.name, _specs(server, visit(server, listed)))


def _specs(server: Server, found: Iterable[Any]) -> dict[str, Json]:
    """Specifications by name; a server that lists a name twice cannot be told apart."""
    specs: dict[str, Json] = {}
    for one in found:
        if one.name in specs:
            raise ToolError(f"The MCP server {server.name} lists {one.name[:80]!r} twice.")
        if _NAME.fullmatch(one.name):
            specs[one.name] = spec_of(one)
    return specs


def _tool(
    server: Server, home: Path, name: str, pin: Pin | None, traits: Mapping[str, Any]
) -> Tool:
    full = f"{server.name}.{name}"
    spec = pin and (pin["pinned"] or pin.get("seen"))
    if pin is None or spec is None:
        why = f"The MCP server {server.name} has no tool {name!r}: see `groundhop tools`."
        return _off(full, why, traits)
    if not takes_arguments(spec["inputSchema"]):
        return _off(full, f"{full} states no usable schema of its arguments.", traits)
    hashed = mcp_pins.fingerprint(spec)

    def run(arguments: Json, identity: Identity, top_k: int) -> ToolResult:
        if wrong := complaint(arguments, spec["inputSchema"]):
            raise ToolError(f"The arguments of {full} do not fit: {wrong}.")

        async def work(session: "ClientSession") -> "CallToolResult":
            now = _specs(server, await listed(session))
            if now.get(name) != spec:
                mcp_pins.remember(home, server.name, now)
                raise ToolError(_gone(full) if name not in now else _changed(full))
            return await called(session, name, arguments)

        return _result(visit(server, work), full, spec, top_k)

    approved = mcp_pins.state_of(pin) == "on"
    return Tool(
        full,
        " ".join(spec["description"].split())[:_MOST_WORDS],
        {"properties": {}, **spec["inputSchema"]},
        run,
        version=hashed[:16],
        off="" if approved else _changed(full),
        **traits,
    )


def _off(name: str, why: str, traits: Mapping[str, Any]) -> Tool:
    def run(arguments: Json, identity: Identity, top_k: int) -> ToolResult:
        raise ToolError(why)

    return Tool(name, "", {"properties": {}}, run, off=why, **traits)


def _changed(name: str) -> str:
    return (
        f"{name} does not describe itself as it did when it was approved, and is off: look at it "
        f"with `groundhop tools`, then `groundhop tools approve {name}`."
    )


def _gone(name: str) -> str:
    return f"Its MCP server no longer has {name}: see `groundhop tools`."


def _result(reply: "CallToolResult", name: str, spec: Json, top_k: int) -> ToolResult:
    """Passages of a reply; `ToolError` for one that is an error, or not what was declared."""
    texts, left_out = _said(reply)
    if reply.isError:
        what = " ".join(" ".join(texts).split())[:200] or "without saying why"
        raise ToolError(f"{name} failed: {what}")
    if schema := spec["outputSchema"]:
        wrong = complaint(reply.structuredContent, schema)
        if wrong:
            raise ToolError(f"{name} did not reply as it declares: {wrong}.")
    if not texts and any((reply.structuredContent or {}).values()):
        texts = [json.dumps(reply.structuredContent, ensure_ascii=False)]
    source = f"mcp:{name}"
    passages, degraded = passages_of((Text(one, source, name) for one in texts), name, top_k)
    return ToolResult(passages, [*degraded, *left_out])


def _said(reply: "CallToolResult") -> tuple[list[str], list[str]]:
    """The texts of a reply, and a sentence for what is none."""
    texts = [text for block in reply.content if (text := _text(block))]
    rest = len(reply.content) - len(texts)
    note = f"{rest} parts of the reply are no text and were left out"
    return texts, [note] if rest else []


def _text(block: Any) -> str:
    resource = getattr(block, "resource", None)
    text = getattr(block, "text", None) or getattr(resource, "text", None)
    return text[: MAX_CHARACTERS + 1] if isinstance(text, str) else ""
