"""`Agent`: the graph with a checkpointer, for programs that embed it."""

import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from graph.build import build_graph, recursion_limit
from graph.checkpoints import open_async_saver, open_saver
from graph.context import Context
from graph.database import runs_path
from graph.lease import lease
from graph.threads import (
    ThreadInfo,
    UnknownThreadError,
    delete_thread,
    list_threads,
    read_thread,
    thread_name,
    unfinished,
)
from nodes.decide import why_not_a_question
from nodes.services import Services
from retrieval.errors import GroundhopError, UsageError
from state.text import clean
from state.types import SCHEMA_VERSION, Answer, Json, RunState


@dataclass(frozen=True)
class Result:
    """How a run ended: `status` is answered, partial, gave_up, failed, paused or running."""

    thread: str
    status: str
    stop_reason: str
    answer: Answer
    state: RunState = field(repr=False)

    @property
    def text(self) -> str:
        """The answer, or the refusal, as text."""
        return self.answer.get("text", "")


class Agent:
    """Ask, stream and resume questions over one knowledge base.

    Every method that runs something takes a `context` (who asks, with which limits); identity
    comes from there and from nowhere else. The `a…` methods do the same in async code.
    """

    def __init__(self, services: Services, home: Path) -> None:
        """`home` is the data folder, which keeps the runs."""
        self._services = services
        self._path = runs_path(home)
        self._builder = build_graph(services)
        self._saver = open_saver(self._path)
        self._graph = self._builder.compile(checkpointer=self._saver)

    @classmethod
    def open(cls, home: Path | str | None = None) -> "Agent":
        """Open the data folder of the settings, or `home`; raises GroundhopError."""
        from graph.services import open_services
        from graph.settings import load_settings

        settings = load_settings(Path(home) if home is not None else None)
        return cls(open_services(settings), settings.home)

    def ask(
        self, question: str, *, thread: str | None = None, context: Context | None = None
    ) -> Result:
        """Answer a question, on a new thread or on an old one that knows the conversation."""
        return _last(self.stream(question, thread=thread, context=context))

    def resume(self, thread: str, *, context: Context | None = None) -> Result:
        """Go on where a thread was interrupted; a finished one gives its result again."""
        return _last(self.stream_resume(thread, context=context))

    def stream(
        self, question: str, *, thread: str | None = None, context: Context | None = None
    ) -> Iterator[Json]:
        """Like `ask`, giving each event as it happens; the last one is ``{"event": "result"}``.

        Events: thread, planned, searching, found, tool_failed, graded, rewritten, finished,
        result (whose "result" is a `Result`).
        """
        thread, context = self._prepare(question, thread, context)
        yield {"event": "thread", "thread": thread}
        with lease(self._path, thread):
            self._refuse_unfinished(thread, self._graph.get_state(_config(thread, context)))
            yield from self._run({"question": clean(question)}, thread, context)

    def stream_resume(self, thread: str, *, context: Context | None = None) -> Iterator[Json]:
        """Like `resume`, giving each event as it happens."""
        thread, context = thread_name(thread), context or Context()
        yield {"event": "thread", "thread": thread}
        with lease(self._path, thread):
            snapshot = self._graph.get_state(_config(thread, context))
            _check(thread, snapshot, context)
            if unfinished(snapshot):
                yield from self._run(None, thread, _as_begun(context, snapshot))
            else:
                yield _result(thread, snapshot)

    async def aask(
        self, question: str, *, thread: str | None = None, context: Context | None = None
    ) -> Result:
        """`ask` for async code."""
        return await _alast(self.astream(question, thread=thread, context=context))

    async def aresume(self, thread: str, *, context: Context | None = None) -> Result:
        """`resume` for async code."""
        return await _alast(self.astream_resume(thread, context=context))

    async def astream(
        self, question: str, *, thread: str | None = None, context: Context | None = None
    ) -> AsyncIterator[Json]:
        """`stream` for async code."""
        thread, context = self._prepare(question, thread, context)
        yield {"event": "thread", "thread": thread}
        async with _alease(self._path, thread), self._async_graph() as graph:
            self._refuse_unfinished(thread, await graph.aget_state(_config(thread, context)))
            async for event in _arun(graph, {"question": clean(question)}, thread, context):
                yield event

    async def astream_resume(
        self, thread: str, *, context: Context | None = None
    ) -> AsyncIterator[Json]:
        """`stream_resume` for async code."""
        thread, context = thread_name(thread), context or Context()
        yield {"event": "thread", "thread": thread}
        async with _alease(self._path, thread), self._async_graph() as graph:
            snapshot = await graph.aget_state(_config(thread, context))
            _check(thread, snapshot, context)
            if not unfinished(snapshot):
                yield _result(thread, snapshot)
                return
            context = _as_begun(context, snapshot)
            async for event in _arun(graph, None, thread, context):
                yield event

    def state(self, thread: str) -> RunState:
        """Everything the thread knows; raises UnknownThreadError."""
        state: RunState = read_thread(self._graph, thread).values
        return state

    def threads(self) -> list[ThreadInfo]:
        """The threads of this data folder, the newest first."""
        return list_threads(self._path, self._graph)

    def delete(self, thread: str) -> None:
        """Forget a thread with its checkpoints and its ledger rows; raises UnknownThreadError."""
        self.state(thread)
        with lease(self._path, thread):
            delete_thread(self._path, self._saver, thread)

    def close(self) -> None:
        """Close files and the embedding model."""
        self._saver.conn.close()
        self._services.close()

    def __enter__(self) -> "Agent":
        """The agent itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close on leaving the block."""
        self.close()

    def _prepare(
        self, question: str, thread: str | None, context: Context | None
    ) -> tuple[str, Context]:
        refused = why_not_a_question(question)
        if refused:
            raise UsageError(refused)
        name = str(uuid.uuid4()) if thread is None else thread_name(thread)
        return name, context or Context()

    def _refuse_unfinished(self, thread: str, snapshot: Any) -> None:
        if unfinished(snapshot):
            raise UsageError(
                f"Thread {thread} has an unfinished question "
                f"(“{snapshot.values.get('original_question', '')}”): finish it with "
                f"`groundhop resume {thread}`, or ask on a new thread."
            )

    def _run(self, given: Json | None, thread: str, context: Context) -> Iterator[Json]:
        config = _config(thread, context)
        stream = self._graph.stream(
            given, config, context=context, stream_mode="custom", durability="sync"
        )
        yield from stream
        yield _result(thread, self._graph.get_state(config))

    @asynccontextmanager
    async def _async_graph(self) -> AsyncIterator[Any]:
        async with open_async_saver(self._path) as saver:
            yield self._builder.compile(checkpointer=saver)


async def _arun(
    graph: Any, given: Json | None, thread: str, context: Context
) -> AsyncIterator[Json]:
    config = _config(thread, context)
    stream = graph.astream(given, config, context=context, stream_mode="custom", durability="sync")
    async for event in stream:
        yield event
    yield _result(thread, await graph.aget_state(config))


@asynccontextmanager
async def _alease(path: Path, thread: str) -> AsyncIterator[None]:
    """The lease, taken and given back off the event loop."""
    import asyncio

    held = lease(path, thread)
    await asyncio.to_thread(held.__enter__)
    try:
        yield
    finally:
        await asyncio.to_thread(held.__exit__, None, None, None)


def _thread_config(thread: str) -> Any:
    return {"configurable": {"thread_id": thread}}


def _config(thread: str, context: Context) -> Any:
    return {**_thread_config(thread), "recursion_limit": recursion_limit(context)}


def _check(thread: str, snapshot: Any, context: Context) -> None:
    """Only a known thread of this schema, asked by the same person, can be resumed."""
    values = snapshot.values
    if not values and not unfinished(snapshot):
        raise UnknownThreadError(thread)
    if values.get("schema_version", SCHEMA_VERSION) > SCHEMA_VERSION:
        raise GroundhopError(
            f"Thread {thread} was written by a newer version of groundhop: upgrade to resume it."
        )
    asker = values.get("asked_as")
    if asker and asker != {"user": context.user, "groups": sorted(context.groups)}:
        raise UsageError(
            f"Thread {thread} was begun by another identity: only that one can resume it."
        )


def _as_begun(context: Context, snapshot: Any) -> Context:
    """The context with the limits that the question was begun with, which its budget keeps."""
    limits = snapshot.values.get("budget", {}).get("limits", {})
    kept = {name: value for name, value in limits.items() if name in Context.model_fields}
    return context.model_copy(update=kept)


def _result(thread: str, snapshot: Any) -> Json:
    values = snapshot.values
    status = "paused" if snapshot.interrupts else values.get("status", "running")
    answer: Answer = values.get("answer", {})
    result = Result(thread, status, values.get("stop_reason", ""), answer, values)
    return {"event": "result", "result": result}


def _last(events: Iterator[Json]) -> Result:
    last: Json = {}
    for event in events:
        last = event
    result: Result = last["result"]
    return result


async def _alast(events: AsyncIterator[Json]) -> Result:
    last: Json = {}
    async for event in events:
        last = event
    result: Result = last["result"]
    return result
