"""Lists of rows are named in checkpoints and in writes, and come back as they were."""

from collections.abc import Callable
from typing import Any

import pytest
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.types import Interrupt, Send

from graph.naming import Listed, name_list, parse, rows_in, whole
from graph.store import Store

ROWS = [{"id": f"e{number}", "quote": f"Điều {number}: nghỉ {number} ngày"} for number in range(40)]
NOBODY = "00000000-0000-0000-0000-000000000000"


def named(value: Any, last: Listed | None = None) -> tuple[Listed, dict[bytes, bytes]]:
    found = name_list(value, last)
    assert found is not None
    return found


@pytest.mark.parametrize("count", [1, 15, 16, 17, 32, 40])
def test_a_named_list_is_whole_again(count: int) -> None:
    listed, data = named(ROWS[:count])
    known = {name: parse(one) for name, one in data.items()}
    assert whole(listed.stored, known) == ROWS[:count]
    assert len([*rows_in([listed.stored], known)]) == count


def test_a_list_that_grew_brings_only_what_is_new() -> None:
    last, _ = named(ROWS[:15])
    grown, fresh = named(ROWS[:17], last)
    known = [parse(one) for one in fresh.values()]
    assert [one for one in known if isinstance(one, dict)] == ROWS[15:17]
    assert known[-1] == grown.names[:16], "the names of sixteen rows are one from now on"


def test_a_hundred_rows_take_few_bytes_in_a_checkpoint() -> None:
    listed, _ = named([{"id": number} for number in range(100)])
    assert sum(map(len, listed.stored.values())) < 150


@pytest.mark.parametrize("value", [[], ["a"], [{"a": 1}, "b"], {"a": 1}, "chữ", None, 3])
def test_anything_else_is_stored_as_it_is(value: Any) -> None:
    assert name_list(value) is None
    assert whole(value, {}) == value


def test_lone_surrogates_survive() -> None:
    listed, data = named([{"text": "lẻ \udcff"}])
    assert whole(listed.stored, {k: parse(v) for k, v in data.items()}) == [{"text": "lẻ \udcff"}]


def begun(store: Store) -> Any:
    """The place of a first checkpoint of the thread `việc`."""
    config: Any = {"configurable": {"thread_id": "việc", "checkpoint_ns": ""}}
    return store.saver.put(config, empty_checkpoint(), {"source": "input", "step": -1}, {})


def pending(store: Store, config: Any) -> set[tuple[str, str, str]]:
    found = store.saver.get_tuple(config)
    assert found is not None
    return {(task, channel, repr(value)) for task, channel, value in found.pending_writes or ()}


def test_what_a_task_wrote_is_there_for_another_process(open_again: Callable[..., Store]) -> None:
    first = open_again()
    config = begun(first)
    writes = [
        ("evidence", ROWS),
        ("status", "running"),
        ("__pregel_tasks", Send("grade", {"n": 1})),
    ]
    first.saver.put_writes(config, writes, "task-1", "~path")
    first.saver.put_writes(config, [("history", ROWS[:2])], "task-2", "~path")
    expected = {("task-1", channel, repr(value)) for channel, value in writes}
    expected |= {("task-2", "history", repr(ROWS[:2]))}
    assert pending(open_again(), config) == expected


def test_pauses_and_replies_can_be_written_again_and_outlive_later_checkpoints(
    store: Store,
) -> None:
    config = begun(store)
    asked = Interrupt(value={"question": "Ý nào?"}, id="i")
    store.saver.put_writes(config, [("__interrupt__", [asked])], "task-1")
    store.saver.put_writes(config, [("__resume__", "1")], NOBODY)
    store.saver.put_writes(config, [("__resume__", "2")], NOBODY)
    store.saver.put_writes(config, [("status", "running")], "task-2")
    assert (NOBODY, "__resume__", "'2'") in pending(store, config)
    later = config
    for step in range(2):
        later = store.saver.put(later, empty_checkpoint(), {"source": "loop", "step": step}, {})
    assert pending(store, config) == {
        ("task-1", "__interrupt__", repr([asked])),
        (NOBODY, "__resume__", "'2'"),
    }


def test_a_row_that_a_task_and_a_checkpoint_hold_is_stored_once(store: Store) -> None:
    config = begun(store)
    store.saver.put_writes(config, [("evidence", ROWS[:3])], "task-1")
    checkpoint = {**empty_checkpoint(), "channel_values": {"evidence": ROWS[:3]}}
    later = store.saver.put(config, checkpoint, {"source": "loop", "step": 0}, {})  # type: ignore[arg-type]
    assert store.one("select count(*) from state_rows where thread = ?", ("việc",))[0] == 3
    found = store.saver.get_tuple(later)
    assert found is not None
    assert found.checkpoint["channel_values"] == {"evidence": ROWS[:3]}
