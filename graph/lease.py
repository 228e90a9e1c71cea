"""A lease keeps two processes from running one thread at once, which would pay for it twice."""

import os
import socket
import sqlite3
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from graph.database import explain, open_database
from retrieval.errors import GroundhopError

LEASE_SECONDS = 30.0
HEARTBEAT_SECONDS = 10.0

_SCHEMA = """
create table if not exists leases (
    thread text primary key,
    owner text not null,
    host text not null,
    pid integer not null,
    expires real not null
)
"""


class ThreadBusyError(GroundhopError):
    """Another process is running the thread."""


@contextmanager
def lease(path: Path, thread: str) -> Iterator[None]:
    """Hold the thread while the block runs; raises ThreadBusyError where another one holds it.

    The lease is renewed every `HEARTBEAT_SECONDS`. One whose time is over, or whose process
    on this host is dead, is taken over.
    """
    owner = uuid.uuid4().hex
    connection = open_database(path)
    try:
        connection.execute(_SCHEMA)
        _take(connection, path, thread, owner)
        stopped = threading.Event()
        beat = threading.Thread(
            target=_keep_alive, args=(path, thread, owner, stopped), daemon=True
        )
        beat.start()
        try:
            yield
        finally:
            stopped.set()
            beat.join()
            with connection:
                connection.execute(
                    "delete from leases where thread = ? and owner = ?", (thread, owner)
                )
    except sqlite3.Error as error:
        raise explain(path, error) from None
    finally:
        connection.close()


def _take(connection: sqlite3.Connection, path: Path, thread: str, owner: str) -> None:
    connection.execute("begin immediate")
    try:
        row = connection.execute(
            "select host, pid, expires from leases where thread = ?", (thread,)
        ).fetchone()
        if row and row[2] > time.time() and _alive(row[0], row[1]):
            raise ThreadBusyError(
                f"Thread {thread} is being run by process {row[1]} on {row[0]}: wait until it "
                "is done, or stop that process."
            )
        connection.execute(
            "insert or replace into leases values (?, ?, ?, ?, ?)",
            (thread, owner, socket.gethostname(), os.getpid(), time.time() + LEASE_SECONDS),
        )
        connection.commit()
    except BaseException:
        connection.rollback()
        raise


def _alive(host: str, pid: int) -> bool:
    """Whether the holder may still run; only this host's processes can be asked."""
    if host != socket.gethostname():
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _keep_alive(path: Path, thread: str, owner: str, stopped: threading.Event) -> None:
    while not stopped.wait(HEARTBEAT_SECONDS):
        try:
            connection = open_database(path)
            with connection:
                connection.execute(
                    "update leases set expires = ? where thread = ? and owner = ?",
                    (time.time() + LEASE_SECONDS, thread, owner),
                )
            connection.close()
        except (GroundhopError, sqlite3.Error):
            continue  # the next beat tries again; the lease lasts three beats
