import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from langgraph.errors import GraphInterrupt

from graph.database import RunStoreError
from graph.ledger import SqliteLedger


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "runs.sqlite"


@pytest.fixture
def ledger(path: Path) -> Iterator[SqliteLedger]:
    opened = SqliteLedger(path)
    yield opened
    opened.close()


def key(query: str = "nghỉ phép", kind: str = "tool", **fields: Any) -> dict[str, Any]:
    plain = {"thread": "t", "question": 1, "kind": kind, "name": "search", "query": query}
    return {**plain, **fields}


class Work:
    """Counts how often it is run."""

    def __init__(self, result: Any = None, error: BaseException | None = None) -> None:
        self.runs, self.result, self.error = 0, result or {"passages": ["Đà Nẵng"]}, error

    def __call__(self) -> Any:
        self.runs += 1
        if self.error:
            raise self.error
        return self.result


def crash(path: Path, wanted: dict[str, Any]) -> None:
    """Leave behind what a process leaves that dies inside a call."""
    dying = SqliteLedger(path)
    with pytest.raises(KeyboardInterrupt):
        dying.call(wanted, Work(error=KeyboardInterrupt()))
    dying.close()


def test_a_finished_call_is_answered_from_the_record(path: Path, ledger: SqliteLedger) -> None:
    work = Work()
    first = ledger.call(key(), work)
    again = ledger.call(key(), work)
    other = SqliteLedger(path)
    later = other.call(key(), work)
    other.close()
    assert work.runs == 1
    assert first.result == again.result == later.result == {"passages": ["Đà Nẵng"]}
    assert (first.replayed, again.replayed, later.replayed) == (False, True, True)
    assert first.attempts == again.attempts == later.attempts == 1
    assert again.seconds == pytest.approx(first.seconds, abs=1e-5)


@pytest.mark.parametrize(
    "change",
    [
        {"query": "nghi phep"},
        {"thread": "u"},
        {"question": 2},
        {"name": "sql"},
        {"user": "an"},
        {"generation": 2},
    ],
)
def test_a_call_that_differs_in_anything_is_another_call(
    ledger: SqliteLedger, change: dict[str, Any]
) -> None:
    work = Work()
    ledger.call(key(), work)
    assert not ledger.call({**key(), **change}, work).replayed
    assert work.runs == 2


def test_the_order_of_a_key_does_not_matter(ledger: SqliteLedger) -> None:
    ledger.call(key(), Work())
    assert ledger.call(dict(reversed(key().items())), Work()).replayed


def test_a_call_that_a_crash_cut_off_is_run_again_and_counted_twice(
    path: Path, ledger: SqliteLedger
) -> None:
    crash(path, key())
    work = Work()
    entry = ledger.call(key(), work)
    assert work.runs == 1
    assert (entry.attempts, entry.replayed) == (2, False)
    assert ledger.call(key(), work).attempts == 2
    assert [row["finished"] is None for row in ledger.rows("t")] == [True, False]


def test_an_error_is_recorded_and_returned_but_not_replayed(ledger: SqliteLedger) -> None:
    failing = Work(error=TimeoutError("hết giờ"))
    entry = ledger.call(key(), failing)
    assert (entry.result, entry.error, entry.attempts) == (None, "hết giờ", 1)
    working = Work()
    entry = ledger.call(key(), working)
    assert (entry.error, entry.attempts, working.runs) == (None, 2, 1)
    assert [row["error"] for row in ledger.rows("t")] == ["hết giờ", None]


def test_an_error_without_words_is_named_by_its_kind(ledger: SqliteLedger) -> None:
    assert ledger.call(key(), Work(error=TimeoutError())).error == "TimeoutError"


def test_an_error_of_a_policy_is_recorded_and_raised(ledger: SqliteLedger) -> None:
    with pytest.raises(ValueError, match="không đọc được"):
        ledger.call(key(kind="policy"), Work(error=ValueError("không đọc được")))
    assert ledger.rows("t")[0]["error"] == "không đọc được"


@pytest.mark.parametrize("result", [{"passages": [object()]}, {"text": "\ud800"}, {1: {2}}])
def test_a_result_that_cannot_be_kept_is_an_error_of_the_tool(
    ledger: SqliteLedger, result: Any
) -> None:
    entry = ledger.call(key(), Work(result))
    assert entry.result is None
    assert entry.error


def test_a_pause_passes_through_and_is_no_attempt(ledger: SqliteLedger) -> None:
    with pytest.raises(GraphInterrupt):
        ledger.call(key(), Work(error=GraphInterrupt()))
    assert ledger.rows("t") == []
    assert ledger.call(key(), Work()).attempts == 1


def test_tokens_and_money_add_up_over_attempts(path: Path, ledger: SqliteLedger) -> None:
    usage = {"input_tokens": 70, "output_tokens": 5, "money": 0.5}
    crash(path, key(kind="policy"))
    entry = ledger.call(key(kind="policy"), Work({"result": {}, "usage": usage}))
    assert (entry.tokens, entry.money, entry.attempts) == (75, 0.5, 2)
    row = ledger.rows("t")[-1]
    assert (row["tokens"], row["money"], row["kind"]) == (75, 0.5, "policy")


def test_many_threads_share_a_ledger(ledger: SqliteLedger) -> None:
    def one(number: int) -> int:
        entry = ledger.call(key(f"câu {number}"), Work({"n": number}))
        assert entry.result == {"n": number}
        return entry.attempts

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(one, range(80))) == {1}
    assert len(ledger.rows("t")) == 80


def test_two_open_ledgers_share_a_file(path: Path) -> None:
    ledgers = [SqliteLedger(path) for _ in range(4)]

    def one(number: int) -> None:
        for step in range(10):
            ledgers[number].call(key(f"{number}-{step}"), Work())

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(one, range(4)))
    assert len(ledgers[0].rows("t")) == 40
    for opened in ledgers:
        opened.close()


def test_the_calls_of_a_thread_can_be_forgotten(ledger: SqliteLedger) -> None:
    ledger.call(key(), Work())
    ledger.call(key(thread="u"), Work())
    ledger.delete("t")
    assert ledger.rows("t") == []
    assert len(ledger.rows("u")) == 1


def test_the_file_is_its_owners_alone(path: Path, ledger: SqliteLedger) -> None:
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("content", [b"Day khong phai co so du lieu. " * 200, b"SQLite format 3\0"])
def test_a_damaged_file_is_one_sentence(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(RunStoreError, match=f"The run store {path} is damaged") as caught:
        SqliteLedger(path)
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == content


def test_damage_while_a_run_goes_on_is_one_sentence(path: Path, ledger: SqliteLedger) -> None:
    ledger.call(key(), Work())
    other = sqlite3.connect(path)
    other.execute("drop table ledger")
    other.commit()
    other.close()
    with pytest.raises(RunStoreError, match="The run store"):
        ledger.call(key("khác"), Work())
    with pytest.raises(RunStoreError, match="The run store"):
        ledger.rows("t")


def test_two_roles_at_one_place_of_a_run_are_no_attempts_of_one_call(ledger: SqliteLedger) -> None:
    ledger.call(key(kind="policy", name="a.grade"), Work())
    assert ledger.call(key(kind="policy", name="a.write"), Work()).attempts == 1
    assert ledger.call(key(kind="policy", name="b.grade"), Work()).attempts == 2
