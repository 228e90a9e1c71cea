"""A lease keeps two processes from running one thread at once, which would pay for it twice."""

import os
import socket
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from graph.store import Cursor, Store
from retrieval.errors import GroundhopError

LEASE_SECONDS = 30.0
HEARTBEAT_SECONDS = 10.0


class ThreadBusyError(GroundhopError):
    """Another process is running the thread."""


@dataclass
class Held:
    """A lease while it is held; `lost` is set once another process has taken it over."""

    thread: str
    lost: threading.Event = field(default_factory=threading.Event)

    def check(self) -> None:
        """Raises ThreadBusyError if the lease was lost: what this process does is no longer
        wanted."""
        if self.lost.is_set():
            raise ThreadBusyError(
                f"Thread {self.thread} was taken over by another process, because this one gave "
                "no sign of life: look at it with `groundhop trace`."
            )


@contextmanager
def lease(store: Store, thread: str) -> Iterator[Held]:
    """Hold the thread while the block runs; raises ThreadBusyError where another one holds it.

    The lease is renewed every `HEARTBEAT_SECONDS`. Another process of this machine is asked
    whether it lives, so that no clock matters; one elsewhere, and a run of this process that
    could not give it back, lose the lease when its time is over by the clock of the store.
    """
    owner, held = uuid.uuid4().hex, Held(thread)
    _take(store, thread, owner)
    stopped = threading.Event()
    beat = threading.Thread(target=_keep_alive, args=(store, held, owner, stopped), daemon=True)
    beat.start()
    try:
        yield held
    finally:
        stopped.set()
        beat.join()
        with suppress(GroundhopError), store.transaction() as cursor:  # else it runs out
            cursor.execute(f"select * from {store.unhurried}")
            cursor.execute("delete from leases where thread = ? and owner = ?", (thread, owner))


def _take(store: Store, thread: str, owner: str) -> None:
    with store.transaction(writes=True) as cursor:
        cursor.execute(f"select * from {store.unhurried}")
        cursor.execute(store.lock_leases)
        cursor.execute(
            f"select host, pid, born, expires - {store.now} from leases where thread = ?",
            (thread,),
        )
        row = cursor.fetchone()
        busy = bool(row) and _holds(*row)
        if not busy:
            cursor.execute("delete from leases where thread = ?", (thread,))
            cursor.execute(
                "insert into leases (thread, owner, host, pid, born, expires)"
                f" values (?, ?, ?, ?, ?, {store.now} + {LEASE_SECONDS})",
                (thread, owner, socket.gethostname(), os.getpid(), _born(os.getpid())),
            )
    if busy:
        raise ThreadBusyError(
            f"Thread {thread} is being run by process {row[1]} on {row[0]}: wait until it "
            "is done, or stop that process."
        )


def _holds(host: str, pid: int, born: str, seconds_left: float) -> bool:
    """Whether a lease still counts."""
    # More than a whole lease ahead means that the clock was set back since.
    running = 0 < seconds_left <= LEASE_SECONDS + HEARTBEAT_SECONDS
    if host != socket.gethostname():
        return running
    if pid == os.getpid() or born == "":
        return running and born == _born(pid) and _alive(pid)
    return born == _born(pid) and _alive(pid)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _born(pid: int) -> str:
    """When a process was started, so that a later one with the same id is another; "" unknown."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return ""
    state, *fields = stat.rpartition(")")[2].split()
    return "dead" if state in "ZX" else fields[18]


def _keep_alive(store: Store, held: Held, owner: str, stopped: threading.Event) -> None:
    while not stopped.wait(HEARTBEAT_SECONDS):
        try:
            with store.transaction() as cursor:
                if not _renew(store, cursor, held.thread, owner):
                    held.lost.set()
                    return
        except GroundhopError:
            continue  # the next beat tries again; the lease lasts three beats


def _renew(store: Store, cursor: Cursor, thread: str, owner: str) -> bool:
    cursor.execute(
        f"update leases set expires = {store.now} + {LEASE_SECONDS} where thread = ? and owner = ?"
        " returning thread",
        (thread, owner),
    )
    return cursor.fetchone() is not None
