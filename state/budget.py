"""The budget of a question: checked before every call, spent in the state, never an exception.

A *step* is one round of retrieval (all parallel searches of it together). `tool_calls` and
`model_calls` count calls of tools and of the policy, a call that a crash repeated counting
twice. `seconds` is the time spent inside those calls.
"""

from typing import Any, cast

from state.types import Budget, Limits, Spent

DEFAULT_LIMITS: Limits = {
    "steps": 6,
    "tool_calls": 12,
    "rewrites": 2,
    "model_calls": 30,
    "tokens": 30_000,
    "seconds": 120.0,
    "barren_rounds": 2,
}
MAX_PARALLEL = 4
"""Searches of one round; LangGraph keeps more parallel tasks than this waiting unsaved."""

RUNNING_LIMITS = ("steps", "tool_calls", "model_calls", "tokens", "seconds", "money")


def new_budget(limits: Limits | None = None) -> Budget:
    """A fresh budget: the defaults, overridden by `limits`."""
    merged: Limits = {**DEFAULT_LIMITS, **(limits or {})}
    return {"limits": merged, "spent": dict.fromkeys(RUNNING_LIMITS, 0)}  # type: ignore[typeddict-item]


def remaining(budget: Budget, name: str) -> float:
    """What is left of one limit; infinite where the limit is not set."""
    limit = budget.get("limits", {}).get(name)
    if limit is None:
        return float("inf")
    return max(0, limit - budget.get("spent", {}).get(name, 0))  # type: ignore[operator]


def exhausted(budget: Budget, names: tuple[str, ...] = RUNNING_LIMITS) -> str | None:
    """The first of the limits that leaves no further call, or None."""
    return next((name for name in names if remaining(budget, name) <= 0), None)


def can_search(budget: Budget) -> bool:
    """Whether one more round with at least one tool call and one grade is affordable."""
    return exhausted(budget) is None


def affordable_searches(budget: Budget) -> int:
    """How many tool calls the next round may make, at most `MAX_PARALLEL`."""
    if not can_search(budget):
        return 0
    return int(min(MAX_PARALLEL, remaining(budget, "tool_calls")))


def can_judge(budget: Budget) -> bool:
    """Whether one more policy call is affordable."""
    return exhausted(budget, ("model_calls", "tokens", "seconds", "money")) is None


def add(first: Spent, second: Spent) -> Spent:
    """The sum of two amounts, name by name."""
    names = {*first, *second}
    return {name: first.get(name, 0) + second.get(name, 0) for name in names}  # type: ignore


def extended(budget: Budget, steps: int) -> Limits:
    """The limits that leave `steps` more rounds from here, with the calls that those need."""
    more = {"steps": steps, "tool_calls": 2 * steps, "model_calls": 5 * steps}
    more |= {"tokens": 5_000 * steps, "seconds": 20 * steps}
    limits: dict[str, Any] = {**budget["limits"]}
    spent: dict[str, Any] = {**budget["spent"]}
    for name, amount in more.items():
        if name in limits:
            limits[name] = max(limits[name], spent.get(name, 0) + amount)
    return cast(Limits, limits)
