"""The durable record of tool and policy calls: a finished call is never run again.

LangGraph saves the work of a superstep when all of it is done; a process that dies before
that would repeat every finished call. So each call commits its own result here before its
node goes on. A crash inside a call repeats that call alone, and it is counted twice.
"""

import hashlib
import json
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from langgraph.errors import GraphBubbleUp

from graph.database import explain, open_database
from nodes.services import Entry, Json

_SCHEMA = """
create table if not exists ledger (
    key text not null,
    attempt integer not null,
    thread text not null,
    question integer not null,
    kind text not null,
    name text not null,
    started real not null,
    finished real,
    result text,
    error text,
    tokens integer not null default 0,
    money real not null default 0,
    primary key (key, attempt)
);
create index if not exists ledger_by_thread on ledger (thread, question);
"""


class SqliteLedger:
    """A ledger in an SQLite file; safe for threads and processes."""

    def __init__(self, path: Path) -> None:
        """Open or create the ledger at `path`; raises RunStoreError where that fails."""
        self._path = path
        self._connection = open_database(path)
        self._lock = threading.Lock()
        try:
            self._connection.executescript(_SCHEMA)
        except sqlite3.Error as error:
            self._connection.close()
            raise explain(path, error) from None

    def call(self, key: Json, work: Callable[[], Json]) -> Entry:
        """Answer from the record, or run `work` and record it; see `nodes.services.Ledger`."""
        digest = hashlib.sha256(_canonical(key).encode()).hexdigest()
        finished = self._finished(digest)
        if finished is not None:
            return self._entry(digest, finished, None, replayed=True)
        attempt = self._begin(digest, key)
        try:
            result = work()
            _canonical(result).encode()  # a result that is no JSON is the tool's error
        except GraphBubbleUp:
            self._withdraw(digest, attempt)  # a pause costs nothing; the call is made on resume
            raise
        except Exception as error:
            self._finish(digest, attempt, None, _sentence(error), {})
            if key["kind"] != "tool":
                raise
            return self._entry(digest, None, _sentence(error), replayed=False)
        self._finish(digest, attempt, result, None, result.get("usage", {}))
        return self._entry(digest, result, None, replayed=False)

    def rows(self, thread: str) -> list[Json]:
        """The calls of a thread in the order they began, for `trace` and for audits."""
        with self._transaction() as connection:
            cursor = connection.execute(
                "select key, attempt, question, kind, name, started, finished, error, tokens, money"
                " from ledger where thread = ? order by started, attempt",
                (thread,),
            )
            names = [column[0] for column in cursor.description]
            return [dict(zip(names, row, strict=True)) for row in cursor]

    def delete(self, thread: str) -> None:
        """Forget the calls of a thread."""
        with self._transaction() as connection:
            connection.execute("delete from ledger where thread = ?", (thread,))

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        try:
            with self._lock, self._connection:
                yield self._connection
        except sqlite3.Error as error:
            raise explain(self._path, error) from None

    def _finished(self, digest: str) -> Json | None:
        with self._transaction() as connection:
            row = connection.execute(
                "select result from ledger where key = ? and result is not null", (digest,)
            ).fetchone()
        return json.loads(row[0]) if row else None

    def _begin(self, digest: str, key: Json) -> int:
        name, now = str(key["name"]), time.time()
        with self._transaction() as connection:
            row = connection.execute(
                "insert into ledger (key, attempt, thread, question, kind, name, started)"
                " select ?, coalesce(max(attempt), 0) + 1, ?, ?, ?, ?, ? from ledger"
                " where key = ? returning attempt",
                (digest, key["thread"], key["question"], key["kind"], name, now, digest),
            ).fetchone()
        return int(row[0])

    def _withdraw(self, digest: str, attempt: int) -> None:
        with self._transaction() as connection:
            connection.execute(
                "delete from ledger where key = ? and attempt = ?", (digest, attempt)
            )

    def _finish(
        self, digest: str, attempt: int, result: Json | None, error: str | None, usage: Json
    ) -> None:
        tokens = usage.get("input_tokens", 0) + usage.get("output_tokens", 0)
        text = None if result is None else _canonical(result)
        money = usage.get("money", 0.0)
        with self._transaction() as connection:
            connection.execute(
                "update ledger set finished = ?, result = ?, error = ?, tokens = ?, money = ?"
                " where key = ? and attempt = ?",
                (time.time(), text, error, tokens, money, digest, attempt),
            )

    def _entry(
        self, digest: str, result: Json | None, error: str | None, *, replayed: bool
    ) -> Entry:
        with self._transaction() as connection:
            attempts, seconds, tokens, money = connection.execute(
                "select count(*), coalesce(sum(finished - started), 0), coalesce(sum(tokens), 0),"
                " coalesce(sum(money), 0) from ledger where key = ?",
                (digest,),
            ).fetchone()
        return Entry(result, error, attempts, max(0.0, seconds), tokens, money, replayed)


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def _sentence(error: Exception) -> str:
    return str(error).strip() or type(error).__name__
