from typing import Any

import pytest

from policy.protocol import Plan
from policy.scripted import Scripted, ScriptExhaustedError

VIEW: Any = {"original_question": "Ai sáng lập Lab Delta?"}


def test_judgements_come_in_the_order_of_the_script_and_views_are_kept() -> None:
    first, second = (Plan(reason=one, route="retrieve") for one in ("một", "two"))
    policy = Scripted(plan=[first, second])
    assert [policy.plan(VIEW)[0], policy.plan(VIEW)[0]] == [first, second]
    assert policy.views["plan"] == [VIEW, VIEW]


def test_a_script_that_runs_out_says_which_role_was_asked_how_often() -> None:
    policy = Scripted(plan=[Plan(reason="", route="direct")])
    policy.plan(VIEW)
    with pytest.raises(ScriptExhaustedError, match="plan has 1 judgements, but plan was asked 2"):
        policy.plan(VIEW)


def test_a_script_may_be_a_function_of_the_view() -> None:
    policy = Scripted(plan=lambda view: Plan(reason=view["original_question"], route="direct"))
    assert policy.plan(VIEW)[0].reason == VIEW["original_question"]


def test_an_exception_in_a_script_is_raised_at_its_turn() -> None:
    policy = Scripted(plan=[TimeoutError("slow"), Plan(reason="", route="direct")])
    with pytest.raises(TimeoutError):
        policy.plan(VIEW)
    assert policy.plan(VIEW)[0].route == "direct"
