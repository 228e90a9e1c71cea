"""Whether accepted evidence still stands in the documents, which may have changed since."""

from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from nodes.calls import identity_of
from nodes.services import Services
from state.reducers import merge_by_id
from state.standing import standing, without
from state.types import Json, RunState

_CHANGED = "its document changed"
_GONE = "its document is gone, or may no longer be read"


def join(first: Json, second: Json) -> Json:
    """Two updates of one node as one: the second has seen the first, and both histories count.

    Fields of lists that the first replaced stay replaced, with the second's items merged in.
    """
    merged = {**first, **second, "history": [*first.get("history", []), *second["history"]]}
    if isinstance(first.get("subgoals"), Overwrite):
        known = merge_by_id(first["subgoals"].value, second.get("subgoals", []))
        merged["subgoals"] = Overwrite(known)
    return merged


def recheck(
    services: Services, state: RunState, runtime: Runtime[Any], node: str
) -> tuple[RunState, Json]:
    """The state without evidence that no longer stands, and the update that makes it so.

    An ingest may have run while the thread was paused, or between two hops. Nothing changes
    where all evidence stands: then the update is empty.
    """
    cited = [item for item in standing(state.get("evidence", [])) if item["kind"] == "passage"]
    if services.hashes is None or not cited:
        return state, {}
    ids = sorted({item["document_id"] for item in cited})
    now = services.hashes(ids, identity_of(runtime))
    reasons = {
        item["id"]: _CHANGED if item["document_id"] in now else _GONE
        for item in cited
        if now.get(item["document_id"]) != item["sha256"]
    }
    if not reasons:
        return state, {}
    update = without(state, reasons)
    rows = [{"node": node, **row} for row in update.pop("history")]
    runtime.stream_writer({"event": "stale", **rows[0]})
    after = {**state, **update, "history": [*state["history"], *rows]}
    replaced = {name: Overwrite(value) for name, value in update.items()}
    return after, {**replaced, "history": rows}  # type: ignore[return-value]
