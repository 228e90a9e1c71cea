"""`groundhop doctor` looks at the run store that is used, also where that is a server's."""

import json
from pathlib import Path

import pytest

from graph.store import open_store
from tests.graph.conftest import postgres_url
from tests.graph.scenes import QUESTION, agent_on
from tests.groundhop.conftest import Run

__all__ = ["postgres_url"]


def runs(cli: Run) -> dict[str, str]:
    found = json.loads(cli("doctor", "--json").stdout)["checks"]
    return next(one for one in found if one["name"] == "runs")


@pytest.fixture
def server(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("GROUNDHOP_DATABASE_URL", postgres_url)
    return postgres_url


def test_the_threads_of_a_server_are_counted_and_looking_changes_nothing(
    cli: Run, server: str, tmp_path: Path
) -> None:
    before = runs(cli)
    assert before["level"] == "note"
    assert "no question has been asked yet" in before["detail"]
    assert runs(cli) == before, "no table was made"
    store = open_store(tmp_path, server)
    agent_on(store).ask(QUESTION, thread="việc 1")
    after = runs(cli)
    assert (after["level"], after["detail"][:9]) == ("ok", "1 thread,")

    with store.transaction() as cursor:
        cursor.execute("insert into groundhop_migrations values (99)")
    newer = runs(cli)
    assert newer["level"] == "problem"
    assert "upgrade groundhop" in newer["detail"]

    with store.transaction() as cursor:
        cursor.execute("delete from groundhop_migrations where version = 99")
        cursor.execute("drop table leases")
    damaged = runs(cli)
    assert "lacks the tables leases" in damaged["detail"]
    store.close()


def test_a_server_that_does_not_answer_is_named_without_its_password(
    cli: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("psycopg", reason="needs the extra `postgres`")
    url = "postgresql://an:bimat@127.0.0.1:1/groundhop"
    monkeypatch.setenv("GROUNDHOP_DATABASE_URL", url)
    found = runs(cli)
    assert found["level"] == "problem"
    assert "postgresql://an@127.0.0.1:1/groundhop cannot be used" in found["detail"]
    assert "bimat" not in cli("doctor").said
