"""What is promised of a run store, on SQLite and on PostgreSQL alike."""

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import time
import zlib
from base64 import b64decode
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest

from graph.context import Context
from graph.database import DamagedThreadError
from graph.lease import ThreadBusyError, lease
from graph.ledger import Ledger
from graph.sealing import Sealer, SealError
from graph.store import Store
from graph.threads import UnknownThreadError
from retrieval.errors import GroundhopError
from tests.graph.scenes import QUESTION, TEXT, Crash, agent_on, crashing_once, honest_script
from tests.nodes.scripting import quoting

OpenAgain = Callable[..., Store]
KEY = bytes(range(32))


def test_what_was_packed_without_the_words_is_still_read() -> None:
    assert Sealer().open(b"z" + zlib.compress("Mười lăm ngày.".encode())) == (
        "Mười lăm ngày.".encode()
    )


def test_a_question_is_answered_and_its_thread_is_listed(store: Store) -> None:
    agent = agent_on(store)
    result = agent.ask(QUESTION, thread="việc 1")
    assert result.status == "answered"
    (info,) = agent.threads()
    assert (info.thread, info.status, info.question) == ("việc 1", "answered", QUESTION)
    assert agent.state("việc 1")["answer"] == result.answer
    rows = Ledger(store).rows("việc 1")
    assert sum(row["kind"] == "tool" for row in rows) == 1
    agent.close()


def test_a_crashed_run_is_resumed_through_another_connection(open_again: OpenAgain) -> None:
    agent = agent_on(open_again(), honest_script(write=crashing_once(quoting)))
    with pytest.raises(Crash):
        agent.ask(QUESTION, thread="t")
    agent.close()
    other = agent_on(open_again())
    result = other.resume("t")
    other.close()
    assert result.status == "answered"
    assert result.state["budget"]["spent"]["tool_calls"] == 1


def test_async_code_runs_resumes_and_lists_the_same_threads(store: Store) -> None:
    agent = agent_on(store, honest_script(write=crashing_once(quoting)))

    async def both() -> Any:
        with pytest.raises(Crash):
            await agent.aask(QUESTION, thread="t")
        return await agent.aresume("t")

    result = asyncio.run(both())
    assert result.status == "answered"
    assert agent.resume("t").answer == result.answer
    assert asyncio.run(agent.aresume("t")).notes[0].startswith("Thread t is finished")
    agent.close()


def test_two_open_ledgers_never_count_an_attempt_twice(open_again: OpenAgain) -> None:
    ledgers = [Ledger(open_again()) for _ in range(2)]

    def call(number: int) -> int:
        key = {"thread": "t", "question": 1, "kind": "tool", "name": "s", "query": number}
        return ledgers[number % 2].call(key, lambda: {"n": number}).attempts

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(call, range(60))) == {1}
    assert len(ledgers[0].rows("t")) == 60


def test_a_thread_is_held_by_one_and_given_back(open_again: OpenAgain) -> None:
    first, second = open_again(), open_again()
    with lease(first, "t"):
        with (
            pytest.raises(ThreadBusyError, match=f"by process {os.getpid()}"),
            lease(second, "t"),
        ):
            pass
        with lease(second, "u"):
            pass
    with lease(second, "t"):
        pass


def take_over(store: Store, **changes: Any) -> None:
    """Put a lease of somebody else there."""
    row = {
        "thread": "t",
        "owner": "x",
        "host": socket.gethostname(),
        "pid": os.getpid(),
        "born": "1",
        "left": 20.0,
        **changes,
    }
    with store.transaction() as cursor:
        cursor.execute(
            "insert into leases (thread, owner, host, pid, born, expires)"
            f" values (?, ?, ?, ?, ?, {store.now} + ?)",
            tuple(row.values()),
        )


def test_the_lease_of_a_killed_process_is_taken_over(store: Store) -> None:
    dead = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    take_over(store, pid=dead.pid, born="")
    dead.kill()
    dead.wait()
    with lease(store, "t"):
        pass


def test_the_lease_of_a_process_nobody_has_waited_for_is_taken_over(store: Store) -> None:
    child = os.fork()
    if child == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
    take_over(store, pid=child)
    with lease(store, "t"):
        pass
    os.waitpid(child, 0)


def test_a_new_process_with_an_old_id_does_not_hold_its_lease(store: Store) -> None:
    take_over(store, born="an earlier start")
    with lease(store, "t"):
        pass


@pytest.mark.parametrize(("left", "busy"), [(20.0, True), (-1.0, False), (7200.0, False)])
def test_a_lease_from_another_machine_counts_for_its_time(
    store: Store, left: float, busy: bool
) -> None:
    """Hours ahead means that the clock was set back since the lease was taken."""
    take_over(store, host="elsewhere", left=left)
    if busy:
        with pytest.raises(ThreadBusyError, match="on elsewhere"), lease(store, "t"):
            pass
    else:
        with lease(store, "t"):
            pass


def test_a_run_whose_lease_was_taken_over_stops(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graph.lease.HEARTBEAT_SECONDS", 0.01)
    agent = agent_on(store)
    events = agent.stream(QUESTION, thread="t")
    next(events)
    next(events)
    with store.transaction() as cursor:
        cursor.execute("update leases set owner = ?", ("another",))
    with pytest.raises(ThreadBusyError, match="taken over by another process"):
        deque((time.sleep(0.05) for _ in events), maxlen=0)
    agent.close()


def test_a_deleted_thread_leaves_nothing_behind(store: Store) -> None:
    agent = agent_on(store)
    agent.ask(QUESTION, thread="t")
    agent.ask(QUESTION, thread="u")
    agent.delete("t")
    assert [info.thread for info in agent.threads()] == ["u"]
    assert Ledger(store).rows("t") == []
    assert Ledger(store).rows("u")
    with pytest.raises(UnknownThreadError):
        agent.delete("t")
    agent.close()


def test_pruning_keeps_answers_conversations_and_accounts(store: Store) -> None:
    agent = agent_on(store)
    agent.ask(QUESTION, thread="t")
    before, rows = agent.state("t"), Ledger(store).rows("t")
    pruned = agent.prune()
    assert (pruned.threads, pruned.left_alone) == (1, 0)
    assert agent.state("t") == before
    assert Ledger(store).rows("t") == rows
    assert len(agent.moments("t")) == 1
    follow_up = agent.ask("Còn năm 2019?", thread="t")
    assert len(follow_up.state["conversation"]) == 2
    agent.close()


def test_pruning_leaves_unfinished_and_running_and_young_threads_alone(store: Store) -> None:
    agent = agent_on(store, honest_script(write=crashing_once(quoting)))
    with pytest.raises(Crash):
        agent.ask(QUESTION, thread="crashed")
    agent.ask(QUESTION, thread="running")
    moments = len(agent.moments("running"))
    with lease(store, "running"):
        pruned = agent.prune()
    assert (pruned.threads, pruned.left_alone) == (0, 2)
    assert agent.prune(older_than=timedelta(days=1)).threads == 0
    assert len(agent.moments("running")) == moments
    assert agent.resume("crashed").status == "answered"
    agent.close()


def test_pruning_forgets_the_calls_of_threads_that_are_gone(store: Store) -> None:
    agent = agent_on(store)
    agent.ask(QUESTION, thread="t")
    store.saver.delete_thread("t")  # as a server does, which knows no ledger
    agent.prune()
    assert Ledger(store).rows("t") == []
    agent.close()


def test_nothing_readable_is_stored_where_there_is_a_key(open_again: OpenAgain) -> None:
    agent = agent_on(open_again(sealer=Sealer(KEY)))
    result = agent.ask(QUESTION, thread="t")
    assert TEXT in result.text
    stored = everything(open_again())
    for secret in (QUESTION, TEXT, "Minh Tran"):
        assert secret.encode() not in stored
    agent.close()
    again = agent_on(open_again(sealer=Sealer(KEY)))
    assert again.resume("t").answer == result.answer
    again.close()


@pytest.mark.parametrize("sealer", [Sealer(), Sealer(bytes(16))])
def test_a_missing_or_another_key_is_one_sentence(open_again: OpenAgain, sealer: Sealer) -> None:
    agent_on(open_again(sealer=Sealer(KEY))).ask(QUESTION, thread="t")
    other = agent_on(open_again(sealer=sealer))
    with pytest.raises(SealError, match="GROUNDHOP_AES_KEY"):
        other.resume("t")
    other.close()


def test_what_was_stored_before_there_was_a_key_is_still_read(open_again: OpenAgain) -> None:
    result = agent_on(open_again()).ask(QUESTION, thread="t")
    later = agent_on(open_again(sealer=Sealer(KEY)))
    assert later.resume("t").answer == result.answer
    later.close()


def everything(store: Store) -> bytes:
    """All that the store holds, as bytes."""
    parts: list[bytes] = []
    with store.transaction() as cursor:
        if hasattr(store, "_pool"):
            cursor.execute("select tablename from pg_tables where schemaname = 'public'")
        else:
            cursor.execute("select name from sqlite_master where type = 'table'")
        for (table,) in cursor.fetchall():
            cursor.execute(f"select * from {table}")
            for row in cursor.fetchall():
                parts += [readable(one) for one in row]
    return b"\0".join(parts)


def readable(value: Any) -> bytes:
    """What a thief of the database makes of a value: packing is no secret."""
    if not isinstance(value, bytes | memoryview):
        packed = re.findall(r"sealed:([\w+/=]+)", str(value))
        return str(value).encode() + b"".join(readable(b64decode(one)) for one in packed)
    try:
        return Sealer().open(bytes(value))
    except (SealError, DamagedThreadError):
        return bytes(value)


def test_without_a_key_it_is_only_packed(store: Store) -> None:
    agent = agent_on(store)
    agent.ask(QUESTION, thread="t")
    stored = everything(store)
    agent.close()
    for word in (QUESTION, TEXT, "Minh Tran"):
        assert word.encode() in stored


def test_a_store_of_a_newer_version_is_left_alone(open_again: OpenAgain) -> None:
    store = open_again()
    with store.transaction() as cursor:
        cursor.execute("insert into groundhop_migrations values (99)")
    try:
        with pytest.raises(GroundhopError, match="has version 99, this groundhop knows"):
            open_again()
    finally:
        with store.transaction() as cursor:
            cursor.execute("delete from groundhop_migrations where version = 99")


def test_a_run_is_stopped_cleanly_and_goes_on_later(store: Store) -> None:
    agent = agent_on(store)
    events = agent.stream(QUESTION, thread="t")
    for event in events:
        if event["event"] == "planned":
            agent.stop()
    result = event["result"]
    assert result.status == "interrupted"
    with pytest.raises(GroundhopError, match="shutting down"):
        agent.ask(QUESTION)
    agent.close()
    later = agent_on(store)
    assert later.resume("t").status == "answered"
    later.close()


def test_a_cancelled_call_is_finished_and_recorded_before_the_thread_is_given_back(
    store: Store,
) -> None:
    import threading

    begun, go_on = threading.Event(), threading.Event()

    def slow(view: Any) -> Any:
        begun.set()
        assert go_on.wait(20)
        return quoting(view)

    script = honest_script(write=slow)
    agent = agent_on(store, script)

    async def cancelled() -> Any:
        run = asyncio.create_task(agent.aask(QUESTION, thread="t"))
        await asyncio.to_thread(begun.wait, 20)
        run.cancel()
        await asyncio.sleep(0.05)
        go_on.set()
        with pytest.raises(asyncio.CancelledError):
            await run
        return await agent.aresume("t")

    result = asyncio.run(cancelled())
    agent.close()
    assert result.status == "answered"
    assert len(script.views["write"]) == 1, "the call that was under way was not made again"
    assert result.state["budget"]["spent"]["model_calls"] == 3


def test_one_agent_serves_many_threads_at_once(store: Store) -> None:
    agent = agent_on(store)

    def ask(number: int) -> str:
        return agent.ask(QUESTION, thread=f"t{number}", context=Context(user=f"u{number}")).status

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(ask, range(24))) == {"answered"}
    assert len(agent.threads()) == 24
    agent.close()
