"""Going on from an earlier moment of a thread, on a thread of its own."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from langgraph.types import Overwrite

from graph.ledger import Ledger
from graph.store import Store
from graph.threads import read_thread, thread_name
from nodes.subgoals import MAX_QUERY_CHARACTERS, next_round
from retrieval.errors import UsageError
from state.reducers import merge_budget, merge_by_id
from state.standing import standing, without
from state.types import Evidence, Json, RunState, Subgoal

EDITABLE = ("subgoals", "evidence", "seen_queries", "queue", "budget", "resolved_question")


@dataclass(frozen=True)
class Moment:
    """A stored state: its number, when it was (ISO 8601), what was done last, what comes next."""

    number: int
    created: str
    did: str
    next: tuple[str, ...]
    checkpoint: str


def moments(graph: Any, thread: str) -> list[Moment]:
    """The moments of a thread's last question, the oldest first; raises UnknownThreadError."""
    current = read_thread(graph, thread).values.get("question_number", 0)
    config = {"configurable": {"thread_id": thread_name(thread)}}
    found = [
        snapshot
        for snapshot in graph.get_state_history(config)
        if snapshot.values.get("question_number") == current and snapshot.values.get("history")
    ]
    return [_moment(number, one) for number, one in enumerate(reversed(found), 1)]


def fork(
    store: Store,
    graph: Any,
    thread: str,
    at: int | None,
    disbelieved: Iterable[str],
    queries: dict[str, str],
    edits: Json,
) -> str:
    """See `Agent.fork`."""
    moment = _find(moments(graph, thread), at, thread)
    old: Any = {
        "configurable": {
            "thread_id": thread_name(thread),
            "checkpoint_ns": "",
            "checkpoint_id": moment.checkpoint,
        }
    }
    state: RunState = graph.get_state(old).values
    changed, as_node = _edited(state, list(disbelieved), queries, edits, moment)
    name = str(uuid.uuid4())
    stored = store.saver.get_tuple(old)
    assert stored is not None  # its moment was just listed
    new: Any = {"configurable": {"thread_id": name, "checkpoint_ns": ""}}
    versions = stored.checkpoint["channel_versions"]
    store.saver.put(new, stored.checkpoint, stored.metadata, versions)
    question = state.get("question_number", 0)
    Ledger(store).copy(thread_name(thread), name, question, len(state.get("history", [])))
    if changed:
        graph.update_state(new, changed, as_node=as_node)
    return name


def _moment(number: int, snapshot: Any) -> Moment:
    row = snapshot.values["history"][-1]
    did = " ".join(str(row[name]) for name in ("node", "action") if name in row)
    return Moment(
        number,
        snapshot.created_at or "",
        did,
        snapshot.next,
        snapshot.config["configurable"]["checkpoint_id"],
    )


def _find(known: list[Moment], at: int | None, thread: str) -> Moment:
    if not known:
        raise UsageError(f"Thread {thread} has nothing yet to fork from.")
    if at is None:
        return known[-1]
    if not 1 <= at <= len(known):
        raise UsageError(
            f"Thread {thread} has the moments 1 to {len(known)}, not {at}: "
            f"`groundhop fork {thread}` lists them."
        )
    return known[at - 1]


def _edited(
    state: RunState,
    disbelieved: list[str],
    queries: dict[str, str],
    edits: Json,
    moment: Moment,
) -> tuple[Json, str]:
    """The update that carries the edits, and the node that it is written as."""
    _check(state, disbelieved, queries, edits)
    if not (disbelieved or queries or edits):
        return {}, ""
    changed: Json = dict(edits)
    history: list[Json] = [{"node": "fork", "action": "edited", "fields": sorted(edits)}]
    if disbelieved:
        reasons = dict.fromkeys(disbelieved, "disbelieved by a person")
        update = without({**state, **changed}, reasons)  # type: ignore[typeddict-item]
        history += [{"node": "fork", **row} for row in update.pop("history")]
        history += [_turned_down(item) for item in state["evidence"] if item["id"] in reasons]
        changed |= update
    as_node = "retrieve" if moment.next == ("grade",) and not queries else "grade"
    if moment.next[:1] == ("retrieve",) and "queue" in edits:
        as_node = "decide"
    if queries:
        changed |= _asked({**state, **changed}, queries)  # type: ignore[typeddict-item]
        as_node = "decide"
    fresh: Json = {"history": history, "status": "running", "stop_reason": "", "answer": {}}
    replaced = {name: _whole(name, value) for name, value in changed.items()}
    return {**fresh, **replaced}, as_node


def _turned_down(item: Evidence) -> Json:
    """The history row that keeps a disbelieved passage from being judged, and believed, again."""
    reason = "disbelieved by a person"
    names = ("chunk_id", "source", "title", "heading")
    return {
        "node": "fork",
        "action": "graded",
        "subgoal_id": item["subgoal_id"],
        "accepted": [],
        "rejected": [
            {**{name: item.get(name, "") for name in names}, "verdict": "no", "reason": reason}
        ],
        "covered": "no",
        "level": "nothing",
        "reason": reason,
    }


def _whole(name: str, value: Any) -> Any:
    plain = name in ("queue", "resolved_question")
    return value if plain else Overwrite(value)


def _asked(state: RunState, queries: dict[str, str]) -> Json:
    """The subgoals with the queries given, queued as the next round."""
    updates: list[Subgoal] = [
        {"id": one, "query": query[:MAX_QUERY_CHARACTERS], "status": "pending", "answer": ""}
        for one, query in queries.items()
    ]
    subgoals: Any = merge_by_id(state["subgoals"], updates)  # type: ignore[arg-type]
    queue = [
        search
        for search in next_round(subgoals, state.get("seen_queries", []), state["budget"])
        if search["subgoal_id"] in queries
    ]
    if not queue:
        raise UsageError(
            "None of these queries can be searched from here: they were searched already, wait "
            "for another part of the question, or the budget is used up."
        )
    budget = merge_budget(state["budget"], {"spent": {"steps": 1}})  # type: ignore[arg-type]
    return {"subgoals": subgoals, "queue": queue, "budget": budget}


def _check(state: RunState, disbelieved: list[str], queries: dict[str, str], edits: Json) -> None:
    known = {item["id"] for item in standing(state.get("evidence", []))}
    parts = {item["id"] for item in state.get("subgoals", [])}
    for what, given, there in (
        ("evidence", disbelieved, known),
        ("subgoal", queries, parts),
        ("field that can be edited", edits, set(EDITABLE)),
    ):
        wrong = [one for one in given if one not in there]
        if wrong:
            names = ", ".join(sorted(there)) or "none"
            raise UsageError(f"There is no {what} {wrong[0]!r} at this moment; there is: {names}.")
