"""Many runs at once over one agent take turns: none waits for another one's model.

Judgements of these runs meet at a barrier, so that a run that were held up while another one
waits would leave the others waiting, and break it. No time is measured.
"""

import asyncio
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from graph.store import Store
from tests.graph.scenes import ANSWER, QUESTION, TEXT, agent_on, honest_script
from tests.nodes.scripting import honest, planned, quoting

RUNS = 8
LONG = 60.0
"""Seconds after which a barrier is broken: only a failing test takes them."""


def meeting(barrier: threading.Barrier, judgement: Any) -> Any:
    def role(view: Any) -> Any:
        barrier.wait()
        return judgement(view)

    return role


def in_step(barrier: threading.Barrier) -> Any:
    """A policy whose every judgement waits until all runs have come to one."""
    return honest_script(
        plan=meeting(barrier, lambda view: planned(view["original_question"])),
        grade=meeting(barrier, honest({TEXT: ANSWER})),
        write=meeting(barrier, quoting),
    )


def test_runs_of_eight_workers_go_on_in_step(store: Store) -> None:
    agent = agent_on(store, in_step(threading.Barrier(RUNS, timeout=LONG)))

    def ask(number: int) -> str:
        return agent.ask(QUESTION, thread=f"luồng {number}").status

    with ThreadPoolExecutor(RUNS) as workers:
        assert Counter(workers.map(ask, range(RUNS * 3))) == {"answered": RUNS * 3}
    agent.close()


def test_runs_of_one_event_loop_go_on_in_step(store: Store) -> None:
    """Nodes run in the threads of the loop, which by default are few on a small machine."""
    agent = agent_on(store, in_step(threading.Barrier(RUNS, timeout=LONG)))

    async def all_of_them() -> list[Any]:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(RUNS))
        asked = [agent.aask(QUESTION, thread=f"luồng {number}") for number in range(RUNS)]
        return await asyncio.gather(*asked)

    results = asyncio.run(all_of_them())
    assert [result.status for result in results] == ["answered"] * RUNS
    agent.close()


def test_a_run_whose_model_does_not_answer_holds_up_no_other(store: Store) -> None:
    begun, answers = threading.Event(), threading.Event()

    def plan(view: Any) -> Any:
        if view["original_question"].endswith("??"):
            begun.set()
            assert answers.wait(LONG)
        return planned(view["original_question"])

    agent = agent_on(store, honest_script(plan=plan))
    with ThreadPoolExecutor(2) as workers:
        slow = workers.submit(agent.ask, f"{QUESTION}?", thread="chậm")
        assert begun.wait(LONG)
        for number in range(20):
            assert agent.ask(QUESTION, thread=f"nhanh {number}").status == "answered"
        assert len(agent.threads()) == 21, "the thread under way is listed as well"
        assert not slow.done()
        answers.set()
        assert slow.result().status == "answered"
    agent.close()


@pytest.mark.parametrize(
    "thread", ["../../etc/passwd", "a/b\\c", "..", "C:\\luồng", "%00", "'; --"]
)
def test_an_id_with_characters_of_paths_is_only_a_name(store: Store, thread: str) -> None:
    agent = agent_on(store)
    assert agent.ask(QUESTION, thread=thread).status == "answered"
    assert [info.thread for info in agent.threads()] == [thread]
    assert agent.resume(thread).status == "answered"
    agent.delete(thread)
    assert agent.threads() == []
    agent.close()
