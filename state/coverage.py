"""How much of the question is solved, and which parts can be tried next."""

import re

from state.types import Subgoal

PLACEHOLDER = re.compile(r"\{(\w+)\}")


def coverage(subgoals: list[Subgoal]) -> float:
    """Solved required subgoals divided by required subgoals; 1 where none is required."""
    required = [subgoal for subgoal in subgoals if subgoal.get("required", True)]
    if not required:
        return 1.0
    return sum(subgoal["status"] == "solved" for subgoal in required) / len(required)


def solved(subgoals: list[Subgoal]) -> list[Subgoal]:
    """The solved subgoals."""
    return [subgoal for subgoal in subgoals if subgoal["status"] == "solved"]


def pending(subgoals: list[Subgoal]) -> list[Subgoal]:
    """The subgoals that are neither solved nor given up."""
    return [subgoal for subgoal in subgoals if subgoal["status"] == "pending"]


def ready(subgoals: list[Subgoal]) -> list[Subgoal]:
    """Pending subgoals whose dependencies are all solved."""
    done = {subgoal["id"] for subgoal in solved(subgoals)}
    return [item for item in pending(subgoals) if set(item.get("depends_on", [])) <= done]


def fill_in(question: str, subgoals: list[Subgoal]) -> str:
    """The question with each `{id}` replaced by the answer of that solved subgoal."""
    answers = {item["id"]: item.get("answer", "") for item in solved(subgoals)}
    return PLACEHOLDER.sub(lambda found: answers.get(found[1]) or found[0], question)


def open_placeholders(question: str) -> list[str]:
    """The ids of subgoals whose answer a question still waits for."""
    return PLACEHOLDER.findall(question)


def hopeless(subgoals: list[Subgoal], tried: set[str], rewrites: int) -> list[Subgoal]:
    """Updates that close the pending subgoals which can no longer be solved.

    A subgoal is hopeless once it was tried in vain with all its `rewrites` used, or once one
    that it depends on is unanswerable.
    """
    reasons: dict[str, str] = {
        item["id"]: "" for item in subgoals if item["status"] == "unanswerable"
    }
    updates: list[Subgoal] = []
    for _ in subgoals:
        for item in pending(subgoals):
            reason = _why_hopeless(item, tried, rewrites, set(reasons))
            if reason and item["id"] not in reasons:
                reasons[item["id"]] = reason
                updates.append({"id": item["id"], "status": "unanswerable", "reason": reason})
    return updates


def _why_hopeless(item: Subgoal, tried: set[str], rewrites: int, lost: set[str]) -> str | None:
    blocked = next((one for one in item.get("depends_on", []) if one in lost), None)
    if blocked:
        return f"depends on {blocked}, which was not found"
    if item["id"] in tried and item.get("rewrites", 0) >= rewrites:
        return item.get("reason") or "nothing found supports an answer"
    return None
