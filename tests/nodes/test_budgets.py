"""Every run ends, within its budget, and its budget's sum closes."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.nodes.scripting import (
    QUESTION,
    Script,
    Search,
    World,
    finds,
    honest,
    passage,
    planned,
    raises,
    rewritten,
    rows,
)

Make = Callable[..., World]
FACT = "Nhân viên thử việc được nghỉ 6 ngày."
PARTS = [f"Phòng {number} ở đâu năm 2026?" for number in range(6)]


def never_satisfied(*questions: str) -> Script:
    """Plans some parts, finds nothing relevant, and always has another query."""
    return Script(
        plan=lambda view: planned(*(questions or [view["original_question"]])),
        rewrite=lambda view: rewritten(f"{view['subgoal']['question']} lần {len(view['tried'])}"),
    )


def new_each_time() -> Search:
    search = finds()
    search.find = lambda query: [passage("Lương.", f"c{len(search.calls)}")]
    return search


def check_sum(world: World, state: Any, thread: str = "t") -> None:
    """What the state says was spent is what the ledger's rows add up to."""
    calls = world.ledger.rows(thread)
    spent = state["budget"]["spent"]
    assert spent["tool_calls"] == sum(row["kind"] == "tool" for row in calls)
    assert spent["model_calls"] == sum(row["kind"] == "policy" for row in calls)
    assert spent["tokens"] == sum(row["tokens"] for row in calls)
    assert spent["money"] == pytest.approx(sum(row["money"] for row in calls))
    seconds = sum(row["finished"] - row["started"] for row in calls)
    assert spent["seconds"] == pytest.approx(seconds, abs=0.001 * len(calls))


@pytest.mark.parametrize("limit", [1, 2, 3])
@pytest.mark.parametrize("name", ["tool_calls", "steps"])
@pytest.mark.parametrize("questions", [[], PARTS[:2], PARTS], ids=["one", "two", "six"])
def test_a_budget_is_never_exceeded_by_parallel_searches_either(
    world: Make, name: str, limit: int, questions: list[str]
) -> None:
    search = new_each_time()
    here = world(never_satisfied(*questions), search)
    limits: dict[str, Any] = {name: limit, "rewrites": 9, "barren_rounds": 20}
    state = here.ask(**limits)
    assert state["budget"]["spent"][name] == limit  # type: ignore[literal-required]
    assert state["status"] == "gave_up"
    assert state["stop_reason"] == "budget_exhausted"
    if name == "tool_calls":
        assert len(search.calls) == limit
    else:
        assert len(search.calls) <= 4 * limit
    check_sum(here, state)


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 7])
def test_a_budget_of_policy_calls_is_never_exceeded(world: Make, limit: int) -> None:
    search = new_each_time()
    here = world(never_satisfied(*PARTS[:3]), search)
    state = here.ask(model_calls=limit, rewrites=9, barren_rounds=20)
    assert state["budget"]["spent"]["model_calls"] == limit
    assert state["stop_reason"] == "budget_exhausted"
    assert (len(search.calls) == 0) == (limit == 1)
    check_sum(here, state)


def test_no_search_is_made_whose_result_cannot_be_judged(world: Make) -> None:
    search = new_each_time()
    here = world(never_satisfied(), search)
    state = here.ask(model_calls=3, rewrites=9, barren_rounds=20)
    assert [len(here.policy.views[role]) for role in ("plan", "grade", "rewrite")] == [1, 1, 1]
    assert len(search.calls) == 1
    assert rows(state, "not_graded") == []


@pytest.mark.parametrize("name", ["tokens", "seconds"])
def test_tokens_and_seconds_stop_a_run_as_well(world: Make, name: str) -> None:
    limits: dict[str, Any] = {name: 100 if name == "tokens" else 1e-9, "rewrites": 9}
    state = world(never_satisfied(), new_each_time()).ask(**limits)
    assert state["stop_reason"] == "budget_exhausted"
    assert name in state["answer"]["report"]["stop"]["detail"]


def test_a_policy_that_is_never_satisfied_gives_up_in_the_same_steps_every_time(
    world: Make,
) -> None:
    def run() -> Any:
        here = world(never_satisfied(), new_each_time())
        state = here.ask(barren_rounds=20, rewrites=10)
        check_sum(here, state)
        return state

    first, second = run(), run()
    assert first["status"] == "gave_up"
    assert first["budget"]["spent"]["steps"] == second["budget"]["spent"]["steps"] == 6
    assert first["answer"] == second["answer"]
    assert len(first["history"]) == len(second["history"])


def test_other_queries_that_find_the_same_passages_stop_after_the_barren_rounds(
    world: Make,
) -> None:
    same = [passage(f"Lương bậc {number}.", f"c{number}") for number in range(3)]
    search = finds(*same)
    policy = never_satisfied()
    state = world(policy, search).ask(rewrites=10, steps=50)
    assert state["stop_reason"] == "no_progress"
    assert len(search.calls) == 2
    assert len(policy.views["grade"]) == 1


@pytest.mark.parametrize("texts", [[], ["Thực đơn căng tin."]])
def test_a_question_without_an_answer_ends_in_a_refusal(world: Make, texts: list[str]) -> None:
    found = [passage(text, f"c{number}") for number, text in enumerate(texts)]
    here = world(never_satisfied(), finds(*found))
    state = here.ask()
    assert state["status"] == "gave_up"
    assert state["answer"]["citations"] == []
    check_sum(here, state)


def test_the_budget_closes_over_errors_and_answers_alike(world: Make) -> None:
    here = world(Script(), raises(TimeoutError("hết giờ")))
    check_sum(here, here.ask())
    here = world(Script(grade=honest({FACT: "6 ngày"})), finds(passage(FACT)))
    check_sum(here, here.ask(QUESTION, thread="u"), "u")


def test_a_policy_that_breaks_down_leaves_a_run_that_goes_on_where_it_was(world: Make) -> None:
    grader = honest({FACT: "6 ngày"})

    def breaks_once(view: Any) -> Any:
        if len(here.policy.views["grade"]) == 1:
            raise ConnectionError("mất kết nối")
        return grader(view)

    search = finds(passage(FACT))
    here = world(Script(grade=breaks_once), search)
    with pytest.raises(ConnectionError, match="mất kết nối"):
        here.ask()
    state = here.go(None)
    assert state["status"] == "answered"
    assert len(search.calls) == len(here.policy.views["plan"]) == 1
    assert state["budget"]["spent"]["model_calls"] == 4
    check_sum(here, state)


def test_an_answer_is_quoted_when_no_budget_is_left_to_write_it(world: Make) -> None:
    policy = Script(grade=honest({FACT: "6 ngày"}))
    state = world(policy, finds(passage(FACT))).ask(model_calls=2)
    assert policy.views["write"] == []
    assert state["status"] == "answered"
    assert state["answer"]["text"] == f"“{FACT}” [1]"
    assert state["answer"]["citations"][0]["quote"] == FACT


def test_a_state_holds_nothing_but_plain_json(world: Make) -> None:
    def plain(value: Any) -> bool:
        if isinstance(value, dict):
            return all(type(one) is str for one in value) and all(map(plain, value.values()))
        if isinstance(value, list):
            return all(map(plain, value))
        return value is None or type(value) in (str, int, float, bool)

    state = world(Script(grade=honest({FACT: "6 ngày"})), finds(passage(FACT))).ask(user="an")
    assert plain(state)
