"""The threads of a run store: listing and deleting them."""

import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langgraph.checkpoint.sqlite import SqliteSaver

from graph.database import explain, open_database
from retrieval.errors import GroundhopError


class UnknownThreadError(GroundhopError):
    """The run store has no such thread."""

    def __init__(self, thread: str) -> None:
        """`thread` is named in the sentence."""
        super().__init__(
            f"There is no thread {thread!r} here: `groundhop threads` lists those there are."
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


def _info(thread: str, graph: Any) -> ThreadInfo:
    snapshot = graph.get_state({"configurable": {"thread_id": thread}})
    values = snapshot.values
    resumable = bool(snapshot.next)
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
