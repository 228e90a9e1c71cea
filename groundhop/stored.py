"""The stored runs, opened without a knowledge base: enough to list, show, prune and fork them."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graph.store import Store


@contextmanager
def stored_runs(home: Path | None) -> "Iterator[tuple[Store, Any] | None]":
    """The run store of the settings and the graph over it, or None while nothing was asked."""
    from graph.database import runs_path
    from graph.settings import load_settings

    settings = load_settings(home)
    if settings.database_url is None and not runs_path(settings.home).exists():
        yield None
        return
    from graph.store import store_of
    from graph.threads import open_runs

    with closing(store_of(settings)) as store, open_runs(store) as graph:
        yield store, graph
