"""LangGraph's checkpointers for sync and async code alike, over connections of ours.

The async savers of LangGraph belong to one event loop and need a connection for each; ours run
the sync saver in threads of its own, so that one agent serves scripts, servers and notebooks.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.sqlite import SqliteSaver

from graph.rows import SharedRows

if TYPE_CHECKING:
    from langgraph.checkpoint.postgres import PostgresSaver

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
    """The checkpointer on an SQLite file."""

    writes_table = "writes"

    def __init__(self, connection: Any, serde: Any, store: "Store") -> None:
        super().__init__(connection, serde=serde)
        self.store, self._last = store, {}


def postgres_states(pool: Any, serde: Any, store: "Store") -> "PostgresSaver":
    """The checkpointer on PostgreSQL; raises ImportError without the extra `postgres`.

    Where the store encrypts, plain strings of the state are put where the serializer seals them:
    LangGraph would keep them readable beside the sealed values.
    """
    from langgraph.checkpoint.postgres import PostgresSaver

    class Hiding(PostgresSaver):
        """LangGraph's saver, with hidden strings."""

        def put(self, config: Any, checkpoint: Any, metadata: Any, new_versions: Any) -> Any:
            """Store a checkpoint."""
            if store.sealer.encrypts:
                values = checkpoint["channel_values"]
                wrapped = {
                    name: {_HIDDEN: value} if isinstance(value, str) else value
                    for name, value in values.items()
                }
                checkpoint = {**checkpoint, "channel_values": wrapped}
            return super().put(config, checkpoint, metadata, new_versions)

        def _load_blobs(self, blob_values: Any) -> dict[str, Any]:
            return {
                name: value[_HIDDEN] if isinstance(value, dict) and _HIDDEN in value else value
                for name, value in super()._load_blobs(blob_values).items()
            }

    class PostgresStates(InThreads, SharedRows, Hiding):
        """The checkpointer on a pool of PostgreSQL connections."""

        writes_table = "checkpoint_writes"

    saver = PostgresStates(pool, serde=serde)
    saver.store, saver._last = store, {}
    saver.lock = nullcontext()  # type: ignore[assignment]  # the pool hands each thread its own
    return saver


_HIDDEN = "groundhop:text"
