"""Checkpointers: where LangGraph keeps the states of a thread."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from graph.database import BUSY_SECONDS, explain, open_database


def open_saver(path: Path) -> SqliteSaver:
    """The checkpointer of synchronous runs; raises RunStoreError."""
    saver = SqliteSaver(open_database(path))
    try:
        saver.setup()
    except sqlite3.Error as error:
        saver.conn.close()
        raise explain(path, error) from None
    return saver


@asynccontextmanager
async def open_async_saver(path: Path) -> AsyncIterator[AsyncSqliteSaver]:
    """The checkpointer of asynchronous runs, on the same file."""
    import asyncio

    import aiosqlite

    connection = await asyncio.to_thread(open_database, path)
    await asyncio.to_thread(connection.close)
    async with aiosqlite.connect(path, timeout=BUSY_SECONDS) as database:
        await database.execute("pragma synchronous=normal")
        saver = AsyncSqliteSaver(database)
        await saver.setup()
        yield saver
