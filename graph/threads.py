"""The threads of a run store: listing and deleting them."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from langgraph.checkpoint.sqlite import SqliteSaver

from graph.build import build_graph
from graph.checkpoints import open_saver
from graph.database import explain, open_database
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
    """One line of a listing. `updated` is an ISO 8601 time in UTC."""

    thread: str
    status: str
    question: str
    questions: int
    updated: str
    resumable: bool


def thread_name(thread: str) -> str:
    """The id of a thread as it is stored; raises UsageError where it cannot be one."""
    name = clean(thread).strip()
    if not name or len(name) > MAX_THREAD_CHARACTERS:
        raise UsageError(
            f"The id of a thread has 1 to {MAX_THREAD_CHARACTERS} characters, not {len(name):,}."
        )
    return name


@contextmanager
def open_runs(path: Path) -> Iterator[Any]:
    """The graph over the stored runs, to read threads by: it needs no knowledge base.

    Raises RunStoreError where the file is damaged.
    """
    reading = cast(Services, None)  # a graph that is only read runs no node
    try:
        with closing(open_saver(path).conn) as connection:
            yield build_graph(reading).compile(checkpointer=SqliteSaver(connection))
    except sqlite3.Error as error:
        raise explain(path, error) from None


def read_thread(graph: Any, thread: str) -> Any:
    """The snapshot of a thread; raises UnknownThreadError."""
    snapshot = graph.get_state({"configurable": {"thread_id": thread_name(thread)}})
    if not snapshot.values and not unfinished(snapshot):
        raise UnknownThreadError(thread)
    return snapshot


def list_threads(path: Path, graph: Any, limit: int = 200) -> list[ThreadInfo]:
    """The newest threads first; those of a server that shares the run store are among them."""
    try:
        connection = open_database(path)
        rows = connection.execute(
            "select thread_id, max(checkpoint_id) as newest from checkpoints"
            " where checkpoint_ns = '' group by thread_id order by newest desc limit ?",
            (limit,),
        ).fetchall()
        connection.close()
    except sqlite3.OperationalError as error:
        if "no such table" in str(error):
            return []
        raise explain(path, error) from None
    return [_info(thread, graph) for thread, _ in rows]


def unfinished(snapshot: Any) -> bool:
    """Whether a thread has work left.

    `snapshot.next` alone does not tell: it leaves out tasks whose writes were saved, so a
    process that dies between those and the checkpoint leaves a thread that looks finished.
    """
    return bool(snapshot.next or snapshot.tasks)


def _info(thread: str, graph: Any) -> ThreadInfo:
    snapshot = graph.get_state({"configurable": {"thread_id": thread}})
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


def delete_thread(path: Path, saver: SqliteSaver, thread: str) -> None:
    """Remove checkpoints and ledger rows of a thread."""
    saver.delete_thread(thread)
    connection = open_database(path)
    try:
        with connection:
            connection.execute("delete from ledger where thread = ?", (thread,))
    except sqlite3.Error as error:
        raise explain(path, error) from None
    finally:
        connection.close()
