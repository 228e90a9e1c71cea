from collections.abc import Callable
from typing import Any

import pytest

from policy.protocol import PlannedSubgoal
from tests.nodes.scripting import (
    QUESTION,
    Script,
    Search,
    World,
    finds,
    honest,
    nfd,
    passage,
    planned,
    rewritten,
    rows,
)

Make = Callable[..., World]
FACT = "Nhân viên thử việc năm 2026 được nghỉ 6 ngày."
FOUND = {FACT: "6 ngày"}


def found_by(word: str) -> Search:
    """A search that finds the fact for queries with a word, else nothing of use."""
    return Search(lambda query: [passage(FACT) if word in query else passage("Lương.", "c0")])


def test_a_rewrite_is_searched_and_can_solve_the_subgoal(world: Make) -> None:
    search = found_by("phép năm")
    query = "phép năm cho nhân viên thử việc 2026"
    policy = Script(grade=honest(FOUND), rewrite=[rewritten(query)])
    state = world(policy, search).ask()
    assert search.queries == [QUESTION, query]
    assert state["status"] == "answered"
    assert state["subgoals"][0]["rewrites"] == 1
    assert rows(state, "rewritten")[0]["strategy"] == "expand"


def test_the_policy_is_told_why_what_was_tried_and_what_was_turned_down(world: Make) -> None:
    policy = Script(rewrite=[rewritten("")] * 2)
    world(policy, found_by("nowhere")).ask()
    view = policy.views["rewrite"][0]
    assert view["original_question"] == QUESTION
    assert view["reason"] == "covered: no"
    assert view["tried"] == [QUESTION]
    assert view["turned_down"] == ["Tài liệu c0"]


@pytest.mark.parametrize(
    ("query", "refusal"),
    [
        ("nghỉ phép năm 2026", "it lost thử việc"),
        ("nghỉ phép thử việc", "it lost 2026"),
        ("nghỉ phép thử việc 2025", "it lost 2026"),
        ("annual leave on probation 2026", "it lost thử việc"),
        ("", "no query was proposed"),
    ],
)
def test_a_rewrite_that_loses_what_is_asked_is_refused_recorded_and_counted(
    world: Make, query: str, refusal: str
) -> None:
    search = finds(passage("Lương."))
    policy = Script(rewrite=lambda view: rewritten(query))
    state = world(policy, search).ask()
    assert search.queries == [QUESTION]
    refused = rows(state, "refused")
    assert refused[0]["refusal"] == refusal
    assert refused[0]["query"] == query
    assert state["subgoals"][0]["rewrites"] == len(refused)
    assert state["status"] == "gave_up"


def test_a_refused_query_is_shown_to_the_policy(world: Make) -> None:
    rewrites = [rewritten("nghỉ phép 2026"), rewritten("phép năm thử việc 2026")]
    policy = Script(grade=honest(FOUND), rewrite=rewrites)
    state = world(policy, found_by("phép năm")).ask(barren_rounds=3)
    assert "nghỉ phép 2026" in policy.views["rewrite"][1]["tried"]
    assert state["status"] == "answered"


def test_an_abstraction_may_lose_an_anchor_and_says_so(world: Make) -> None:
    search = found_by("quy chế")
    policy = Script(
        grade=honest(FOUND),
        rewrite=[rewritten("quy chế nghỉ phép", strategy="abstract", abstraction=True)],
    )
    state = world(policy, search).ask()
    assert search.queries == [QUESTION, "quy chế nghỉ phép"]
    assert rows(state, "rewritten")[0]["abstraction"] is True


@pytest.mark.parametrize(
    "same", [QUESTION, QUESTION.rstrip("?").lower() + " ", QUESTION + "?", nfd(QUESTION)]
)
def test_a_repeated_query_is_never_searched_again(world: Make, same: str) -> None:
    search = finds(passage("Lương."))
    policy = Script(rewrite=lambda view: rewritten(same))
    state = world(policy, search).ask(rewrites=5)
    assert search.queries == [QUESTION]
    assert {row["refusal"] for row in rows(state, "refused")} == {"this was searched before"}
    assert state["status"] == "gave_up"
    assert state["budget"]["spent"]["tool_calls"] == 1


def test_proposals_that_only_repeat_end_the_run_by_that_rule(world: Make) -> None:
    policy = Script(rewrite=lambda view: rewritten(QUESTION))
    state = world(policy, finds()).ask(rewrites=5, barren_rounds=3)
    assert state["stop_reason"] == "no_progress"
    fruitful = honest({"Thử việc": "Thử việc"})
    policy = Script(grade=fruitful, rewrite=lambda view: rewritten(QUESTION))
    policy._turns["grade"] = lambda view: fruitful(view).model_copy(update={"covered": "no"})
    state = world(policy, finds(passage("Thử việc."))).ask(rewrites=5)
    assert state["stop_reason"] == "repeated_query"


def test_a_subgoal_is_not_rewritten_more_often_than_allowed(world: Make) -> None:
    policy = Script(rewrite=lambda view: rewritten(f"{QUESTION} {len(view['tried'])}"))
    state = world(policy, found_by("nowhere")).ask(rewrites=3, barren_rounds=20)
    assert state["subgoals"][0]["rewrites"] == len(policy.views["rewrite"]) == 3
    assert state["stop_reason"] == "insufficient_evidence"
    assert state["subgoals"][0]["status"] == "unanswerable"


def test_without_rewrites_the_first_search_is_the_last(world: Make) -> None:
    policy = Script()
    state = world(policy, found_by("nowhere")).ask(rewrites=0)
    assert policy.views["rewrite"] == []
    assert state["stop_reason"] == "insufficient_evidence"


CHAIN = {"Lab Delta phát triển": "Lab Delta", "Minh Tran sáng lập": "Minh Tran"}
NESTED = "Ai sáng lập tổ chức phát triển Project Aurora?"


def chain_search() -> Search:
    def find(query: str) -> list[dict[str, Any]]:
        if "Lab Delta" in query:
            return [passage("Minh Tran sáng lập Lab Delta.", "c2")]
        if query == "Project Aurora do ai phát triển?":
            return [passage("Project Aurora do Lab Delta phát triển.", "c1")]
        return [passage("Lương.", "c0")]

    return Search(find)


def parts(*extra: PlannedSubgoal) -> list[PlannedSubgoal]:
    return [
        PlannedSubgoal(id="s1", question="Project Aurora do ai phát triển?"),
        PlannedSubgoal(id="s2", question="{s1} do ai sáng lập?", depends_on=["s1"]),
        *extra,
    ]


def test_a_decomposed_subgoal_is_solved_by_its_parts(world: Make) -> None:
    search = chain_search()
    decomposed = rewritten(strategy="decompose", subgoals=parts())
    policy = Script(
        plan=[planned(NESTED), planned(), planned()],
        grade=honest({"Project Aurora do Lab Delta": "Lab Delta", **CHAIN}),
        rewrite=[decomposed],
    )
    state = world(policy, search).ask(NESTED)
    assert [item["id"] for item in state["subgoals"]] == ["s1", "s1_2", "s1_3"]
    assert state["subgoals"][0]["depends_on"] == ["s1_2", "s1_3"]
    assert search.queries[1:3] == ["Project Aurora do ai phát triển?", "Lab Delta do ai sáng lập?"]
    assert search.queries[3] == f"{NESTED} Lab Delta Minh Tran"
    assert state["status"] == "answered"
    assert [item["answer"] for item in state["subgoals"]] == [
        "Minh Tran",
        "Lab Delta",
        "Minh Tran",
    ]


def test_parts_of_two_subgoals_do_not_take_each_others_place(world: Make) -> None:
    def decompose(view: Any) -> Any:
        topic = view["subgoal"]["question"][:7]
        return rewritten(
            strategy="decompose",
            subgoals=[PlannedSubgoal(id="a", question=f"{topic} thuộc khối nào?")],
        )

    search = finds(passage("Lương.", "c0"))
    policy = Script(plan=[planned("Phòng A ở đâu?", "Phòng B ở đâu?"), planned()])
    policy._turns["rewrite"] = decompose
    state = world(policy, search).ask(steps=2)
    questions = {item["question"]: item["id"] for item in state["subgoals"]}
    assert set(questions) >= {"Phòng A thuộc khối nào?", "Phòng B thuộc khối nào?"}
    assert "Phòng A thuộc khối nào?" in search.queries
    assert "Phòng B thuộc khối nào?" in search.queries


def test_parts_of_two_subgoals_are_cut_together(world: Make) -> None:
    def decompose(view: Any) -> Any:
        topic = view["subgoal"]["question"][:7]
        questions = ["Khối là gì?", *(f"{topic} tầng {number}?" for number in range(6))]
        kept = [PlannedSubgoal(id=f"p{n}", question=one) for n, one in enumerate(questions)]
        return rewritten(strategy="decompose", subgoals=kept)

    policy = Script(plan=[planned("Phòng A ở đâu?", "Phòng B ở đâu?"), planned()])
    policy._turns["rewrite"] = decompose
    state = world(policy, finds(passage("Lương.", "c0"))).ask(steps=2)
    questions = [item["question"] for item in state["subgoals"]]
    assert len(questions) == len(set(questions)) == 8


def test_a_part_cannot_wait_for_the_subgoal_that_waits_for_it(world: Make) -> None:
    knot = [PlannedSubgoal(id="a", question="{s1} thuộc khối nào?", depends_on=["s1"])]
    policy = Script(
        plan=[planned("Phòng A ở đâu?"), planned()],
        rewrite=lambda view: rewritten(strategy="decompose", subgoals=knot),
    )
    state = world(policy, finds(passage("Lương.", "c0"))).ask(steps=2)
    waits = {item["id"]: item["depends_on"] for item in state["subgoals"]}
    assert waits == {"s1": ["s1_2"], "s1_2": []}
    assert state["budget"]["spent"]["tool_calls"] == 2


def test_decomposing_into_nothing_new_is_refused(world: Make) -> None:
    same = [PlannedSubgoal(id="a", question=QUESTION), PlannedSubgoal(id="b", question=" ")]
    policy = Script(rewrite=lambda view: rewritten(strategy="decompose", subgoals=same))
    state = world(policy, finds(passage("Lương."))).ask()
    assert rows(state, "refused")[0]["refusal"] == "no query was proposed"
    assert len(state["subgoals"]) == 1
