"""The threads of a run store: listing, reading, pruning and deleting them."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from graph.build import build_graph
from graph.database import DamagedThreadError
from graph.lease import ThreadBusyError, lease
from graph.store import Store
from nodes.services import Services
from retrieval.errors import GroundhopError, UsageError
from state.text import clean

MAX_THREAD_CHARACTERS = 200


class UnknownThreadError(GroundhopError):
    """The run store has no such thread."""

    exit_code = 2

    def __init__(self, thread: str) -> None:
        """`thread` is named in the sentence."""
        super().__init__(
            f"There is no thread {thread[:80]!r} here: `groundhop threads` lists those there are."
        )


@dataclass(frozen=True)
class ThreadInfo:
    """One line of a listing, whose `status` is "damaged" where the thread cannot be read.

    `updated` is an ISO 8601 time in UTC.
    """

    thread: str
    status: str
    question: str
    questions: int
    updated: str
    resumable: bool


@dataclass(frozen=True)
class Pruned:
    """What pruning did: threads that lost their old checkpoints, those left alone because they
    are unfinished, running or damaged, and the size of the store in bytes."""

    threads: int
    left_alone: int
    bytes_before: int
    bytes_after: int


def thread_name(thread: str) -> str:
    """The id of a thread as it is stored; raises UsageError where it cannot be one."""
    name = clean(thread).strip()
    if not name or len(name) > MAX_THREAD_CHARACTERS:
        raise UsageError(
            f"The id of a thread has 1 to {MAX_THREAD_CHARACTERS} characters, not {len(name):,}."
        )
    return name


@contextmanager
def open_runs(store: Store) -> Iterator[Any]:
    """The graph over the stored runs, to read threads by: it needs no knowledge base.

    Raises RunStoreError where the store is damaged.
    """
    nothing: Any = None  # a graph that is only read runs no node
    reading = Services(policy=nothing, tools={}, ledger=nothing, generation=lambda: 0)
    with store.guarded():
        yield build_graph(reading).compile(checkpointer=store.saver)


def read_thread(graph: Any, thread: str) -> Any:
    """The snapshot of a thread; raises UnknownThreadError."""
    snapshot = graph.get_state({"configurable": {"thread_id": thread_name(thread)}})
    if not snapshot.values and not unfinished(snapshot):
        raise UnknownThreadError(thread)
    return snapshot


def list_threads(store: Store, graph: Any, limit: int = 200) -> list[ThreadInfo]:
    """The newest threads first; those of a server that shares the run store are among them."""
    with store.guarded():
        return [_info(thread, graph) for thread in thread_ids(store, limit)]


def thread_ids(store: Store, limit: int | None = None) -> list[str]:
    """The ids of the threads, the newest first."""
    with store.transaction() as cursor:
        cursor.execute(
            "select thread_id, max(checkpoint_id) as newest from checkpoints"
            " where checkpoint_ns = '' group by thread_id order by newest desc limit ?",
            (limit or 10**12,),
        )
        return [thread for thread, _ in cursor.fetchall()]


def unfinished(snapshot: Any) -> bool:
    """Whether a thread has work left.

    `snapshot.next` alone does not tell: it leaves out tasks whose writes were saved, so a
    process that dies between those and the checkpoint leaves a thread that looks finished.
    """
    return bool(snapshot.next or snapshot.tasks)


def _info(thread: str, graph: Any) -> ThreadInfo:
    try:
        snapshot = graph.get_state({"configurable": {"thread_id": thread}})
    except DamagedThreadError:
        return ThreadInfo(thread, "damaged", "", 0, "", resumable=False)
    values = snapshot.values
    resumable = unfinished(snapshot)
    status = "interrupted" if resumable and not snapshot.interrupts else values.get("status", "")
    return ThreadInfo(
        thread=thread,
        status="paused" if snapshot.interrupts else status,
        question=values.get("question") or values.get("original_question", ""),
        questions=values.get("question_number", 0),
        updated=snapshot.created_at or "",
        resumable=resumable,
    )


def check_known(store: Store, thread: str) -> None:
    """Raises UnknownThreadError where nothing is stored of a thread, be it readable or damaged."""
    if store.one("select 1 from checkpoints where thread_id = ? limit 1", (thread,)) is None:
        raise UnknownThreadError(thread)


def delete_thread(store: Store, thread: str) -> None:
    """Remove checkpoints and ledger rows of a thread.

    Raises UnknownThreadError, and ThreadBusyError while it runs.
    """
    check_known(store, thread)
    with lease(store, thread), store.guarded():
        store.saver.delete_thread(thread)


def prune(store: Store, graph: Any, threads: Iterable[str], older_than: timedelta) -> Pruned:
    """Keep of each finished thread its last state, and of its calls only the account.

    Conversations go on and traces stay; what is lost is stepping back. Threads that changed
    within `older_than` are passed over.
    """
    before, until = store.size(), datetime.now(UTC) - older_than
    done = left_alone = 0
    for thread in threads:
        try:
            snapshot = read_thread(graph, thread)
        except DamagedThreadError:
            left_alone += 1
            continue
        if snapshot.created_at and datetime.fromisoformat(snapshot.created_at) > until:
            continue
        if _prune(store, graph, thread_name(thread)):
            done += 1
        else:
            left_alone += 1
    with store.transaction() as cursor:  # of threads that a server deleted, and of none
        cursor.execute(
            "delete from ledger where started < ?"
            " and thread not in (select thread_id from checkpoints)",
            (until.timestamp(),),
        )
    store.shrink()
    return Pruned(done, left_alone, before, store.size())


def _prune(store: Store, graph: Any, thread: str) -> bool:
    """Whether it was done: a thread that is unfinished, or that is running, is left alone."""
    try:
        with lease(store, thread), store.guarded():
            if unfinished(read_thread(graph, thread)):
                return False
            store.drop_old_checkpoints([thread])
            with store.transaction() as cursor:
                cursor.execute(
                    "update ledger set result = null where thread = ? and result is not null",
                    (thread,),
                )
    except ThreadBusyError:
        return False
    return True
