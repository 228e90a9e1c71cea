"""A killed run goes on where it was: same answer, nothing finished run twice, budget intact."""

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from graph.database import runs_path
from graph.ledger import SqliteLedger
from tests.graph.three_hops import QUESTION, three_hop_agent

KILLS = 25
PAUSE = 0.02


class Forks:
    """Orders runs in child processes and kills them."""

    def __init__(self, home: Path) -> None:
        self._server = subprocess.Popen(
            [sys.executable, "-m", "tests.graph.three_hops", str(home), str(PAUSE)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "LANGGRAPH_STRICT_MSGPACK": "true"},
        )

    def run(self, order: str, thread: str, kill_after: float | str = "never") -> int:
        """Run to the end, or kill after so many seconds; gives the exit code."""
        return self.timed(order, thread, kill_after)[0]

    def timed(self, order: str, thread: str, kill_after: float | str) -> tuple[int, float]:
        assert self._server.stdin
        assert self._server.stdout
        self._server.stdin.write(f"{order} {thread} {kill_after}\n")
        self._server.stdin.flush()
        code, seconds = self._server.stdout.readline().split()
        return int(code), float(seconds)

    def close(self) -> None:
        assert self._server.stdin
        self._server.stdin.close()
        self._server.wait(timeout=30)


@pytest.fixture
def forks(tmp_path: Path) -> Iterator[Forks]:
    forks = Forks(tmp_path)
    yield forks
    forks.close()


def test_a_run_killed_at_random_moments_resumes_to_the_same_answer(
    tmp_path: Path, forks: Forks
) -> None:
    code, duration = forks.timed("run", "undisturbed", "never")
    assert code == 0
    moments = random.Random(20190419)
    killed = 0
    for number in range(KILLS):
        thread = f"killed-{number}"
        killed += forks.run("run", thread, moments.uniform(0.0, duration)) == -signal.SIGKILL
        _resume_or_start(forks, thread)
    assert killed >= KILLS * 3 // 4, "most runs must have been alive when they were killed"

    agent = three_hop_agent(tmp_path, 0.0)
    expected = agent.state("undisturbed")
    assert expected["status"] == "answered"
    for number in range(KILLS):
        state = agent.state(f"killed-{number}")
        assert state["answer"] == expected["answer"]
        assert _facts(state) == _facts(expected)
        _check_budget(tmp_path, f"killed-{number}", state["budget"]["spent"])
    agent.close()
    _check_nothing_finished_ran_again(tmp_path)


def test_a_run_killed_again_and_again_still_ends(tmp_path: Path, forks: Forks) -> None:
    moments = random.Random(7)
    forks.run("run", "often", 0.15)
    for _ in range(8):
        order = "resume" if _exists(tmp_path, "often") else "run"
        forks.run(order, "often", moments.uniform(0.02, 0.25))
    _resume_or_start(forks, "often")
    agent = three_hop_agent(tmp_path, 0.0)
    state = agent.state("often")
    agent.close()
    assert state["answer"]["short"] == "Việt Nam"
    _check_budget(tmp_path, "often", state["budget"]["spent"])
    _check_nothing_finished_ran_again(tmp_path)


def _resume_or_start(forks: Forks, thread: str) -> None:
    """A kill before the first checkpoint leaves no thread: then the question is asked again."""
    if forks.run("resume", thread) != 0:
        assert forks.run("run", thread) == 0


def _exists(home: Path, thread: str) -> bool:
    agent = three_hop_agent(home, 0.0)
    known = thread in {info.thread for info in agent.threads()}
    agent.close()
    return known


def _facts(state: dict) -> list[tuple]:
    return [(item["id"], item["quote"], item["subgoal_id"]) for item in state["evidence"]]


def _check_budget(home: Path, thread: str, spent: dict) -> None:
    """The sum that the user sees is the sum of the calls in the ledger."""
    ledger = SqliteLedger(runs_path(home))
    rows = ledger.rows(thread)
    ledger.close()
    assert spent["tool_calls"] == sum(row["kind"] == "tool" for row in rows)
    assert spent["model_calls"] == sum(row["kind"] == "policy" for row in rows)
    assert spent["tokens"] == sum(row["tokens"] for row in rows)
    assert spent["money"] == pytest.approx(sum(row["money"] for row in rows))
    seconds = sum(row["finished"] - row["started"] for row in rows if row["finished"])
    assert spent["seconds"] == pytest.approx(seconds, abs=0.01)
    assert spent["steps"] == 3


def _check_nothing_finished_ran_again(home: Path) -> None:
    """What tool and policy logged as begun, against what the ledger says was finished."""
    ledger = SqliteLedger(runs_path(home))
    begun = [json.loads(line) for line in (home / "begun.jsonl").read_text().splitlines()]
    threads = {f"killed-{number}" for number in range(KILLS)} | {"undisturbed", "often"}
    rows = [row for thread in threads for row in ledger.rows(thread)]
    ledger.close()
    assert len(begun) <= len(rows), "every call begun has its row"
    finished: dict[str, list[dict]] = {}
    for row in rows:
        finished.setdefault(row["key"], []).append(row)
    for attempts in finished.values():
        attempts.sort(key=lambda row: row["attempt"])
        assert all(row["finished"] is None for row in attempts[:-1]), "a finished call ran again"
    inside = [row for row in rows if row["finished"] and any(_is_of(call, row) for call in begun)]
    assert len(inside) == sum(row["finished"] is not None for row in rows)


def _is_of(call: list, row: dict) -> bool:
    moment, kind, name, _ = call
    return (
        kind == row["kind"]
        and name == row["name"]
        and (row["started"] <= moment <= (row["finished"] or float("inf")))
    )


def test_the_question_of_this_script_takes_three_rounds(tmp_path: Path) -> None:
    agent = three_hop_agent(tmp_path, 0.0)
    result = agent.ask(QUESTION)
    agent.close()
    assert result.status == "answered"
    assert result.state["budget"]["spent"]["steps"] == 3
    assert result.answer["short"] == "Việt Nam"
