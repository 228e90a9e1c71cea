"""One ingest at a time, and one sentence for what the disk refuses."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from retrieval.errors import KnowledgeBaseError

_LOCK = "ingest.lock"


@contextmanager
def alone(home: Path) -> Iterator[None]:
    """Hold the lock of a knowledge base, whose folder is made if need be.

    A lock of SQLite: the system releases it with a killed process, on every platform. Raises
    `KnowledgeBaseError` at once if another ingest holds it.
    """
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = home / _LOCK
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as connection:
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise
            raise KnowledgeBaseError(
                f"Another ingest is at work in {home}: wait for its end, then run yours again."
            ) from None
        yield


@contextmanager
def explained(home: Path) -> Iterator[None]:
    """Turn what the disk, SQLite or Chroma refuses into a `KnowledgeBaseError`."""
    try:
        yield
    except BrokenPipeError:
        raise  # whoever watched the progress is gone
    except Exception as error:
        chroma = type(error).__module__.startswith("chromadb")
        if not chroma and not isinstance(error, OSError | sqlite3.Error):
            raise
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise KnowledgeBaseError(
            f"The knowledge base in {home} cannot be written ({reason}): check the free space "
            f"and the permissions of the folder, then run the same command again."
        ) from error
