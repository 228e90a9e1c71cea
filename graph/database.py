"""Opening the SQLite file that holds checkpoints, ledger and leases."""

import sqlite3
from pathlib import Path

from retrieval.errors import GroundhopError
from retrieval.write_ahead_log import use_write_ahead_log

BUSY_SECONDS = 30.0


class RunStoreError(GroundhopError):
    """The file that keeps runs cannot be used."""


class DamagedThreadError(RunStoreError):
    """What is stored of one thread cannot be read any more; others may be."""


def runs_path(home: Path) -> Path:
    """Where the runs of a data folder are kept."""
    return home / "runs.sqlite"


def open_database(path: Path) -> sqlite3.Connection:
    """A connection that threads may share under a lock; the file is its owner's alone.

    Write-ahead logging with `synchronous=NORMAL` survives the death of the process at any
    moment; a loss of power can take the last commits with it.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.touch(mode=0o600, exist_ok=True)
        connection = sqlite3.connect(path, check_same_thread=False, timeout=BUSY_SECONDS)
        use_write_ahead_log(connection)
        connection.execute("pragma synchronous=normal")
        connection.execute("select count(*) from sqlite_master").fetchone()
    except (OSError, sqlite3.Error) as error:
        raise explain(path, error) from None
    return connection


def explain(path: Path, error: Exception) -> RunStoreError:
    """One sentence for what went wrong with the file, and what to do."""
    text = str(error)
    if "not a database" in text or "malformed" in text:
        what = "is damaged or is no database of runs; move it away to start with an empty one"
    elif "readonly" in text or "Permission" in text or "Read-only" in text:
        what = "cannot be written; make the folder writable or choose another with --home"
    elif "full" in text or "No space" in text:
        what = "cannot grow because the disk is full; free some space and resume"
    elif "locked" in text:
        what = "is locked by another process; try again when that one is done"
    else:
        what = f"cannot be opened ({text})"
    return RunStoreError(f"The run store {path} {what}.")
