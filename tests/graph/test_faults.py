"""Databases that fill up, lock, vanish or restart: one sentence, and the thread goes on later."""

import sqlite3
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from graph.agent import Agent
from graph.context import Context
from graph.database import RunStoreError
from graph.savers import SqliteStates
from graph.store import SqliteStore, open_store
from graph.threads import UnknownThreadError
from retrieval.errors import GroundhopError, UsageError
from retrieval.tools.registry import Tool
from tests.graph.scenes import QUESTION, TEXT, Documents, agent_on, digest, honest_script
from tests.nodes.scripting import Search


def searching(before: Any) -> Tool:
    """A search that does something to the world before it answers."""

    def find(query: str) -> list[dict[str, Any]]:
        before()
        return Documents(d=TEXT).found(query)

    return Search(find).tool()


def finished_twice(agent: Agent, thread: str) -> list[str]:
    rows = agent._services.ledger.rows(thread)  # type: ignore[attr-defined]
    keys = [row["key"] for row in rows if row["finished"] and not row["error"]]
    return [key for key in keys if keys.count(key) > 1]


def fill(store: SqliteStore) -> None:
    """Let the database grow no more, and use up what is free in it."""
    connection = store._connection
    connection.execute("create table filler (bytes blob)")
    used = connection.execute("pragma page_count").fetchone()[0]
    connection.execute(f"pragma max_page_count = {used}")
    with suppress(sqlite3.OperationalError):
        while True:
            connection.execute("insert into filler values (zeroblob(3000))")
            connection.commit()
    connection.rollback()


def test_a_full_disk_at_a_checkpoint_leaves_a_thread_that_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = SqliteStore(tmp_path / "runs.sqlite")
    saved = SqliteStates.put
    puts: list[Any] = []

    def put(*arguments: Any) -> Any:
        puts.append(arguments)
        if len(puts) == 4:  # the search is recorded, its checkpoint is not
            fill(store)
        return saved(*arguments)

    monkeypatch.setattr(SqliteStates, "put", put)
    agent = agent_on(store)
    noise = "".join(digest(str(number)) for number in range(50))  # does not pack well
    with pytest.raises(RunStoreError, match="cannot grow because the disk is full"):
        agent.ask(f"{QUESTION} {noise}", thread="t", context=Context(steps=2))
    store.close()
    later = agent_on(SqliteStore(tmp_path / "runs.sqlite"))
    result = later.resume("t", context=Context(steps=2))
    assert result.status == "answered"
    assert finished_twice(later, "t") == []
    later.close()


def test_a_store_that_cannot_be_written_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graph.lease.LEASE_SECONDS", 0.5)  # it cannot be given back either
    store = SqliteStore(tmp_path / "runs.sqlite")

    def close_it() -> None:
        store._connection.execute("pragma query_only = 1")

    agent = agent_on(store, honest_script(), searching(close_it))
    with pytest.raises(RunStoreError, match="cannot be written; make the folder writable"):
        agent.ask(QUESTION, thread="t")
    store._connection.execute("pragma query_only = 0")
    time.sleep(0.6)
    agent = agent_on(store)
    assert agent.resume("t").status == "answered"
    agent.close()


def test_a_store_that_stays_locked_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graph.database.BUSY_SECONDS", 0.05)
    agent = agent_on(tmp_path)
    other = sqlite3.connect(tmp_path / "runs.sqlite")
    other.execute("begin immediate")
    with pytest.raises(RunStoreError, match="is locked by another process"):
        agent.ask(QUESTION, thread="t")
    other.rollback()
    other.close()
    assert agent.ask(QUESTION, thread="t").status == "answered"
    agent.close()


def test_a_damaged_store_is_named_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    path.write_bytes(b"khong phai co so du lieu" * 400)
    with pytest.raises(RunStoreError, match=f"The run store {path} is damaged"):
        SqliteStore(path)
    assert path.read_bytes().startswith(b"khong phai")


def test_a_database_of_another_program_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    with sqlite3.connect(path) as other:
        other.execute("create table ledger (ngay text, so_tien integer)")
        other.execute("insert into ledger values ('2026-01-01', 5)")
    other.close()
    with pytest.raises(GroundhopError, match="holds a table 'ledger' of another program"):
        SqliteStore(path)
    with sqlite3.connect(path) as other:
        tables = other.execute("select name, sql from sqlite_master").fetchall()
    other.close()
    assert tables == [("ledger", "CREATE TABLE ledger (ngay text, so_tien integer)")]


def test_a_table_of_another_program_on_postgresql_is_left_as_it_is(
    tmp_path: Path, postgres_url: str
) -> None:
    import psycopg

    with psycopg.connect(postgres_url, autocommit=True) as other:
        for table in ("ledger", "groundhop_migrations"):
            other.execute(f"drop table if exists {table}")
        other.execute("create table ledger (ngay text, so_tien integer)")
        with pytest.raises(GroundhopError, match="holds a table 'ledger' of another program"):
            open_store(tmp_path, postgres_url)
        columns = other.execute(
            "select column_name from information_schema.columns where table_name = 'ledger'"
        ).fetchall()
        other.execute("drop table ledger")
        other.execute("drop table if exists state_rows, leases")
    assert {name for (name,) in columns} == {"ngay", "so_tien"}


def test_damage_in_the_middle_is_a_sentence_and_other_threads_go_on(tmp_path: Path) -> None:
    agent = agent_on(tmp_path)
    for thread in ("hỏng", "lành"):
        agent.ask(QUESTION, thread=thread)
    with agent._store.transaction() as cursor:
        cursor.execute(
            "update checkpoints set checkpoint ="
            " cast(substr(checkpoint, 1, 40) || zeroblob(200) as blob) where thread_id = 'hỏng'"
        )
    with pytest.raises(GroundhopError, match=r"damaged.*`groundhop delete"):
        agent.resume("hỏng")
    assert agent.resume("lành").status == "answered"
    statuses = {info.thread: info.status for info in agent.threads()}
    assert statuses == {"hỏng": "damaged", "lành": "answered"}
    assert (agent.prune().threads, agent.prune().left_alone) == (1, 1)
    agent.delete("hỏng")
    assert agent.ask(QUESTION, thread="hỏng").status == "answered"
    agent.close()


def test_pages_that_were_overwritten_are_damage(tmp_path: Path) -> None:
    agent = agent_on(tmp_path)
    for number in range(20):
        agent.ask(QUESTION, thread=f"t{number}")
    agent.close()
    path = tmp_path / "runs.sqlite"
    whole = path.read_bytes()
    path.write_bytes(whole[:8192] + b"\xff" * (len(whole) - 8192))
    with pytest.raises(RunStoreError, match="is damaged"):
        agent_on(tmp_path).resume("t3")


def test_a_store_that_was_deleted_knows_its_threads_no_more(tmp_path: Path) -> None:
    agent = agent_on(tmp_path)
    agent.ask(QUESTION, thread="t")
    agent.close()
    for file in tmp_path.iterdir():
        file.unlink()
    agent = agent_on(tmp_path)
    with pytest.raises(UnknownThreadError):
        agent.resume("t")
    agent.close()


def test_rows_that_are_missing_are_damage_and_not_an_empty_list(tmp_path: Path) -> None:
    agent = agent_on(tmp_path)
    agent.ask(QUESTION, thread="t")
    with agent._store.transaction() as cursor:
        cursor.execute("delete from state_rows where thread = ?", ("t",))
    with pytest.raises(RunStoreError, match="Thread t is damaged"):
        agent.resume("t")
    agent.close()


def test_ten_thousand_threads_are_listed_newest_first_and_no_more_than_asked(
    tmp_path: Path,
) -> None:
    agent = agent_on(tmp_path)
    agent.ask(QUESTION, thread="t")
    with agent._store.transaction() as cursor:
        cursor.execute(
            "with recursive n(i) as (select 1 union all select i + 1 from n where i < 10000)"
            " insert into checkpoints select 'copy-' || i, '', '0' || substr(checkpoint_id, 2),"
            " null, type, checkpoint, metadata from n,"
            " (select * from checkpoints where thread_id = 't' order by checkpoint_id desc limit 1)"
        )
        cursor.execute(
            "with recursive n(i) as (select 1 union all select i + 1 from n where i < 10000)"
            " insert into state_rows select 'copy-' || i, name, data from n, state_rows"
            " where thread = 't'"
        )
    listed = agent.threads()
    agent.close()
    assert len(listed) == 200
    assert listed[0].thread == "t"
    assert {info.status for info in listed} == {"answered"}


def test_a_clock_that_is_set_back_changes_no_sum(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = time.time

    def set_back() -> None:
        monkeypatch.setattr("graph.ledger.time.time", lambda: real() - 7200)

    agent = agent_on(tmp_path, honest_script(), searching(set_back))
    result = agent.ask(QUESTION, thread="t")
    rows = agent._services.ledger.rows("t")  # type: ignore[attr-defined]
    agent.close()
    assert result.status == "answered"
    assert all(row["finished"] >= row["started"] for row in rows)
    assert 0 <= result.state["budget"]["spent"]["seconds"] < 60


def test_postgresql_may_drop_every_connection_and_refuse_new_ones_for_a_while(
    tmp_path: Path, postgres_url: str
) -> None:
    import psycopg

    name = postgres_url.rpartition("/")[2]
    admin = psycopg.connect(postgres_url.replace(name, "postgres"), autocommit=True)

    def allow(allowed: bool) -> None:
        admin.execute(f"alter database {name} allow_connections {allowed}")  # type: ignore[arg-type]

    def restart() -> None:
        allow(False)
        admin.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity where datname = %s", (name,)
        )
        threading.Timer(1.0, allow, (True,)).start()

    store = open_store(tmp_path, postgres_url)
    agent = agent_on(store, honest_script(), searching(restart))
    result = agent.ask(QUESTION, thread="t")
    assert result.status == "answered"
    assert finished_twice(agent, "t") == []
    assert result.state["budget"]["spent"]["tool_calls"] == 1
    store.close()
    admin.close()


def test_a_postgresql_that_does_not_answer_is_one_sentence_without_its_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("psycopg", reason="needs the extra `postgres`")
    monkeypatch.setattr("graph.postgres.WAIT_SECONDS", 0.3)
    with pytest.raises(RunStoreError, match="GROUNDHOP_DATABASE_URL; then resume") as caught:
        open_store(tmp_path, "postgresql://user:bimat@127.0.0.1:1/none")
    assert "refused" in str(caught.value), "the server's own reason"
    assert "bimat" not in str(caught.value)
    with pytest.raises(UsageError, match="must begin with postgresql://"):
        open_store(tmp_path, "mysql://127.0.0.1/x")
