"""The checkpointer that `langgraph.json` gives a server: the run store of the command line.

The server's own store is flushed every ten seconds and knows nothing of `groundhop threads`;
with this one a killed server loses nothing, and both see the same threads.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from graph.checkpoints import open_async_saver
from graph.database import runs_path
from graph.settings import load_settings


@asynccontextmanager
async def checkpointer() -> AsyncIterator[AsyncSqliteSaver]:
    """An open checkpointer on the data folder's run store."""
    async with open_async_saver(runs_path(load_settings().home)) as saver:
        yield saver
