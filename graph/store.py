"""The run store: checkpoints, ledger and leases, in one SQLite file or one PostgreSQL database.

Ledger, leases and listings are written once, in SQL that both understand; `transaction` is all
that they need of a store.
"""

import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from langgraph.checkpoint.base import BaseCheckpointSaver

from graph.database import explain, open_database, runs_path
from graph.migrations import migrate
from graph.savers import SqliteStates
from graph.sealing import Sealer, parse_key, sealing_serializer

if TYPE_CHECKING:
    from graph.settings import Settings

T = TypeVar("T")


class Cursor(Protocol):
    """The part of a database cursor that is used here; `?` stands for a parameter."""

    description: Any

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> Any:
        """Run a statement."""
        ...

    def executemany(self, sql: str, parameters: Sequence[Sequence[Any]]) -> Any:
        """Run a statement for each set of parameters."""
        ...

    def fetchone(self) -> Any:
        """The next row, or None."""
        ...

    def fetchall(self) -> list[Any]:
        """All rows that are left."""
        ...


class Store(Protocol):
    """Where runs are kept."""

    place: str
    """What people call it: the path, or the URL without its password."""
    sealer: Sealer
    now: str
    """SQL for the seconds since 1970 by the clock of the store."""
    lock_leases: str
    """SQL that keeps other transactions from taking leases until this one ends."""

    unhurried: str
    """SQL for a row to select from, by whose statement the transaction need not wait for the disk:
    it survives the death of this process, and a loss of power only with a later transaction."""

    @property
    def saver(self) -> BaseCheckpointSaver[str]:
        """LangGraph's checkpointer on this store."""
        ...

    def transaction(self, *, writes: bool = False) -> AbstractContextManager[Cursor]:
        """A cursor in a transaction; `writes` tells that it reads first and writes then.

        Raises RunStoreError for what the database says.
        """
        ...

    def one(self, sql: str, parameters: Sequence[Any] = ()) -> Any:
        """Run a statement that gives rows, in a transaction of its own; its first row or None.

        It may run twice where the connection is lost.
        """
        ...

    def steadily(self, work: Callable[[], T]) -> T:
        """Do work that may be done twice; it is, where the connection is lost on the way."""
        ...

    def guarded(self) -> AbstractContextManager[None]:
        """Turn what the checkpointer says of the database into RunStoreError."""
        ...

    def drop_old_checkpoints(self, threads: list[str]) -> None:
        """Keep the newest checkpoint of each thread."""
        ...

    def shrink(self) -> None:
        """Give the space of what was deleted back to the disk."""
        ...

    def size(self) -> int:
        """Bytes on the disk."""
        ...

    def close(self) -> None:
        """Close all connections."""
        ...


class SqliteStore:
    """Runs in one SQLite file; safe for threads and processes of one machine."""

    now = "(julianday('now') - 2440587.5) * 86400.0"
    lock_leases = "select 1"  # `writes` has locked the whole file
    unhurried = "(select 1)"  # none waits: see `open_database`

    def __init__(self, path: Path, sealer: Sealer | None = None) -> None:
        """Open or create the file; raises RunStoreError where that fails."""
        self.place, self._path = str(path), path
        self.sealer = sealer or Sealer()
        self._lock = threading.RLock()  # the saver writes inside transactions of ours
        self._connection = open_database(path)
        self.saver: SqliteStates
        try:
            with self.transaction(writes=True) as cursor:
                cursor.execute("select name from sqlite_master where type = 'table'")
                migrate(cursor, "blob", self.place, {row[0] for row in cursor.fetchall()})
            serializer = sealing_serializer(self.sealer)
            self.saver = SqliteStates(self._connection, self._lock, serializer, self)
            with self.guarded():
                self.saver.setup()
        except BaseException:
            self.close()
            raise

    @contextmanager
    def transaction(self, *, writes: bool = False) -> Iterator[Cursor]:
        """See `Store.transaction`."""
        with self.guarded(), self._lock, self._connection:
            cursor = self._connection.cursor()
            if writes:
                cursor.execute("begin immediate")
            yield cursor  # type: ignore[misc]

    def one(self, sql: str, parameters: Sequence[Any] = ()) -> Any:
        """See `Store.one`."""
        with self.transaction() as cursor:
            return cursor.execute(sql, parameters).fetchone()

    def steadily(self, work: Callable[[], T]) -> T:
        """See `Store.steadily`; there is no connection to lose."""
        return work()

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """See `Store.guarded`."""
        try:
            yield
        except (sqlite3.Error, sqlite3.Warning) as error:
            raise explain(self._path, error) from error

    def drop_old_checkpoints(self, threads: list[str]) -> None:
        """See `Store.drop_old_checkpoints`."""
        newest = (
            "(select max(checkpoint_id) from checkpoints newest"
            " where newest.thread_id = {0}.thread_id"
            " and newest.checkpoint_ns = {0}.checkpoint_ns)"
        )
        for thread in threads:
            with self.transaction(writes=True) as cursor:
                for table in ("writes", "checkpoints"):
                    cursor.execute(
                        f"delete from {table} where thread_id = ? and checkpoint_id <>"
                        f" {newest.format(table)}",
                        (thread,),
                    )
            self.saver.drop_unnamed_rows(thread)

    def shrink(self) -> None:
        """See `Store.shrink`."""
        with self.guarded(), self._lock:
            self._connection.execute("vacuum")
            self._connection.execute("pragma wal_checkpoint(truncate)")

    def size(self) -> int:
        """See `Store.size`."""
        return sum(one.stat().st_size for one in self._path.parent.glob(f"{self._path.name}*"))

    def close(self) -> None:
        """See `Store.close`."""
        self._connection.close()


def open_store(home: Path, url: str | None = None, key: bytes | None = None) -> Store:
    """The run store of a data folder, or the one at a PostgreSQL URL.

    Raises RunStoreError where it cannot be opened, UsageError for a URL that is no PostgreSQL.
    """
    sealer = Sealer(key)
    if url is None:
        return SqliteStore(runs_path(home), sealer)
    from graph.postgres import PostgresStore

    return PostgresStore(url, sealer)


def store_of(settings: "Settings") -> Store:
    """The run store of the settings; see `open_store`."""
    key = settings.aes_key
    return open_store(
        settings.home,
        settings.server_url(),
        parse_key(key.get_secret_value()) if key else None,
    )
