"""LangGraph's checkpointers for sync and async code alike, over connections of ours.

The async savers of LangGraph belong to one event loop and need a connection for each; ours run
the sync saver in threads of its own, so that one agent serves scripts, servers and notebooks.
"""

import asyncio
import base64
from collections.abc import AsyncIterator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.sqlite import SqliteSaver

from graph.rows import SharedRows

if TYPE_CHECKING:
    from langgraph.checkpoint.postgres import PostgresSaver

    from graph.postgres import PostgresStore
    from graph.store import Store

_THREADS = 4


class InThreads(BaseCheckpointSaver[str]):
    """The async methods of a saver, as its sync ones in threads; for use as a mixin.

    The threads are not those of the event loop, which nodes may fill.
    """

    _pool: ThreadPoolExecutor | None = None

    async def aget_tuple(self, config: Any) -> Any:
        """`get_tuple` off the event loop."""
        return await self._off_loop(self.get_tuple, config)

    async def alist(
        self,
        config: Any,
        *,
        filter: dict[str, Any] | None = None,
        before: Any = None,
        limit: int | None = None,
    ) -> AsyncIterator[Any]:
        """`list` off the event loop."""

        def read() -> list[Any]:
            return [*self.list(config, filter=filter, before=before, limit=limit)]

        for item in await self._off_loop(read):
            yield item

    async def aput(self, config: Any, checkpoint: Any, metadata: Any, new_versions: Any) -> Any:
        """`put` off the event loop."""
        return await self._off_loop(self.put, config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self, config: Any, writes: Sequence[Any], task_id: str, task_path: str = ""
    ) -> None:
        """`put_writes` off the event loop."""
        await self._off_loop(self.put_writes, config, writes, task_id, task_path)

    async def adelete_thread(self, thread_id: str) -> None:
        """`delete_thread` off the event loop."""
        await self._off_loop(self.delete_thread, thread_id)

    async def _off_loop(self, work: Any, *arguments: Any) -> Any:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="checkpoints")
        return await asyncio.get_running_loop().run_in_executor(self._pool, work, *arguments)


class SqliteStates(InThreads, SharedRows, SqliteSaver):
    """The checkpointer on the connection of an SQLite store."""

    writes_table = "writes"

    def __init__(self, connection: Any, lock: Any, serde: Any, store: "Store") -> None:
        super().__init__(connection, serde=serde)
        self.lock, self.store, self._last, self._written = lock, store, {}, {}


def postgres_states(pool: Any, serde: Any, store: "PostgresStore") -> "PostgresSaver":
    """The checkpointer on PostgreSQL; raises ImportError without the extra `postgres`.

    LangGraph would keep a row for each value that changed, and names and versions of all values
    as readable JSON. Here a checkpoint is one text in that JSON, packed and sealed as a whole:
    a third of the bytes, one row to write, and nothing to read for who has no key.
    """
    from langgraph.checkpoint.postgres import PostgresSaver
    from psycopg.rows import dict_row

    class Packing(PostgresSaver):
        """LangGraph's saver, with packed checkpoints."""

        def put(self, config: Any, checkpoint: Any, metadata: Any, new_versions: Any) -> Any:
            """Store a checkpoint."""
            kind, data = self.serde.dumps_typed(checkpoint)
            outside: Any = {
                **{name: checkpoint[name] for name in ("v", "id", "ts")},
                "channel_values": {_PACKED: f"{kind}:{base64.b64encode(data).decode()}"},
                "channel_versions": {},
                "versions_seen": {},
            }
            return super().put(config, outside, metadata, {})

        def _load_checkpoint_tuple(self, value: Any) -> Any:
            found = super()._load_checkpoint_tuple(value)
            packed = found.checkpoint["channel_values"].get(_PACKED)
            if packed is None:
                return found
            kind, _, data = packed.rpartition(":")
            return found._replace(checkpoint=self.serde.loads_typed((kind, base64.b64decode(data))))

        @contextmanager
        def _cursor(self, *, pipeline: bool = False) -> Iterator[Any]:
            """One in the transaction that this thread is in, if it is in one."""
            connection = store.connection()
            if connection is None:
                with super()._cursor(pipeline=pipeline) as cursor:
                    yield cursor
            else:
                with connection.cursor(binary=True, row_factory=dict_row) as cursor:
                    yield cursor

    class PostgresStates(InThreads, SharedRows, Packing):
        """The checkpointer on a pool of PostgreSQL connections."""

        writes_table = "checkpoint_writes"

    saver = PostgresStates(pool, serde=serde)
    saver.store, saver._last, saver._written = store, {}, {}
    saver.lock = nullcontext()  # type: ignore[assignment]  # the pool hands each thread its own
    return saver


_PACKED = "groundhop:checkpoint"
