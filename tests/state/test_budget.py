import pytest

from state.budget import (
    DEFAULT_LIMITS,
    MAX_PARALLEL,
    RUNNING_LIMITS,
    add,
    affordable_searches,
    can_judge,
    can_search,
    exhausted,
    new_budget,
    remaining,
)
from state.reducers import merge_budget
from state.types import Budget, Limits, Spent


def budget(limits: Limits, spent: Spent | None = None) -> Budget:
    return merge_budget(new_budget(limits), {"spent": spent or {}})  # type: ignore[return-value, arg-type]


def test_a_new_budget_has_the_defaults_and_nothing_spent() -> None:
    fresh = new_budget()
    assert fresh["limits"] == DEFAULT_LIMITS
    assert set(fresh["spent"]) == set(RUNNING_LIMITS)
    assert not any(fresh["spent"].values())


def test_given_limits_replace_the_defaults_one_by_one() -> None:
    limits = new_budget({"steps": 2})["limits"]
    assert limits == {**DEFAULT_LIMITS, "steps": 2}
    assert DEFAULT_LIMITS["steps"] == 6


def test_a_limit_that_is_not_set_never_runs_out() -> None:
    assert remaining(new_budget(), "money") == float("inf")
    assert exhausted(budget({}, {"money": 1e9})) is None


def test_what_remains_is_never_below_nothing() -> None:
    assert remaining(budget({"steps": 2}, {"steps": 1}), "steps") == 1
    assert remaining(budget({"steps": 2}, {"steps": 5}), "steps") == 0


@pytest.mark.parametrize("name", RUNNING_LIMITS)
def test_each_limit_stops_the_search_when_it_is_reached(name: str) -> None:
    limits: Limits = {name: 3}  # type: ignore[misc]
    almost: Spent = {name: 2}  # type: ignore[misc]
    full: Spent = {name: 3}  # type: ignore[misc]
    assert can_search(budget(limits, almost))
    assert not can_search(budget(limits, full))
    assert exhausted(budget(limits, full)) == name
    assert affordable_searches(budget(limits, full)) == 0


def test_judging_needs_no_further_step_or_tool_call() -> None:
    used: Spent = {"steps": 6, "tool_calls": 12}
    assert can_judge(budget({}, used))
    for name in ("model_calls", "tokens", "seconds", "money"):
        spent: Spent = {name: 1}  # type: ignore[misc]
        assert not can_judge(budget({name: 1}, spent))  # type: ignore[misc]


@pytest.mark.parametrize(("left", "searches"), [(0, 0), (1, 1), (3, 3), (4, 4), (9, MAX_PARALLEL)])
def test_a_round_has_no_more_searches_than_calls_are_left(left: int, searches: int) -> None:
    assert affordable_searches(budget({"tool_calls": 10}, {"tool_calls": 10 - left})) == searches


def test_amounts_add_up_name_by_name() -> None:
    first: Spent = {"steps": 1, "seconds": 0.25}
    assert add(first, {"seconds": 0.5, "tokens": 3}) == {"steps": 1, "seconds": 0.75, "tokens": 3}
    assert add({}, {}) == {}
    assert first == {"steps": 1, "seconds": 0.25}
