"""A SQLite file of vectors by key, shared by threads and processes.

Only a cache: a damaged file is set aside and a new one begun, and a file that cannot be used
(no room, no permission, locked for long) makes embedding slower, never impossible.
"""

import logging
import os
import sqlite3
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import TypeVar

import numpy as np

from retrieval.embeddings.protocol import Vectors
from retrieval.write_ahead_log import use_write_ahead_log

_LOG = logging.getLogger(__name__)
_KEYS_PER_SELECT = 500
_BUSY_SECONDS = 30.0
_TOLERANCE = 1e-3
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_SCHEMA = "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL)"

_Result = TypeVar("_Result")


class VectorFile:
    """Reads and writes vectors; never raises for what is wrong with the file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._warned = False

    def read(self, keys: Sequence[bytes]) -> dict[bytes, Vectors]:
        """The vectors of those keys that are in the file, each of shape (dimensions,)."""
        return self._use(lambda connection: _select(connection, keys)) or {}

    def write(self, rows: Mapping[bytes, Vectors]) -> None:
        """Keeps the vectors, all in one transaction."""
        self._use(lambda connection: _insert(connection, rows))

    def close(self) -> None:
        """Closes the file; a later call opens it again."""
        with self._lock:
            self._disconnect()

    def _use(self, work: Callable[[sqlite3.Connection], _Result]) -> _Result | None:
        """What `work` returns, if need be on a new file; None where no file can be used."""
        with self._lock:
            try:
                return self._on_sound_file(work)
            except (sqlite3.Error, OSError) as error:
                self._disconnect()
                if not self._warned:
                    _LOG.warning("The embedding cache %s is not used: %s.", self._path, error)
                self._warned = True
                return None

    def _on_sound_file(self, work: Callable[[sqlite3.Connection], _Result]) -> _Result:
        try:
            return work(self._connected())
        except sqlite3.DatabaseError as error:
            if not _is_damage(error):
                raise
        self._disconnect()
        _set_aside(self._path)
        return work(self._connected())

    def _connected(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = _connect(self._path)
        return self._connection

    def _disconnect(self) -> None:
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None


def _connect(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Never opened here when it exists: closing it would drop the locks of other connections.
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, check_same_thread=False)
    try:
        use_write_ahead_log(connection)
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(_SCHEMA)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _select(connection: sqlite3.Connection, keys: Sequence[bytes]) -> dict[bytes, Vectors]:
    wanted = list(dict.fromkeys(keys))
    found: dict[bytes, Vectors] = {}
    for start in range(0, len(wanted), _KEYS_PER_SELECT):
        some = wanted[start : start + _KEYS_PER_SELECT]
        marks = ",".join("?" * len(some))
        query = f"SELECT key, vector FROM vectors WHERE key IN ({marks})"
        for key, blob in connection.execute(query, some):
            vector = _vector(blob)
            if vector is not None:
                found[key] = vector
    return found


def _vector(blob: bytes) -> Vectors | None:
    """The stored vector, or None where what is stored cannot be one: its length must be 1."""
    if not blob or len(blob) % 4:
        return None
    vector = np.frombuffer(blob, dtype="<f4")
    return vector if abs(float(vector @ vector) - 1.0) < _TOLERANCE else None


def _insert(connection: sqlite3.Connection, rows: Mapping[bytes, Vectors]) -> None:
    values = [(key, np.asarray(row, dtype="<f4").tobytes()) for key, row in rows.items()]
    with connection:
        connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", values)


def _is_damage(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGED


def _set_aside(path: Path) -> None:
    """Renames the file, unless another process has begun a sound one meanwhile."""
    try:
        with closing(sqlite3.connect(path, timeout=_BUSY_SECONDS)) as connection:
            if connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",):
                return
    except sqlite3.DatabaseError as error:
        if not _is_damage(error):
            raise
    aside = path.with_name(path.name + ".damaged")
    os.replace(path, aside)
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    _LOG.warning("The embedding cache %s was damaged: it is now %s, a new one begins.", path, aside)
