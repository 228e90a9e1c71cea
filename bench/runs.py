"""What surviving costs: time a step, many runs at once, resuming, and bytes on the disk.

    python -m bench.runs [cost] [many] [resume] [size]

All figures are of one process; ratios compare within one call. PostgreSQL takes part where
GROUNDHOP_TEST_POSTGRES names a server.
"""

import os
import statistics
import sys
import tempfile
import time
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from langgraph.checkpoint.memory import InMemorySaver

from bench.long_runs import generous, long_agent
from bench.soak import database
from graph.build import build_graph
from graph.store import SqliteStore, Store, open_store
from nodes.services import Entry

STEPS, ROUNDS = 40, 5
MODEL_SECONDS, SEARCH_SECONDS = 0.05, 0.01
RUNS, WORKERS = 200, 8
QUESTIONS = 1000


class NoLedger:
    """A ledger that remembers nothing, to measure what remembering costs."""

    def call(self, key: dict[str, Any], work: Callable[[], Any]) -> Entry:
        return Entry(work(), None, 1, 0.0, 0, 0.0, replayed=False)

    def settle(self, thread: str) -> None:
        pass


def main() -> None:
    chosen = sys.argv[1:] or ["cost", "many", "resume", "size"]
    for name in chosen:
        {"cost": cost, "many": many, "resume": resume, "size": size}[name]()


def cost() -> None:
    """Milliseconds a step (three nodes, three calls), median over runs, without the run's own.

    Time on the clock, and time of this process's CPU, which other work on the machine hardly
    changes.
    """
    print(f"{STEPS} steps, median of {ROUNDS} runs, ms a step over a run without any store")
    with stores() as opened:
        for name, store in opened:
            times: dict[str, list[tuple[float, float]]] = defaultdict(list)
            for _ in range(ROUNDS):
                times["nothing"].append(timed(store, InMemorySaver(), NoLedger()))
                times["bare"].append(timed(store, bare_saver(store), NoLedger()))
                times["whole"].append(timed(store, store.saver, None))
            for kind, what in enumerate(("on the clock", "of the CPU")):
                base, bare, whole = (
                    statistics.median(one[kind] for one in times[of]) * 1000 / STEPS
                    for of in ("nothing", "bare", "whole")
                )
                print(
                    f"  {name:<11}{what:<13} bare saver {bare - base:6.2f}"
                    f"   ours with ledger {whole - base:6.2f}"
                    f"   ratio {(whole - base) / (bare - base):4.2f}"
                    f"   a node {(whole - base) / 3:5.2f}"
                )


def bare_saver(store: Store) -> Any:
    """LangGraph's own saver on the same database, as its documentation opens it."""
    if isinstance(store, SqliteStore):
        import sqlite3

        from langgraph.checkpoint.sqlite import SqliteSaver

        connection = sqlite3.connect(f"{store.place}.bare", check_same_thread=False)
        connection.execute("pragma journal_mode=wal")
        connection.execute("pragma synchronous=normal")
        return SqliteSaver(connection)
    from langgraph.checkpoint.postgres import PostgresSaver
    from psycopg import Connection
    from psycopg.rows import dict_row

    connection = Connection.connect(
        store._pool.conninfo,  # type: ignore[attr-defined]
        autocommit=True,
        prepare_threshold=0,
        row_factory=dict_row,
    )
    saver = PostgresSaver(connection)
    saver.setup()
    return saver


def timed(store: Store, saver: Any, ledger: Any) -> tuple[float, float]:
    """Seconds of one long run, on the clock and of the CPU."""
    agent, context = long_agent(store, STEPS), generous(STEPS)
    services = agent._services
    if ledger is not None:
        from dataclasses import replace

        services = replace(services, ledger=ledger)
    graph = build_graph(services).compile(checkpointer=saver)
    config: Any = {"configurable": {"thread_id": str(uuid.uuid4())}, "recursion_limit": 1000}
    began, used = time.perf_counter(), time.process_time()
    graph.invoke({"question": "Câu hỏi dài?"}, config, context=context, durability="sync")
    return time.perf_counter() - began, time.process_time() - used


def many() -> None:
    """Two-hop questions over eight workers, against what waiting for the model allows."""
    with stores() as opened:
        for name, store in opened:
            agent = long_agent(
                store,
                2,
                per_subgoal=1,
                model=lambda: time.sleep(MODEL_SECONDS),
                tool=lambda: time.sleep(SEARCH_SECONDS),
            )
            ends: list[float] = []
            began = time.perf_counter()

            def ask(number: int, agent: Any = agent, ends: list[float] = ends) -> tuple[str, float]:
                start = time.perf_counter()
                status = agent.ask("Câu hỏi?", thread=f"many-{number}").status
                ends.append(time.perf_counter())
                return status, ends[-1] - start

            with ThreadPoolExecutor(WORKERS) as pool:
                done = list(pool.map(ask, range(RUNS)))
            took = time.perf_counter() - began
            assert {status for status, _ in done} == {"answered"}
            spent = agent.state("many-0")["budget"]["spent"]
            waits = spent["model_calls"] * MODEL_SECONDS + spent["tool_calls"] * SEARCH_SECONDS
            ideal = waits * RUNS / WORKERS
            each = sorted(seconds for _, seconds in done)
            print(
                f"{RUNS} runs on {WORKERS} workers, {name}: {RUNS / took:.1f} a second, "
                f"{ideal / took:.0%} of what the waits allow; a run {each[len(each) // 2]:.2f} s, "
                f"the slowest {each[-1]:.2f} s, without waits {waits:.2f} s"
            )


def resume() -> None:
    """From opening the store of a thread of forty steps to the first new step."""
    for name, place in places():
        with place as opened:
            store, again = opened
            agent = long_agent(store, STEPS)
            agent.ask("Câu hỏi dài?", thread="t", context=generous(STEPS))
            moment = agent.moments("t")[-2]
            forked = agent.fork("t", moment.number)
            times = []
            for _ in range(ROUNDS):
                began = time.perf_counter()
                with closing(again()) as opened_again:
                    events = long_agent(opened_again, STEPS).stream_resume(
                        forked, context=generous(STEPS)
                    )
                    for event in events:
                        if event["event"] not in ("thread", "note"):
                            break
                    times.append(time.perf_counter() - began)
                    events.close()  # type: ignore[attr-defined]
                forked = agent.fork("t", moment.number)
            middle = statistics.median(times) * 1000
            print(
                f"resume of a thread of {STEPS} steps, {name}: {middle:.0f} ms to "
                f"the first new step (median of {ROUNDS})"
            )


def size() -> None:
    """Megabytes of long threads, and of many short ones."""
    for name, place in places():
        with place as opened:
            store, _ = opened
            before = store.size()
            for steps, per_subgoal in ((40, 10), (100, 13)):
                thread = str(uuid.uuid4())
                context = generous(steps, per_subgoal)
                long_agent(store, steps, per_subgoal=per_subgoal).ask(
                    "Câu hỏi dài?", thread=thread, context=context
                )
                settle(store)
                print(f"thread of {steps} steps, {name}: {(store.size() - before) / 1e6:.2f} MB")
                before = store.size()
        with place as opened:
            store, _ = opened
            agent = long_agent(store, 2, per_subgoal=1)
            for _ in range(QUESTIONS):
                agent.ask("Câu hỏi?")
            settle(store)
            pruned = agent.prune()
            print(
                f"{QUESTIONS:,} two-hop questions, {name}: {pruned.bytes_before / 1e6:.1f} MB, "
                f"{pruned.bytes_after / 1e6:.1f} MB after prune"
            )


def settle(store: Store) -> None:
    """Leave out what SQLite's log has in front of the file."""
    if isinstance(store, SqliteStore):
        store._connection.execute("pragma wal_checkpoint(truncate)")


@contextmanager
def stores() -> Iterator[list[tuple[str, Store]]]:
    from contextlib import ExitStack

    with ExitStack() as stack:
        yield [(name, stack.enter_context(place)[0]) for name, place in places()]


class Place:
    """A run store that is made, and can be made again; gives it and how to open it once more."""

    def __init__(self, server: str | None) -> None:
        self._server = server

    def __enter__(self) -> tuple[Store, Callable[[], Store]]:
        from contextlib import ExitStack

        self._stack = ExitStack()
        home = Path(self._stack.enter_context(tempfile.TemporaryDirectory()))
        url = self._stack.enter_context(database(self._server)) if self._server else None
        store = self._stack.enter_context(closing(open_store(home, url)))
        return store, lambda: open_store(home, url)

    def __exit__(self, *_: object) -> None:
        self._stack.close()


def places() -> list[tuple[str, Place]]:
    server = os.environ.get("GROUNDHOP_TEST_POSTGRES")
    return [("SQLite", Place(None)), *([("PostgreSQL", Place(server))] if server else [])]


if __name__ == "__main__":
    main()
