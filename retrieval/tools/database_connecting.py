"""Connections that only read: SQLite and PostgreSQL keep to it themselves."""

import contextlib
import socket
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from retrieval.errors import ToolError

LARGEST = 10_000_000
"""Bytes of one value that SQLite may make or read."""
_STEPS = 10_000
"""Instructions of SQLite between two looks at the clock."""
_GRACE = 1.0
"""Seconds after which a server that does not keep to its timeout is given up."""
_READS = {
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_FUNCTION,
    sqlite3.SQLITE_RECURSIVE,
}
_FILE_FUNCTIONS = {"load_extension", "readfile", "writefile", "edit", "fts3_tokenizer"}
_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: LARGEST,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 200,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
}


def _sqlite(url: sa.URL, timeout: float, file: Path) -> sa.Engine:
    """Connections to a file that is opened anew each time, as it may have been replaced."""
    address = f"{file.absolute().as_uri()}?mode=ro"

    def connect() -> sqlite3.Connection:
        opened = sqlite3.connect(address, uri=True, timeout=timeout, check_same_thread=False)
        opened.text_factory = lambda raw: raw.decode("utf-8", "replace")
        return opened

    return sa.create_engine("sqlite://", creator=connect, poolclass=sa.NullPool)


@contextmanager
def guarded(connection: sa.Connection, timeout: float) -> Iterator[None]:
    """Keep a connection to reading, and to the time that a statement may take."""
    raw: Any = connection.connection.dbapi_connection
    if connection.dialect.name == "sqlite":
        _guard(raw, timeout)
        yield
        return
    end = threading.Timer(timeout + _GRACE, _hang_up, [raw.fileno()])
    end.daemon = True
    end.start()
    try:
        yield
    finally:
        end.cancel()


def _hang_up(descriptor: int) -> None:
    """End a connection whose server has not even said that the time is over."""
    with contextlib.suppress(OSError), socket.fromfd(descriptor, socket.AF_INET, 0) as ours:
        ours.shutdown(socket.SHUT_RDWR)


def _guard(connection: Any, timeout: float) -> None:
    """From now on only reads, until the time is over; SQLite itself keeps to both."""
    connection.execute("PRAGMA query_only = ON")
    for limit, most in _LIMITS.items():
        connection.setlimit(limit, most)
    end = time.monotonic() + timeout
    connection.set_progress_handler(lambda: time.monotonic() > end, _STEPS)
    connection.set_authorizer(_authorize)


def _authorize(action: int, one: str | None, two: str | None, *_: Any) -> int:
    reads_file = action == sqlite3.SQLITE_FUNCTION and (two or "").lower() in _FILE_FUNCTIONS
    allowed = action in _READS and not reads_file
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


def _postgres(url: sa.URL, timeout: float, _: Path) -> sa.Engine:
    milliseconds = max(1, int(timeout * 1000))
    options = (
        "-c default_transaction_read_only=on "
        f"-c statement_timeout={milliseconds} -c lock_timeout={milliseconds} "
        f"-c idle_in_transaction_session_timeout={2 * milliseconds + 1000}"
    )
    given = {"connect_timeout": 5, "options": options, "application_name": "groundhop"}
    target = url.set(drivername="postgresql+psycopg")
    try:
        return sa.create_engine(target, connect_args=given)
    except ImportError:
        raise ToolError(
            "A database is on PostgreSQL, but the driver is not installed: "
            "`pip install 'groundhop[postgres]'`."
        ) from None


ENGINES: dict[str, Callable[[sa.URL, float, Path], sa.Engine]] = {
    "sqlite": _sqlite,
    "postgresql": _postgres,
}
