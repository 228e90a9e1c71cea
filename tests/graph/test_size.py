"""Threads grow with their steps, not with their square; bytes are the same on every machine."""

import uuid

import pytest

from bench.long_runs import generous, long_agent
from graph.store import SqliteStore, Store


@pytest.mark.parametrize(("steps", "per_subgoal", "megabytes"), [(40, 10, 1.5), (100, 13, 6.0)])
def test_a_long_thread_stays_small(
    store: Store, steps: int, per_subgoal: int, megabytes: float
) -> None:
    agent, before = long_agent(store, steps, per_subgoal=per_subgoal), store.size()
    context = generous(steps, per_subgoal)
    result = agent.ask("Câu hỏi dài?", thread=str(uuid.uuid4()), context=context)
    assert result.state["budget"]["spent"]["steps"] >= steps
    if isinstance(store, SqliteStore):
        store._connection.execute("pragma wal_checkpoint(truncate)")
    assert store.size() - before < megabytes * 1e6


def test_short_questions_take_little_and_less_after_pruning(store: Store) -> None:
    agent = long_agent(store, 2, per_subgoal=1)
    before = store.size()
    for _ in range(20):
        agent.ask("Câu hỏi?")
    if isinstance(store, SqliteStore):
        store._connection.execute("pragma wal_checkpoint(truncate)")
    assert (store.size() - before) / 20 < 100_000
    assert (agent.prune().bytes_after - before) / 20 < 30_000
    agent.close()


def test_a_pruned_thread_keeps_only_the_rows_that_its_state_names(store: Store) -> None:
    agent = long_agent(store, 4, per_subgoal=2)
    agent.ask("Câu hỏi?", thread="t", context=generous(4, 2))

    def rows() -> int:
        with store.transaction() as cursor:
            cursor.execute("select count(*) from state_rows where thread = ?", ("t",))
            return int(cursor.fetchone()[0])

    before, state = rows(), agent.state("t")
    agent.prune()
    assert rows() < before
    assert agent.state("t") == state
    agent.close()
