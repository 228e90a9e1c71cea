"""`Agent`: the graph with a checkpointer, for programs that embed it."""

import asyncio
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Iterator
from contextlib import aclosing, asynccontextmanager, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from langgraph.errors import GraphDrained
from langgraph.runtime import RunControl

from graph.build import build_graph, recursion_limit
from graph.context import Context
from graph.course import Course, Look, Run, Update, asking, next_step, resuming
from graph.forks import Moment, fork, moments
from graph.lease import Held, lease
from graph.result import Result, last
from graph.store import Store, open_store, store_of
from graph.threads import (
    Pruned,
    ThreadInfo,
    delete_thread,
    list_threads,
    prune,
    read_thread,
    thread_ids,
    thread_name,
)
from nodes.decide import why_not_a_question
from nodes.services import Services
from retrieval.errors import GroundhopError, UsageError
from state.types import Json, RunState

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

    from graph.settings import Settings
    from retrieval.embeddings.protocol import Embedder
    from retrieval.tools.registry import Tool

__all__ = ["Agent", "Result"]


class Agent:
    """Ask, stream and resume questions over one knowledge base.

    Every method that runs something takes a `context` (who asks, with which limits); identity
    comes from there and from nowhere else. The `a…` methods do the same in async code, on any
    event loop. One agent serves many threads at once.
    """

    def __init__(self, services: Services, home: "Path | Store") -> None:
        """`home` is the data folder that keeps the runs, or an open run store."""
        self._services = services
        self._own = open_store(home) if isinstance(home, Path) else None
        self._store: Store = self._own or home  # type: ignore[assignment]
        self._graph: Any = build_graph(services).compile(checkpointer=self._store.saver)
        self._running: set[RunControl] = set()
        self._stopped = False

    @classmethod
    def open(
        cls,
        home: Path | str | None = None,
        *,
        settings: "Settings | None" = None,
        embedder: "Embedder | None" = None,
        tools: "Iterable[Tool | BaseTool]" = (),
    ) -> "Agent":
        """Open the data folder of the settings, or `home`; raises GroundhopError.

        Whoever has read the settings or started the embedding model already passes them.
        `tools` stand beside those of the settings; one of LangChain counts as untrusted, unless
        `retrieval.tools.langchain.wrap` says more of it.
        """
        from graph.services import open_services
        from graph.settings import load_settings

        settings = settings or load_settings(Path(home) if home is not None else None)
        opened: list[Store] = []

        def runs() -> Store:
            opened.append(store_of(settings))
            return opened[0]

        try:
            agent = cls(open_services(settings, embedder, runs, tools), opened[0])
        except BaseException:
            for store in opened:
                store.close()
            raise
        agent._own = opened[0]
        return agent

    def ask(
        self, question: str, *, thread: str | None = None, context: Context | None = None
    ) -> Result:
        """Answer a question, on a new thread or on an old one that knows the conversation."""
        return last(list(self.stream(question, thread=thread, context=context)))

    def resume(
        self,
        thread: str,
        *,
        context: Context | None = None,
        reply: Any = None,
        add_steps: int | None = None,
    ) -> Result:
        """Go on where a thread was interrupted or paused; a finished one gives its result again.

        `reply` answers a pause (`Result.pauses` says what can be replied); with several pauses
        it answers all, or is a dict by their ids. `add_steps` extends a budget that ran out.
        """
        events = self.stream_resume(thread, context=context, reply=reply, add_steps=add_steps)
        return last(list(events))

    def stream(
        self, question: str, *, thread: str | None = None, context: Context | None = None
    ) -> Iterator[Json]:
        """Like `ask`, giving each event as it happens; the last one is ``{"event": "result"}``.

        Events: thread, note, planned, searching, found, tool_failed, graded, rewritten, stale,
        finished, paused, result (whose "result" is a `Result`).
        """
        thread, context = self._prepare(question, thread, context)
        yield from self._follow(asking(thread, question, context), thread, context)

    def stream_resume(
        self,
        thread: str,
        *,
        context: Context | None = None,
        reply: Any = None,
        add_steps: int | None = None,
    ) -> Iterator[Json]:
        """Like `resume`, giving each event as it happens; a note says what resuming means here."""
        thread, context = thread_name(thread), context or Context()
        course = resuming(thread, context, reply, add_steps, self._services.policy)
        yield from self._follow(course, thread, context)

    async def aask(
        self, question: str, *, thread: str | None = None, context: Context | None = None
    ) -> Result:
        """`ask` for async code."""
        events = self.astream(question, thread=thread, context=context)
        return last([event async for event in events])

    async def aresume(
        self,
        thread: str,
        *,
        context: Context | None = None,
        reply: Any = None,
        add_steps: int | None = None,
    ) -> Result:
        """`resume` for async code."""
        events = self.astream_resume(thread, context=context, reply=reply, add_steps=add_steps)
        return last([event async for event in events])

    async def astream(
        self, question: str, *, thread: str | None = None, context: Context | None = None
    ) -> AsyncIterator[Json]:
        """`stream` for async code; cancelling it leaves a thread that can be resumed."""
        thread, context = self._prepare(question, thread, context)
        course = asking(thread, question, context)
        async with aclosing(self._afollow(course, thread, context)) as events:
            async for event in events:
                yield event

    async def astream_resume(
        self,
        thread: str,
        *,
        context: Context | None = None,
        reply: Any = None,
        add_steps: int | None = None,
    ) -> AsyncIterator[Json]:
        """`stream_resume` for async code."""
        thread, context = thread_name(thread), context or Context()
        course = resuming(thread, context, reply, add_steps, self._services.policy)
        async with aclosing(self._afollow(course, thread, context)) as events:
            async for event in events:
                yield event

    def state(self, thread: str) -> RunState:
        """Everything the thread knows; raises UnknownThreadError."""
        with self._store.guarded():
            state: RunState = read_thread(self._graph, thread).values
        return state

    def threads(self) -> list[ThreadInfo]:
        """The threads of the run store, the newest first."""
        return list_threads(self._store, self._graph)

    def moments(self, thread: str) -> list[Moment]:
        """The stored moments of a thread's last question, the oldest first."""
        with self._store.guarded():
            return moments(self._graph, thread)

    def fork(
        self,
        thread: str,
        at: int | None = None,
        *,
        without: Iterable[str] = (),
        queries: dict[str, str] | None = None,
        edits: Json | None = None,
    ) -> str:
        """A new thread that goes on from a moment of this one; gives its id, to `resume`.

        `at` is the number of a moment (the last one by default). `without` names evidence to
        disbelieve, whose parts of the question are then asked again; `queries` gives a search
        for subgoals by id; `edits` replaces whole fields of the state. The old thread stays as
        it is. Raises UsageError for what the moment does not have.
        """
        with self._store.guarded():
            return fork(self._store, self._graph, thread, at, without, queries or {}, edits or {})

    def delete(self, thread: str) -> None:
        """Forget a thread with its checkpoints and its ledger rows; raises UnknownThreadError."""
        delete_thread(self._store, thread_name(thread))

    def prune(
        self, threads: Iterable[str] | None = None, *, older_than: timedelta = timedelta(0)
    ) -> Pruned:
        """Keep of each finished thread (of all, or of those given) its last state only."""
        named = list(threads) if threads is not None else thread_ids(self._store)
        return prune(self._store, self._graph, named, older_than)

    def stop(self) -> None:
        """Let the runs of this agent end after the step they are in, and begin no new ones.

        For a SIGTERM: every thread can be resumed, and nothing finished is lost.
        """
        self._stopped = True
        for control in list(self._running):
            control.request_drain()

    def close(self) -> None:
        """Close files and the embedding model."""
        if self._own is not None:
            self._own.close()
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

    @contextmanager
    def _hold(self, thread: str) -> Iterator[Held]:
        """The lease, given back only once no call of the thread is running any more."""
        with self._store.guarded(), lease(self._store, thread) as held:
            try:
                yield held
            finally:
                self._services.ledger.settle(thread)

    @asynccontextmanager
    async def _ahold(self, thread: str) -> AsyncIterator[Held]:
        """The same, taken and given back off the event loop."""
        holding = self._hold(thread)
        held = await asyncio.to_thread(holding.__enter__)
        try:
            yield held
        except BaseException as error:
            leave = asyncio.to_thread(holding.__exit__, type(error), error, error.__traceback__)
            if not await asyncio.shield(leave):
                raise
        else:
            await asyncio.shield(asyncio.to_thread(holding.__exit__, None, None, None))

    @contextmanager
    def _controlled(self) -> Iterator[RunControl]:
        """A run that `stop` can end; ending it is no error."""
        if self._stopped:
            raise GroundhopError("This agent is shutting down: ask again when it is back.")
        control = RunControl()
        self._running.add(control)
        try:
            yield control
        except GraphDrained:
            pass
        finally:
            self._running.discard(control)

    def _follow(self, course: Course, thread: str, context: Context) -> Iterator[Json]:
        """Take the steps of a course, and give its events and those of the graph."""
        yield {"event": "thread", "thread": thread}
        config = _config(thread, context)
        with self._hold(thread) as held:
            seen: Any = None
            while (step := next_step(course, seen)) is not None:
                match step:
                    case Look():
                        seen = self._graph.get_state(config)
                        continue
                    case Update(update):
                        self._graph.update_state(config, update, as_node="grade")
                    case Run():
                        with self._controlled() as control:
                            for event in self._graph.stream(**_started(step, thread, control)):
                                held.check()
                                yield event
                    case event:
                        yield event
                seen = None

    async def _afollow(
        self, course: Course, thread: str, context: Context
    ) -> AsyncGenerator[Json, None]:
        """The same for async code; closed, it gives the lease back before it returns."""
        yield {"event": "thread", "thread": thread}
        config = _config(thread, context)
        async with self._ahold(thread) as held:
            seen: Any = None
            while (step := next_step(course, seen)) is not None:
                match step:
                    case Look():
                        seen = await self._graph.aget_state(config)
                        continue
                    case Update(update):
                        await self._graph.aupdate_state(config, update, as_node="grade")
                    case Run():
                        with self._controlled() as control:
                            running = self._graph.astream(**_started(step, thread, control))
                            async with aclosing(running) as events:
                                async for event in events:
                                    held.check()
                                    yield event
                    case event:
                        yield event
                seen = None


def _started(step: Run, thread: str, control: RunControl) -> Json:
    """How the graph is run: a checkpoint is on the disk before the next step begins."""
    return {
        "input": step.given,
        "config": _config(thread, step.context),
        "context": step.context,
        "stream_mode": "custom",
        "durability": "sync",
        "control": control,
    }


def _config(thread: str, context: Context) -> Any:
    return {
        "configurable": {"thread_id": thread},
        "recursion_limit": recursion_limit(context),
    }
