"""The checkpointer that `langgraph.json` gives a server: the run store of the command line.

The server's own store is flushed every ten seconds and knows nothing of `groundhop threads`;
with this one a killed server loses nothing, and both see the same threads.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from langgraph.checkpoint.base import BaseCheckpointSaver

from graph.settings import load_settings
from graph.store import Store, store_of


@asynccontextmanager
async def checkpointer() -> AsyncIterator[BaseCheckpointSaver[str]]:
    """An open checkpointer on the run store of the settings."""
    store = await asyncio.to_thread(_open)
    try:
        yield store.saver
    finally:
        await asyncio.to_thread(store.close)


def _open() -> Store:
    return store_of(load_settings())
