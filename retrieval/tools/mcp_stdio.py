"""A connection to an MCP server over its standard input and output, with limits.

The SDK's own keeps a line of any length and lets the server write to our terminal.
"""

import contextlib
import os
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from subprocess import DEVNULL, PIPE
from typing import Any

import anyio
from anyio.abc import Process
from mcp import types
from mcp.shared.message import SessionMessage

MAX_BYTES = 4_000_000
"""That a server may write during one call."""

_GRACE = 1.0
"""Seconds for a server to end once its input is closed."""

Streams = tuple[Any, Any]


@asynccontextmanager
async def stdio_streams(command: Sequence[str], env: dict[str, str]) -> AsyncIterator[Streams]:
    """The streams of messages from and to a server that is started, and ended on leaving.

    Lines that are no message are passed over. When the server ends or has written too much,
    the stream of its messages ends. Raises OSError where the command cannot be started.
    """
    process = await anyio.open_process(
        list(command),
        stdin=PIPE,
        stdout=PIPE,
        stderr=DEVNULL,
        env=env,
        start_new_session=os.name == "posix",
    )
    into, messages = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    replies, out_of = anyio.create_memory_object_stream[SessionMessage](0)

    async def read() -> None:
        async with into:
            async for line in _lines(process):
                with contextlib.suppress(ValueError):
                    message = types.JSONRPCMessage.model_validate_json(line)
                    await into.send(SessionMessage(message))

    async def write() -> None:
        assert process.stdin
        async with out_of:
            async for sent in out_of:
                text = sent.message.model_dump_json(by_alias=True, exclude_none=True)
                await process.stdin.send(f"{text}\n".encode())

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_quietly, read)
        tasks.start_soon(_quietly, write)
        try:
            yield messages, replies
        finally:
            tasks.cancel_scope.cancel()
            with anyio.CancelScope(shield=True):
                await _end(process)


async def _quietly(work: Any) -> None:
    """A stream that breaks ends its task; whoever waits for a message learns it from its end."""
    with contextlib.suppress(OSError, anyio.ClosedResourceError, anyio.BrokenResourceError):
        await work()


async def _lines(process: Process) -> AsyncIterator[bytes]:
    assert process.stdout
    written, rest = 0, bytearray()
    async for chunk in process.stdout:
        written += len(chunk)
        if written > MAX_BYTES:
            return
        rest += chunk
        *lines, rest = rest.split(b"\n")
        for line in lines:
            yield bytes(line)


async def _end(process: Process) -> None:
    """Close the input, wait a moment, then end the server and what it has started."""
    with contextlib.suppress(Exception):
        assert process.stdin
        await process.stdin.aclose()
    with anyio.move_on_after(_GRACE):
        await process.wait()
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    with anyio.move_on_after(_GRACE):
        await process.aclose()
