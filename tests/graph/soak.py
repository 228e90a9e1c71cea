"""Runs that are killed in child processes, and the audit of what they left behind.

Run as a program it forks a child for each order read from standard input, so that killing one
costs no import: `FORM ORDER THREAD KILL`. FORM is sync, async, model or parent (the graph as a node
of another one), ORDER run or resume, KILL never, a number of seconds, or KIND:N for the Nth tool
call, policy call or call that was just recorded, or for http the Nth request to the model, by
which the form `model` is judged. The answer is the child's exit code and the seconds that it ran.
"""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

from typing_extensions import TypedDict

from graph.agent import Agent
from graph.build import build_graph
from graph.context import Context
from graph.ledger import Ledger
from graph.store import Store, open_store
from state.types import Answer
from tests.graph.asked_models import answering, judged_by_model
from tests.graph.three_hops import QUESTION, Moments, three_hop_services
from tests.policy.llm.server import serving

KINDS = {"tool": 4, "policy": 8, "recorded": 12}
"""How many moments of each kind an undisturbed run has."""
REQUESTS = 5
"""How often an undisturbed run of the form `model` asks the model."""
NOTHING_SAVED = 7


class ParentState(TypedDict, total=False):
    """What the graph around ours knows; `answer` is mapped by its name."""

    question: str
    answer: Answer
    status: str


def parent_graph(services: Any, saver: Any) -> Any:
    from langgraph.graph import END, START, StateGraph

    parent = StateGraph(ParentState, context_schema=Context)
    parent.add_node("research", build_graph(services).compile())
    parent.add_edge(START, "research")
    parent.add_edge("research", END)
    return parent.compile(checkpointer=saver)


class Forks:
    """Orders runs in child processes and kills them."""

    def __init__(self, home: Path, pause: float, url: str | None = None) -> None:
        self.home, self.url = home, url
        self._server = subprocess.Popen(
            [sys.executable, "-m", "tests.graph.soak", str(home), str(pause), url or ""],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "LANGGRAPH_STRICT_MSGPACK": "true"},
        )

    def run(self, form: str, order: str, thread: str, kill: float | str = "never") -> int:
        """Run to the end, or until it is killed; gives the exit code."""
        return self.timed(form, order, thread, kill)[0]

    def timed(self, form: str, order: str, thread: str, kill: float | str) -> tuple[int, float]:
        assert self._server.stdin
        assert self._server.stdout
        self._server.stdin.write(f"{form} {order} {thread} {kill}\n")
        self._server.stdin.flush()
        code, seconds = self._server.stdout.readline().split()
        return int(code), float(seconds)

    def finish(self, form: str, thread: str) -> None:
        """A kill before the first checkpoint leaves no thread: then the question is asked again."""
        if self.run(form, "resume", thread) == NOTHING_SAVED:
            assert self.run(form, "run", thread) == 0

    def close(self) -> None:
        assert self._server.stdin
        self._server.stdin.close()
        self._server.wait(timeout=30)


def undisturbed(forks: Forks) -> float:
    """The seconds of a run, after a first one that makes the tables and is forgotten."""
    assert forks.run("sync", "run", "first") == 0
    (forks.home / "begun.jsonl").unlink()
    code, seconds = forks.timed("sync", "run", "undisturbed", "never")
    assert code == 0
    return seconds


class Audit:
    """What is in the run store, and what tool and policy logged as begun."""

    def __init__(self, home: Path, url: str | None = None) -> None:
        self._store = open_store(home, url)
        self._ledger = Ledger(self._store)
        log = (home / "begun.jsonl").read_text().splitlines()
        self._begun = [json.loads(line) for line in log]
        services = three_hop_services(self._store, home / "unused", 0.0, Moments())
        self._agent = Agent(services, self._store)
        self._parent = parent_graph(services, self._store.saver)

    def close(self) -> None:
        self._store.close()

    def check(self, forms: dict[str, str], expected: str) -> None:
        """Every thread (its form by its id) ended as the undisturbed one did."""
        wanted = self._agent.state(expected)
        assert wanted["status"] == "answered"
        models = [thread for thread, form in forms.items() if form == "model"]
        self._check_models(models)
        for thread, form in forms.items():
            if form == "model":
                continue
            if form == "parent":
                config = {"configurable": {"thread_id": thread}}
                assert self._parent.get_state(config).values["answer"] == wanted["answer"]
            else:
                state = self._agent.state(thread)
                assert state["answer"] == wanted["answer"]
                assert _facts(state) == _facts(wanted)
                self._check_budget(thread, state["budget"]["spent"])
        self._check_nothing_finished_ran_again([*forms, expected])

    def _check_models(self, threads: list[str]) -> None:
        """Runs judged by a model are like each other; no finished request was made again."""
        states = [self._agent.state(thread) for thread in threads]
        for thread, state in zip(threads, states, strict=True):
            assert state["status"] == "answered"
            assert state["answer"] == states[0]["answer"]
            assert _facts(state) == _facts(states[0])
            spent, rows = state["budget"]["spent"], self._ledger.rows(thread)
            cut_off = sum(row["kind"] == "policy" and row["finished"] is None for row in rows)
            assert spent["model_calls"] == REQUESTS + cut_off
            assert spent["tokens"] == sum(row["tokens"] for row in rows)

    def repeated(self, threads: list[str]) -> int:
        """Calls that a kill cut off and that were made again."""
        rows = [row for thread in threads for row in self._ledger.rows(thread)]
        return sum(row["finished"] is None for row in rows)

    def _check_budget(self, thread: str, spent: Any) -> None:
        """The sum that the user sees is the sum of the calls in the ledger."""
        rows = self._ledger.rows(thread)
        assert spent["tool_calls"] == sum(row["kind"] == "tool" for row in rows)
        assert spent["model_calls"] == sum(row["kind"] == "policy" for row in rows)
        assert spent["tokens"] == sum(row["tokens"] for row in rows)
        assert abs(spent["money"] - sum(row["money"] for row in rows)) < 1e-9
        seconds = sum(row["finished"] - row["started"] for row in rows if row["finished"])
        assert abs(spent["seconds"] - seconds) < 0.01
        assert spent["steps"] == 3

    def _check_nothing_finished_ran_again(self, threads: list[str]) -> None:
        rows = [row for thread in threads for row in self._ledger.rows(thread)]
        attempts: dict[str, list[Any]] = defaultdict(list)
        for row in rows:
            attempts[row["key"]].append(row)
        for tries in attempts.values():
            tries.sort(key=lambda row: row["attempt"])
            assert all(row["finished"] is None for row in tries[:-1]), "a finished call ran again"
        assert len(self._begun) <= len(rows), "every call begun has its row"
        finished = [row for row in rows if row["finished"]]
        assert all(any(_is_of(call, row) for call in self._begun) for row in finished)


def _facts(state: Any) -> list[tuple[str, str, str]]:
    return [(item["id"], item["quote"], item["subgoal_id"]) for item in state["evidence"]]


def _is_of(call: list[Any], row: Any) -> bool:
    moment, kind, name, _ = call
    return (
        kind == row["kind"]
        and name == row["name"]
        and (row["started"] <= moment <= (row["finished"] or float("inf")))
    )


def _child(
    form: str, order: str, thread: str, moments: Moments, settings: list[str], model: str
) -> int:
    home, pause, url = Path(settings[0]), float(settings[1]), settings[2] or None
    store = open_store(home, url)
    services = three_hop_services(store, home / "begun.jsonl", pause, moments)
    if form == "parent":
        return _parent(services, store, order, thread)
    if form == "model":
        services = judged_by_model(services, model, home / "begun.jsonl")
    agent = Agent(services, store)
    if order == "resume" and thread not in {info.thread for info in agent.threads()}:
        return NOTHING_SAVED
    if form == "async":
        asyncio.run(_async(agent, order, thread))
    elif order == "run":
        agent.ask(QUESTION, thread=thread)
    else:
        agent.resume(thread)
    return 0


async def _async(agent: Agent, order: str, thread: str) -> None:
    await (agent.aask(QUESTION, thread=thread) if order == "run" else agent.aresume(thread))


def _parent(services: Any, store: Store, order: str, thread: str) -> int:
    graph = parent_graph(services, store.saver)
    config = {"configurable": {"thread_id": thread}}
    snapshot = graph.get_state(config)
    if order == "resume" and not (snapshot.values or snapshot.next or snapshot.tasks):
        return NOTHING_SAVED
    given = {"question": QUESTION} if order == "run" else None
    graph.invoke(given, config, context=Context(), durability="sync")
    return 0


def _serve(settings: list[str]) -> None:
    running: dict[str, int] = {}
    with serving() as model:
        model.script = answering(lambda: running["child"], lambda: running["fatal"])
        for line in sys.stdin:
            form, order, thread, kill = line.split()
            began, moments = time.monotonic(), Moments()
            kind, _, number = kill.partition(":")
            running["fatal"] = int(number) if kind == "http" else 0
            if number and kind != "http":
                moments = Moments(kind, int(number))
            child = os.fork()
            if child == 0:
                os._exit(_child(form, order, thread, moments, settings, model.url))
            running["child"] = child
            if not number and kill != "never":
                time.sleep(float(kill))
                os.kill(child, signal.SIGKILL)  # not reaped yet, so the id is still the child's
            _, status = os.waitpid(child, 0)
            print(os.waitstatus_to_exitcode(status), time.monotonic() - began, flush=True)


if __name__ == "__main__":
    _serve(sys.argv[1:])
