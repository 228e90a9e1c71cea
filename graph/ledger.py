"""The durable record of tool and policy calls: a finished call is never run again.

LangGraph saves the work of a superstep when all of it is done; a process that dies before
that would repeat every finished call. So each call commits its own result here before its
node goes on. A crash inside a call repeats that call alone, and it is counted twice.
"""

import hashlib
import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from langgraph.errors import GraphBubbleUp

from graph.store import SqliteStore, Store
from nodes.services import Entry, Json

_NOT_THE_PLACE = (
    "name",
    "version",
    "arguments",
    "user",
    "groups",
    "depth",
    "generation",
    "filters",
)
"""What a result depends on beside where in the run it was asked for."""


class Ledger:
    """A ledger in a run store; safe for threads and processes."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._running: Counter[str] = Counter()
        self._changed = threading.Condition()

    def call(self, key: Json, work: Callable[[], Json]) -> Entry:
        """Answer from the record, or run `work` and record it; see `nodes.services.Ledger`."""
        digest = _digest(key)
        with self._counted(str(key["thread"])):
            call = self._begin(digest, key)
            if call is None:
                return self._replayed(digest, key)
            try:
                result = work()
                data = _canonical(result).encode()  # one that is no JSON is the tool's error
            except GraphBubbleUp:
                self._withdraw(call)  # a pause costs nothing
                raise
            except Exception as error:
                used = getattr(error, "usage", None) or {}  # what a model had cost before it failed
                entry = self._finish(call, key, None, None, _sentence(error), used)
                if key["kind"] != "tool":
                    raise
                return entry
            return self._finish(call, key, result, data, None, result.get("usage", {}))

    def settle(self, thread: str) -> None:
        """Wait until no call of the thread is running in this process.

        A cancelled run cannot stop the thread that its call runs in; whoever gives the run's
        lease back waits for it, so that the call is recorded and not made again.
        """
        with self._changed:
            self._changed.wait_for(lambda: not self._running[thread])
            del self._running[thread]

    def rows(self, thread: str) -> list[Json]:
        """The calls of a thread in the order they began, for `trace` and for audits."""
        with self._store.transaction() as cursor:
            cursor.execute(
                "select key, attempt, question, kind, name, started, finished, error, tokens, money"
                " from ledger where thread = ? order by started, attempt",
                (thread,),
            )
            found = cursor.fetchall()
            names = [column[0] for column in cursor.description]
        rows = [dict(zip(names, row, strict=True)) for row in found]
        for row in rows:
            row["error"] = row["error"] and self._store.sealer.open_text(row["error"])
        return rows

    def copy(self, thread: str, other: str, question: int, until: int) -> None:
        """Give another thread the account of a question's calls up to a point, for a fork.

        The copies count; they answer nothing, because the other thread's keys differ.
        """
        with self._store.transaction() as cursor:
            cursor.execute(
                "insert into ledger (key, attempt, thread, question, kind, name, started,"
                " finished, error, tokens, money, place, at)"
                " select ? || '/' || key, attempt, ?, question, kind, name, started, finished,"
                " error, tokens, money, ? || '/' || place, at from ledger"
                " where thread = ? and question = ? and at < ?",
                (other, other, other, thread, question, until),
            )

    def delete(self, thread: str) -> None:
        """Forget the calls of a thread."""
        with self._store.transaction() as cursor:
            cursor.execute("delete from ledger where thread = ?", (thread,))

    def close(self) -> None:
        """Nothing to close: the store belongs to whoever opened it."""

    @contextmanager
    def _counted(self, thread: str) -> Iterator[None]:
        with self._changed:
            self._running[thread] += 1
        try:
            yield
        finally:
            with self._changed:
                self._running[thread] -= 1
                if not self._running[thread]:
                    del self._running[thread]
                self._changed.notify_all()

    def _begin(self, digest: str, key: Json) -> "_Call | None":
        """The call that begins, or None where its result is recorded."""
        began, place = time.monotonic(), _place(key)
        row = self._store.one(
            "insert into ledger"
            " (key, attempt, thread, question, kind, name, place, at, started)"
            " select ?, coalesce((select max(attempt) from ledger where key = ?), 0) + 1,"
            f" ?, ?, ?, ?, ?, ?, ? from {self._store.unhurried} where not exists"
            " (select 1 from ledger where key = ? and result is not null)"
            " returning attempt, (select count(*) from ledger as others where place = ?"
            " and (others.key <> ledger.key or others.attempt <> ledger.attempt))",
            (
                *(digest, digest, key["thread"], key["question"], key["kind"], str(key["name"])),
                *(place, key.get("at", 0), time.time(), digest, place),
            ),
        )
        return row and _Call(digest, int(row[0]), began, first=not row[1])

    def _withdraw(self, call: "_Call") -> None:
        with self._store.transaction() as cursor:
            cursor.execute(
                "delete from ledger where key = ? and attempt = ?", (call.digest, call.attempt)
            )

    def _finish(
        self,
        call: "_Call",
        key: Json,
        result: Json | None,
        data: bytes | None,
        error: str | None,
        usage: Json,
    ) -> Entry:
        """Commit how a call ended, `data` being its result; the next checkpoint takes it to the
        disk."""
        took, sealer = time.monotonic() - call.began, self._store.sealer
        tokens = usage.get("input_tokens", 0) + usage.get("output_tokens", 0)
        money = usage.get("money", 0.0)
        sealed = None if data is None else sealer.seal(data)
        hidden = None if error is None else sealer.seal_text(error)
        self._store.one(
            "update ledger set finished = started + ?, result = ?, error = ?,"
            f" tokens = ?, money = ? from {self._store.unhurried}"
            " where key = ? and attempt = ? returning attempt",
            (took, sealed, hidden, tokens, money, call.digest, call.attempt),
        )
        if call.first:
            return Entry(result, error, 1, took, tokens, money, replayed=False)
        return self._sum(key, result, error, replayed=False)

    def _replayed(self, digest: str, key: Json) -> Entry:
        row = self._store.one(
            "select result from ledger where key = ? and result is not null", (digest,)
        )
        return self._sum(key, json.loads(self._store.sealer.open(row[0])), None, replayed=True)

    def _sum(self, key: Json, result: Json | None, error: str | None, *, replayed: bool) -> Entry:
        """All attempts at this place count, also those before a change of model or index."""
        attempts, seconds, tokens, money = self._store.one(
            "select count(*), coalesce(sum(finished - started), 0), coalesce(sum(tokens), 0),"
            " coalesce(sum(money), 0) from ledger where place = ?",
            (_place(key),),
        )
        return Entry(result, error, attempts, max(0.0, seconds), int(tokens), money, replayed)


class _Call(NamedTuple):
    """A call under way; `began` is of the monotonic clock, which nobody sets back."""

    digest: str
    attempt: int
    began: float
    first: bool
    """Whether no other attempt at this place was ever made."""


class SqliteLedger(Ledger):
    """A ledger that opens an SQLite file of its own."""

    def __init__(self, path: Path) -> None:
        """Open or create the run store at `path`; raises RunStoreError where that fails."""
        store = SqliteStore(path)
        super().__init__(store)
        self._own = store

    def close(self) -> None:
        """Close the file."""
        self._own.close()


def _digest(key: Json) -> str:
    return hashlib.sha256(_canonical(key).encode()).hexdigest()


def _place(key: Json) -> str:
    """Where in a run a call is made, whatever it asks: role and subgoal of a point in time."""
    place = {name: value for name, value in key.items() if name not in _NOT_THE_PLACE}
    if key["kind"] == "policy":
        place["role"] = str(key["name"]).rpartition(".")[2]
    return _digest(place)


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def _sentence(error: Exception) -> str:
    return str(error).strip() or type(error).__name__
