"""One visit to an MCP server: connect, look at its tools, perhaps call one, leave.

A visit a call is what a server that hangs, dies or floods can spoil; nothing of it is left
for the next one.
"""

import asyncio
import logging
import os
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from retrieval.errors import ToolError, UsageError
from retrieval.tools.external import within

if TYPE_CHECKING:
    import httpx
    from mcp import ClientSession
    from mcp.types import CallToolResult
    from mcp.types import Tool as Listed

_MOST_PAGES = 20
_MOST_TOOLS = 200
_MOST_SPEC = 50_000
"""Characters of the description and schemas of one tool."""

_ADDRESS = re.compile(r"\w+://[^\s'\"]+")
_MORE = 5.0
"""Seconds beyond the limit for a server to be ended, before it is left alone."""

Json = dict[str, Any]
Outcome = TypeVar("Outcome")
logging.getLogger("mcp").addHandler(logging.NullHandler())  # or its errors reach the terminal


@dataclass(frozen=True)
class Server:
    """A server of the settings: a command to start, or the address of a streamable HTTP one.

    `env` names the variables that the command is given beside those that any program needs;
    `token_env` names the one that holds the bearer token for the address.
    """

    name: str
    command: tuple[str, ...] = ()
    url: str = ""
    env: tuple[str, ...] = ()
    token_env: str = ""
    timeout: float = 30.0


def visit(server: Server, work: "Callable[[ClientSession], Awaitable[Outcome]]") -> Outcome:
    """What `work` finds in a session with the server; `ToolError` where anything fails.

    Runs in a thread with an event loop of its own, so that it can be called from anywhere.
    """
    try:
        import mcp  # noqa: F401
    except ImportError:
        raise UsageError(
            f"The MCP server {server.name} needs more packages: pip install 'groundhop[mcp]'."
        ) from None
    secrets = _variables(server)

    async def go() -> Outcome:
        async with asyncio.timeout(server.timeout), _session(server, secrets) as session:
            await session.initialize()
            return await work(session)

    try:
        return within(server.timeout + _MORE, _of(server), lambda: asyncio.run(go()))
    except ToolError:
        raise
    except Exception as error:
        raise ToolError(_sentence(server, error)) from None


def _variables(server: Server) -> dict[str, str]:
    """The variables that the settings name; `ToolError` for one that is not set."""
    names = [*server.env, *([server.token_env] if server.token_env else [])]
    for name in names:
        if name not in os.environ:
            raise ToolError(f"{_of(server)} needs the variable {name}, which is not set.")
    return {name: os.environ[name] for name in names}


@asynccontextmanager
async def _session(server: Server, secrets: dict[str, str]) -> "AsyncIterator[ClientSession]":
    from langchain_mcp_adapters.sessions import StreamableHttpConnection, create_session
    from mcp import ClientSession
    from mcp.client.stdio import get_default_environment

    from retrieval.tools.mcp_stdio import stdio_streams

    if server.command:
        env = {**get_default_environment(), **{name: secrets[name] for name in server.env}}
        async with (
            stdio_streams(server.command, env) as (read, write),
            ClientSession(read, write) as session,
        ):
            yield session
        return
    token = secrets.get(server.token_env)
    connection: StreamableHttpConnection = {
        "transport": "streamable_http",
        "url": server.url,
        "headers": {"Authorization": f"Bearer {token}"} if token else None,
        "timeout": server.timeout,
        "sse_read_timeout": server.timeout,
        "httpx_client_factory": _client,
    }
    async with create_session(connection) as session:
        yield session


def _client(
    headers: dict[str, str] | None = None,
    timeout: "httpx.Timeout | None" = None,
    auth: "httpx.Auth | None" = None,
) -> "httpx.AsyncClient":
    """A client that follows no redirect and reads no more than a server may say."""
    import httpx

    from retrieval.tools.mcp_http import Limited

    plain = {**(headers or {}), "Accept-Encoding": "identity"}
    transport = Limited(httpx.AsyncHTTPTransport())
    return httpx.AsyncClient(headers=plain, timeout=timeout, auth=auth, transport=transport)


async def listed(session: "ClientSession") -> "list[Listed]":
    """All tools of a server; `ToolError` for one that has no end of them."""
    from mcp.types import PaginatedRequestParams

    found: list[Listed] = []
    cursor = None
    for _ in range(_MOST_PAGES):
        params = PaginatedRequestParams(cursor=cursor) if cursor else None
        page = await session.list_tools(params=params)
        found += page.tools
        cursor = page.nextCursor
        if len(found) > _MOST_TOOLS:
            break
        if not cursor:
            return found
    raise ToolError(f"It lists more than {_MOST_TOOLS} tools, or without end.")


async def called(session: "ClientSession", name: str, arguments: Json) -> "CallToolResult":
    """The reply of a tool. The schemas that the server states now are not trusted to check it."""
    from mcp.types import CallToolRequest, CallToolRequestParams, CallToolResult, ClientRequest

    params = CallToolRequestParams(name=name, arguments=arguments)
    request = ClientRequest(CallToolRequest(params=params))
    return await session.send_request(request, CallToolResult)


def spec_of(tool: "Listed") -> Json:
    """What is pinned of a tool: all that a planner or a check is given of it."""
    spec = {
        "name": tool.name,
        "description": tool.description or "",
        "inputSchema": tool.inputSchema,
        "outputSchema": tool.outputSchema,
    }
    if len(str(spec)) > _MOST_SPEC:
        raise ToolError(f"The tool {tool.name[:80]!r} describes itself at too great a length.")
    return spec


def _of(server: Server) -> str:
    return f"The MCP server {server.name}"


def _sentence(server: Server, error: BaseException) -> str:
    """What went wrong; of a group of errors, the first that says something."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, ToolError):
        return str(error)
    if isinstance(error, TimeoutError):
        return f"{_of(server)} did not answer within {server.timeout:g} seconds."
    if isinstance(error, FileNotFoundError | PermissionError) and server.command:
        return f"{_of(server)} cannot be started: {server.command[0]!r} is no program here."
    if "Connection closed" in str(error):
        return f"{_of(server)} ended before it answered, or said more than it may."
    # An address may hold a password.
    said = _ADDRESS.sub("its address", str(error).partition("\nFor more")[0])
    what = " ".join(f"{type(error).__name__}: {said}".split())[:200]
    return f"{_of(server)} failed ({what})."
