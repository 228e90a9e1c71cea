"""The run store on PostgreSQL, for several machines; needs the extra `postgres`."""

import selectors
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar
from urllib.parse import urlsplit, urlunsplit

from graph.database import RunStoreError
from graph.migrations import check_version, migrate
from graph.savers import postgres_states
from graph.sealing import Sealer, sealing_serializer
from graph.store import Cursor
from retrieval.errors import UsageError

T = TypeVar("T")

CONNECTIONS = 10
WAIT_SECONDS = 10.0
"""How long a call waits for a free connection, or for a server that is being started again."""
_TABLES = (
    "checkpoints",
    "checkpoint_blobs",
    "checkpoint_writes",
    "state_rows",
    "ledger",
    "leases",
)
_SELECTOR = getattr(selectors, "PollSelector", selectors.DefaultSelector)
"""One system call a look, where epoll takes five."""
_OURS = [*_TABLES, "groundhop_migrations", "checkpoint_migrations"]
_SIZE = " + ".join(f"pg_total_relation_size('{table}')" for table in _TABLES)
_MIGRATION_LOCK = 7_318_220_411


class PostgresStore:
    """Runs in one PostgreSQL database."""

    lock_leases = "lock table leases in exclusive mode"
    unhurried = "(select set_config('synchronous_commit', 'off', true)) as unhurried"
    now = "extract(epoch from clock_timestamp())::double precision"

    def __init__(self, url: str, sealer: Sealer | None = None) -> None:
        """Connect, and bring the tables up; raises RunStoreError where that fails."""
        self.place, self.sealer = readable_url(url), sealer or Sealer()
        self._pool, self._here = _pool(url), threading.local()
        try:
            with self.guarded():
                _open(self._pool)
            self.saver: Any = postgres_states(self._pool, sealing_serializer(self.sealer), self)
            with self.guarded(), self._pool.connection() as connection:
                connection.execute("select pg_advisory_lock(%s)", (_MIGRATION_LOCK,))
                try:
                    with connection.transaction(), connection.cursor() as cursor:
                        ours = {"groundhop_migrations", "state_rows", "ledger", "leases"}
                        migrate(cursor, "bytea", self.place, _existing(cursor) & ours)
                    self.saver.setup()
                finally:
                    connection.execute("select pg_advisory_unlock(%s)", (_MIGRATION_LOCK,))
        except BaseException:
            self._pool.close()
            raise

    @contextmanager
    def transaction(self, *, writes: bool = False) -> Iterator[Cursor]:
        """See `Store.transaction`; statements are sent together until a result is asked for."""
        with self.guarded(), self._pool.connection() as connection:
            try:
                with connection.pipeline(), connection.transaction(), connection.cursor() as cursor:
                    self._here.connection = connection
                    yield _Questioned(cursor)
            except BaseException:
                # After a rollback in a pipeline psycopg forgets what it has prepared too late.
                connection.close()
                raise
            finally:
                self._here.connection = None

    def one(self, sql: str, parameters: Sequence[Any] = ()) -> Any:
        """See `Store.one`."""

        def run() -> Any:
            with self.guarded(), self._pool.connection() as connection:
                return connection.execute(sql.replace("?", "%s"), parameters).fetchone()

        return self.steadily(run)

    def steadily(self, work: Callable[[], T]) -> T:
        """See `Store.steadily`: servers restart, and break off one of two in a deadlock."""
        import psycopg
        import psycopg_pool

        try:
            return work()
        except RunStoreError as error:
            why = error.__cause__
            if not isinstance(why, psycopg.OperationalError) or isinstance(
                why, psycopg_pool.PoolTimeout
            ):
                raise
            return work()

    def connection(self) -> Any:
        """The connection of the transaction that this thread is in, or None."""
        return getattr(self._here, "connection", None)

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """See `Store.guarded`."""
        import psycopg
        import psycopg_pool

        try:
            yield
        except (psycopg.Error, psycopg_pool.PoolTimeout) as error:
            raise explain(self.place, error) from error

    def drop_old_checkpoints(self, threads: list[str]) -> None:
        """See `Store.drop_old_checkpoints`."""
        with self.guarded():
            self.saver.prune(threads, strategy="keep_latest")
            for thread in threads:
                self.saver.drop_unnamed_rows(thread)

    def shrink(self) -> None:
        """See `Store.shrink`; runs wait for each table while it is written anew."""
        with self.guarded(), self._pool.connection() as connection:
            for table in _TABLES:
                connection.execute(f"vacuum full {table}")

    def size(self) -> int:
        """See `Store.size`; the tables of runs, with their indexes."""
        return int(self.one(f"select {_SIZE}")[0])

    def close(self) -> None:
        """See `Store.close`."""
        self._pool.close()


def look(url: str) -> tuple[int, int] | None:
    """Threads and bytes of the run store at a URL, or None where there is none yet.

    Changes nothing; raises RunStoreError where it cannot be used.
    """
    _needs_driver()
    import psycopg

    place = readable_url(url)
    try:
        with psycopg.connect(url, autocommit=True, connect_timeout=5) as connection:
            cursor = connection.cursor()
            cursor.execute("set default_transaction_read_only = on")
            there = _existing(cursor)
            if not there:
                return None
            if gone := sorted({*_OURS} - there):
                raise RunStoreError(f"The run store {place} lacks the tables {', '.join(gone)}.")
            check_version(cursor, place)
            cursor.execute(f"select count(distinct thread_id), {_SIZE} from checkpoints")
            threads, size = cursor.fetchall()[0]
            return int(threads), int(size)
    except psycopg.Error as error:
        raise explain(place, error) from error


def _existing(cursor: Any) -> set[str]:
    """Which tables of a run store there are."""
    cursor.execute("select one, to_regclass(one) from unnest(%s::text[]) as one", (_OURS,))
    return {name for name, found in cursor.fetchall() if found is not None}


def explain(place: str, error: Exception) -> RunStoreError:
    """One sentence for what the server says, and what to do."""
    text = " ".join(str(error).split())
    if "password" in text or "authentication" in text:
        advice = "correct user and password in GROUNDHOP_DATABASE_URL"
    elif "No space" in text or "disk full" in text.lower():
        advice = "free some space on its disk and resume"
    else:
        advice = "start the server, or correct GROUNDHOP_DATABASE_URL; then resume"
    return RunStoreError(f"The run store {place} cannot be used ({text}): {advice}.")


class _Questioned:
    """A cursor that takes `?` for a parameter, as SQLite does."""

    def __init__(self, cursor: Any) -> None:
        self._cursor = cursor

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> "_Questioned":
        self._cursor.execute(sql.replace("?", "%s"), parameters)
        return self

    def executemany(self, sql: str, parameters: Sequence[Sequence[Any]]) -> None:
        self._cursor.executemany(sql.replace("?", "%s"), parameters)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cursor, name)


def readable_url(url: str) -> str:
    """The URL without its password; raises UsageError where it is none of PostgreSQL."""
    parts = urlsplit(url)
    if parts.scheme not in ("postgresql", "postgres"):
        raise UsageError(
            "GROUNDHOP_DATABASE_URL must begin with postgresql://, as in "
            "postgresql://user@127.0.0.1:5432/groundhop."
        )
    host = parts.netloc.rpartition("@")[2]
    user = parts.username
    return urlunsplit((parts.scheme, f"{user}@{host}" if user else host, parts.path, "", ""))


def _needs_driver() -> None:
    try:
        import psycopg_pool  # noqa: F401
        from langgraph.checkpoint.postgres import PostgresSaver  # noqa: F401
    except ImportError:
        raise UsageError(
            "GROUNDHOP_DATABASE_URL is set, but the driver is not installed: "
            "`pip install 'groundhop[postgres]'`."
        ) from None


def _pool(url: str) -> Any:
    _needs_driver()
    from psycopg_pool import ConnectionPool

    return ConnectionPool(
        url,
        min_size=1,
        max_size=CONNECTIONS,
        timeout=WAIT_SECONDS,
        open=False,
        check=_check,
        kwargs={"autocommit": True, "prepare_threshold": 0, "connect_timeout": 5},
    )


def _open(pool: Any) -> None:
    """Open a pool; where it gets no connection, the server says itself why not."""
    import psycopg
    import psycopg_pool

    try:
        pool.open(wait=True, timeout=WAIT_SECONDS)
    except psycopg_pool.PoolTimeout:
        psycopg.connect(pool.conninfo, connect_timeout=5).close()
        raise


def _check(connection: Any) -> None:
    """Raises OperationalError for a connection that the server has closed.

    Such a one can be read from, and one at rest cannot: only then is the server asked.
    """
    from psycopg_pool import ConnectionPool

    with _SELECTOR() as selector:
        selector.register(connection.fileno(), selectors.EVENT_READ)
        if selector.select(0):
            ConnectionPool.check_connection(connection)
