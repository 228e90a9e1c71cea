"""Evidence that no longer stands, and what follows: its part of the question is open again."""

from state.coverage import open_placeholders
from state.types import Evidence, Json, RunState, Subgoal


def standing(evidence: list[Evidence]) -> list[Evidence]:
    """The evidence that is still believed."""
    return [item for item in evidence if not item.get("stale")]


def without(state: RunState, reasons: dict[str, str]) -> Json:
    """Whole new values of the fields that change when evidence (by id: why) is disbelieved.

    The subgoals that rest on it, and those built on their answers, are open again, with their
    evidence stale too and their searches forgotten, so that they are judged anew. A question
    that an earlier answer was put into gets its placeholder back. `history` holds new rows only.
    """
    open_again = _affected(state["subgoals"], set(reasons))
    ids = {item["id"] for item in open_again}
    changed: list[Evidence] = []
    for item in state["evidence"]:
        why = reasons.get(item["id"])
        if why is None and item["subgoal_id"] in ids and not item.get("stale"):
            why = "its part of the question is judged again"
        changed.append({**item, "stale": why} if why else item)
    row = {
        "action": "stale",
        "evidence": [{"id": one, "reason": why} for one, why in reasons.items()],
        "subgoals": sorted(ids),
    }
    return {
        "evidence": changed,
        "subgoals": [_opened(item) if item["id"] in ids else item for item in state["subgoals"]],
        "seen_queries": [
            row for row in state.get("seen_queries", []) if row["subgoal_id"] not in ids
        ],
        "history": [row],
    }


def judged_since(history: list[Json], subgoal_id: str) -> list[Json]:
    """The rows of the history that still count for a subgoal: those after it was last opened."""
    opened = [
        number
        for number, row in enumerate(history)
        if row.get("action") == "stale" and subgoal_id in row["subgoals"]
    ]
    return history[opened[-1] + 1 :] if opened else history


def _affected(subgoals: list[Subgoal], stale: set[str]) -> list[Subgoal]:
    found = [item for item in subgoals if stale & set(item.get("evidence_ids", []))]
    ids = {item["id"] for item in found}
    while True:
        more = [item for item in subgoals if item["id"] not in ids and ids & _needs(item)]
        if not more:
            return found
        found += more
        ids |= {item["id"] for item in more}


def _needs(item: Subgoal) -> set[str]:
    """What a subgoal waits for, also after its question was made concrete."""
    return {*item.get("depends_on", []), *open_placeholders(item.get("template", ""))}


def _opened(item: Subgoal) -> Subgoal:
    """A subgoal as if it had not been tried; its rewrites stay used."""
    template = item.get("template", "")
    question = template if open_placeholders(template) else item["question"]
    return {
        **item,
        "question": question,
        "depends_on": sorted(_needs(item)),
        "query": "" if question != item["question"] else item.get("query", ""),
        "status": "pending",
        "answer": "",
        "reason": "what it rested on changed",
        "evidence_ids": [],
        **({"claim": ""} if item.get("claim") else {}),
    }
