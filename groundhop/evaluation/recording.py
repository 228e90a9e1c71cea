"""What a run of one question leaves behind, in plain JSON that the results keep."""

import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from groundhop.evaluation.schema import Json

if TYPE_CHECKING:
    from graph.agent import Result
    from nodes.services import Entry, Ledger

Search = list[Json]
"""Passages in rank order, each with `source` and `chunk_id`."""


@dataclass(frozen=True)
class Record:
    """One question asked of one system.

    `searches` are the rankings that the tool calls returned, in order; `evidence` what was
    accepted, in order, with `source`, `quote`, `chunk_id` and `subgoal_id`; `seconds` is the time
    on the clock; `trace` the audit trail of the run. `error` is a sentence where the run itself
    failed, and then the rest is empty.
    """

    status: str
    stop_reason: str = ""
    answer: Json = field(default_factory=dict)
    searches: list[Search] = field(default_factory=list)
    evidence: list[Json] = field(default_factory=list)
    spent: Json = field(default_factory=dict)
    seconds: float = 0.0
    thread: str = ""
    policy: str = ""
    trace: list[Json] = field(default_factory=list)
    subgoals: list[Json] = field(default_factory=list)
    invented: int = 0
    leaked: int = 0
    written: int = 0
    error: str = ""

    def as_json(self) -> Json:
        """Everything, as the results keep it."""
        return asdict(self)


class WatchedLedger:
    """A ledger that remembers, thread by thread, which passages each tool call returned."""

    def __init__(self, ledger: "Ledger") -> None:
        self._ledger = ledger
        self._lock = threading.Lock()
        self._searches: dict[str, list[Search]] = {}

    def call(self, key: Json, work: Callable[[], Json], *rest: Any, **named: Any) -> "Entry":
        """What the ledger behind answers."""
        entry = self._ledger.call(key, work, *rest, **named)
        if key.get("kind") == "tool" and entry.result is not None:
            found = entry.result.get("passages", [])
            search = [{"source": one["source"], "chunk_id": one["chunk_id"]} for one in found]
            with self._lock:
                self._searches.setdefault(str(key["thread"]), []).append(search)
        return entry

    def take(self, thread: str) -> list[Search]:
        """The searches of a thread, which are forgotten here."""
        with self._lock:
            return self._searches.pop(thread, [])

    def __getattr__(self, name: str) -> Any:
        """Whatever else the ledger behind offers."""
        return getattr(self._ledger, name)


def record(result: "Result", searches: list[Search], seconds: float) -> Record:
    """What a finished run leaves behind; the checks of its citations come apart."""
    state: Json = dict(result.state)
    history = state.get("history", [])
    return Record(
        status=result.status,
        stop_reason=result.stop_reason,
        answer=_answer(dict(result.answer)),
        searches=searches,
        evidence=[_evidence(item) for item in state.get("evidence", [])],
        spent=dict(state.get("budget", {}).get("spent", {})),
        seconds=round(seconds, 4),
        thread=result.thread,
        policy=next((row["policy"] for row in history if "policy" in row), ""),
        trace=history,
        subgoals=[_subgoal(one) for one in state.get("subgoals", [])],
    )


def _answer(answer: Json) -> Json:
    kept = ("text", "short", "citations", "missing", "coverage", "dropped")
    return {name: answer[name] for name in kept if name in answer}


def _evidence(item: Json) -> Json:
    kept = ["id", "kind", "source", "document_id", "chunk_id", "quote", "subgoal_id", "statement"]
    if item.get("kind") == "rows":
        kept += ["title", "heading", "parameters", "rows", "retrieved_at"]
    return {name: item[name] for name in kept if name in item}


def _subgoal(item: Json) -> Json:
    return {name: item.get(name, "") for name in ("id", "question", "status", "answer")}
