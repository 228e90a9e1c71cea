import copy
from typing import Any

import pytest

from state.reducers import (
    CONVERSATION_TURNS,
    append,
    append_bounded,
    keep_first_by_id,
    merge_budget,
    merge_by_id,
    merge_seen,
)


@pytest.mark.parametrize(
    "reducer", [append, append_bounded, merge_by_id, keep_first_by_id, merge_seen]
)
def test_nothing_and_nothing_is_an_empty_list(reducer: Any) -> None:
    assert reducer(None, None) == []
    assert reducer([], None) == []


@pytest.mark.parametrize("reducer", [append, append_bounded, merge_by_id, keep_first_by_id])
def test_a_first_update_stands_as_it_is(reducer: Any) -> None:
    assert reducer(None, [{"id": "s1", "question": "Ai?"}]) == [{"id": "s1", "question": "Ai?"}]


def test_append_keeps_the_order_and_repeats() -> None:
    assert append([1, 2], [2, 3]) == [1, 2, 2, 3]


def test_a_conversation_keeps_its_last_turns() -> None:
    turns = list(range(CONVERSATION_TURNS))
    assert append_bounded(turns, [99]) == [*turns[1:], 99]


def test_a_known_id_takes_new_fields_and_keeps_its_place() -> None:
    old = [{"id": "s1", "status": "pending", "question": "Ở đâu?"}, {"id": "s2"}]
    merged = merge_by_id(old, [{"id": "s1", "status": "solved"}, {"id": "s3"}])
    assert merged == [
        {"id": "s1", "status": "solved", "question": "Ở đâu?"},
        {"id": "s2"},
        {"id": "s3"},
    ]


def test_two_updates_of_one_id_are_both_taken() -> None:
    assert merge_by_id([], [{"id": "s1", "a": 1}, {"id": "s1", "b": 2}]) == [
        {"id": "s1", "a": 1, "b": 2}
    ]


def test_accepted_evidence_stays_as_it_was_accepted() -> None:
    first = [{"id": "e1", "quote": "12 ngày"}]
    assert keep_first_by_id(first, [{"id": "e1", "quote": "14 ngày"}, {"id": "e2"}]) == [
        {"id": "e1", "quote": "12 ngày"},
        {"id": "e2"},
    ]


def test_a_seen_query_is_kept_once_for_each_tool_and_subgoal() -> None:
    row = {"normal": "nghỉ phép", "tool": "t", "subgoal_id": "s1", "hits": 3}
    other = {**row, "subgoal_id": "s2"}
    assert merge_seen([row], [{**row, "hits": 0}, other]) == [row, other]


def test_limits_are_replaced_and_what_is_spent_adds_up() -> None:
    old = {"limits": {"steps": 6, "tokens": 10}, "spent": {"steps": 1, "seconds": 0.5}}
    new = {"limits": {"steps": 3}, "spent": {"steps": 1, "tokens": 7}}
    assert merge_budget(old, new) == {
        "limits": {"steps": 3, "tokens": 10},
        "spent": {"steps": 2, "seconds": 0.5, "tokens": 7},
    }


def test_a_budget_of_nothing_is_an_empty_budget() -> None:
    assert merge_budget(None, None) == {"limits": {}, "spent": {}}
    assert merge_budget(None, {"spent": {"steps": 1}}) == {"limits": {}, "spent": {"steps": 1}}


def test_reducers_leave_their_arguments_alone() -> None:
    old: list[dict[str, Any]] = [{"id": "s1", "tags": ["a"]}]
    new: list[dict[str, Any]] = [{"id": "s1", "tags": ["b"]}]
    before = copy.deepcopy((old, new))
    for reducer in (append, append_bounded, merge_by_id, keep_first_by_id):
        reducer(old, new)
    assert (old, new) == before
