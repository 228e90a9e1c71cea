from typing import Any

import pytest

from state.budget import new_budget
from state.reducers import merge_budget
from state.stop import final_status, round_row, stop
from state.types import RunState

BARREN = round_row(accepted=0, solved=[], searched=1, failed=0)
FAILED = round_row(accepted=0, solved=[], searched=2, failed=2)
REPEATED = round_row(accepted=0, solved=[], searched=0, failed=0, repeated=True)
FRUITFUL = round_row(accepted=1, solved=[], searched=1, failed=0)


def run_state(
    *statuses: str, rounds: list[Any] | None = None, spent: dict[str, float] | None = None
) -> RunState:
    subgoals = [
        {"id": f"s{number}", "status": status, "question": "Ở đâu?"}
        for number, status in enumerate(statuses, 1)
    ]
    budget = merge_budget(new_budget(), {"spent": spent or {}})  # type: ignore[arg-type]
    return {"subgoals": subgoals, "history": rounds or [], "budget": budget}  # type: ignore[typeddict-item]


def rule(state: RunState) -> str | None:
    fired = stop(state)
    return fired["rule"] if fired else None


def test_a_fresh_run_goes_on() -> None:
    assert stop(run_state()) is None
    assert stop(run_state("pending")) is None


def test_a_run_stops_once_every_required_part_is_solved() -> None:
    assert rule(run_state("solved", "solved")) == "solved"
    assert rule(run_state("solved", "pending")) is None


def test_a_spent_budget_stops_the_run_and_names_the_limit() -> None:
    fired = stop(run_state("pending", spent={"tool_calls": 12}))
    assert fired == {"rule": "budget_exhausted", "detail": "tool_calls: 12 allowed, all used"}


def test_barren_rounds_stop_the_run() -> None:
    assert rule(run_state("pending", rounds=[BARREN])) is None
    assert rule(run_state("pending", rounds=[BARREN, BARREN])) == "no_progress"


@pytest.mark.parametrize("progress", [FRUITFUL, {**BARREN, "solved": ["s1"]}])
def test_only_rounds_in_a_row_are_barren(progress: Any) -> None:
    assert rule(run_state("pending", rounds=[BARREN, progress, BARREN])) is None
    assert rule(run_state("pending", rounds=[progress, BARREN, BARREN])) == "no_progress"


def test_the_number_of_barren_rounds_is_a_limit() -> None:
    state = run_state("pending", rounds=[BARREN, BARREN])
    state["budget"]["limits"]["barren_rounds"] = 3
    assert stop(state) is None


def test_proposals_that_only_repeat_stop_the_run() -> None:
    assert rule(run_state("pending", rounds=[REPEATED, REPEATED])) == "repeated_query"
    assert rule(run_state("pending", rounds=[BARREN, REPEATED])) == "no_progress"


def test_rounds_whose_calls_all_failed_are_told_from_finding_nothing() -> None:
    assert rule(run_state("pending", rounds=[FAILED, FAILED])) == "tools_failed"
    assert rule(run_state("pending", rounds=[FAILED, BARREN])) == "no_progress"
    partly = round_row(accepted=0, solved=[], searched=2, failed=1)
    assert rule(run_state("pending", rounds=[partly, partly])) == "no_progress"


def test_a_run_stops_when_no_part_can_be_tried_again() -> None:
    assert rule(run_state("unanswerable")) == "insufficient_evidence"
    assert rule(run_state("unanswerable", "solved")) == "insufficient_evidence"
    assert rule(run_state("unanswerable", "pending")) is None


def test_the_rules_are_asked_in_their_order() -> None:
    spent = {"steps": 6.0}
    rounds = [REPEATED, REPEATED]
    assert rule(run_state("solved", rounds=rounds, spent=spent)) == "solved"
    assert rule(run_state("unanswerable", rounds=rounds, spent=spent)) == "budget_exhausted"
    assert rule(run_state("unanswerable", rounds=rounds)) == "repeated_query"
    assert rule(run_state("unanswerable", rounds=[BARREN, BARREN])) == "no_progress"


def test_the_status_says_how_much_was_solved() -> None:
    assert final_status(run_state("solved"), "solved") == "answered"
    assert final_status(run_state("solved", "pending"), "budget_exhausted") == "partial"
    assert final_status(run_state("solved", "pending"), "tools_failed") == "partial"
    assert final_status(run_state("pending"), "no_progress") == "gave_up"
    assert final_status(run_state("pending"), "tools_failed") == "failed"


def test_a_run_none_of_whose_calls_came_back_has_failed_whatever_ended_it() -> None:
    error, found = {"action": "tool_error"}, {"action": "searched"}
    state = run_state("pending", rounds=[error, FAILED], spent={"steps": 6})
    assert final_status(state, "budget_exhausted") == "failed"
    assert final_status(run_state("pending", rounds=[error, found]), "no_progress") == "gave_up"
    assert final_status(run_state("pending"), "budget_exhausted") == "gave_up"
