"""A killed run goes on where it was: same answer, nothing finished run twice, budget intact.

30 kills in all: at random moments, and inside a tool, inside a judgement, inside a request to a
model, and between ledger and checkpoint. `bench/soak.py` does the same two hundred times.
"""

import random
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.graph.soak import REQUESTS, Audit, Forks, undisturbed
from tests.graph.three_hops import QUESTION, three_hop_agent

PAUSE = 0.02
NAMED = {
    "sync": ["tool:1", "tool:3", "policy:2", "recorded:1", "recorded:4", "recorded:7"],
    "async": ["tool:2", "policy:5", "recorded:5"],
    "parent": ["tool:4", "policy:6", "recorded:3"],
    "model": [f"http:{number}" for number in range(1, REQUESTS + 1)],
}


@pytest.fixture
def forks(tmp_path: Path) -> Iterator[Callable[..., Forks]]:
    opened: list[Forks] = []

    def start(url: str | None = None) -> Forks:
        opened.append(Forks(tmp_path, PAUSE, url))
        return opened[-1]

    yield start
    for one in opened:
        one.close()


def soak(forks: Forks, named: dict[str, list[str]], at_random: dict[str, int]) -> None:
    """Kill and finish threads, then audit them."""
    duration = undisturbed(forks)
    moments = random.Random(20190419)
    kills: list[tuple[str, float | str]] = [
        (form, kill) for form, moment in named.items() for kill in moment
    ]
    for form, times in at_random.items():
        kills += [(form, moments.uniform(0.0, duration)) for _ in range(times)]
    forms: dict[str, str] = {}
    killed = 0
    for number, (form, kill) in enumerate(kills):
        thread = f"{form}-{number}"
        code = forks.run(form, "run", thread, kill)
        assert code == -signal.SIGKILL or isinstance(kill, float), f"{kill} was never reached"
        killed += code == -signal.SIGKILL
        forks.finish(form, thread)
        forms[thread] = form
    assert killed >= len(kills) * 2 // 3, "most runs must have been alive when they were killed"
    audit = Audit(forks.home, forks.url)
    audit.check(forms, "undisturbed")
    audit.close()


def test_runs_killed_on_sqlite_end_as_if_nothing_had_happened(
    forks: Callable[..., Forks],
) -> None:
    soak(forks(), NAMED, {"sync": 5, "async": 4, "parent": 4})


def test_runs_killed_on_postgresql_end_as_if_nothing_had_happened(
    forks: Callable[..., Forks], postgres_url: str
) -> None:
    named = {"sync": ["tool:2", "recorded:2"], "async": ["policy:3"], "parent": ["recorded:6"]}
    named["model"] = ["http:2", "http:5"]
    soak(forks(postgres_url), named, {"sync": 2, "async": 1, "parent": 1})


def test_a_run_killed_again_and_again_still_ends(
    tmp_path: Path, forks: Callable[..., Forks]
) -> None:
    moments = random.Random(7)
    started = forks()
    started.run("sync", "run", "undisturbed")
    started.run("sync", "run", "often", 0.15)
    for _ in range(7):
        started.run("sync", "resume", "often", moments.uniform(0.02, 0.25))
    started.finish("sync", "often")
    audit = Audit(tmp_path)
    audit.check({"often": "sync"}, "undisturbed")
    audit.close()


def test_the_question_of_this_script_takes_three_rounds(tmp_path: Path) -> None:
    agent = three_hop_agent(tmp_path, 0.0)
    result = agent.ask(QUESTION)
    agent.close()
    assert result.status == "answered"
    assert result.state["budget"]["spent"]["steps"] == 3
    assert result.answer["short"] == "Việt Nam"
