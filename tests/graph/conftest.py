"""Run stores to test on: an SQLite file, and a PostgreSQL database of this test run's own."""

import os
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import pytest

from graph.store import SqliteStore, Store

SERVER = "GROUNDHOP_TEST_POSTGRES"
SKIPPED = f"set {SERVER} to a PostgreSQL URL whose user may create databases"


@pytest.fixture(scope="module")
def postgres_url() -> Iterator[str]:
    """An empty database, dropped afterwards."""
    if not os.environ.get(SERVER):
        pytest.skip(SKIPPED)
    psycopg = pytest.importorskip("psycopg", reason="needs the extra `postgres`")
    server, name = os.environ[SERVER], f"groundhop_test_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"create database {name}")
        parts = urlsplit(server)
        yield urlunsplit((parts.scheme, parts.netloc, f"/{name}", parts.query, ""))
        connection.execute(f"drop database {name} with (force)")


@pytest.fixture(params=["sqlite", "postgres"])
def open_again(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[..., Store]]:
    """A function that opens the same run store once more; PostgreSQL's tables are emptied."""
    opened: list[Store] = []
    if request.param == "postgres":
        url = request.getfixturevalue("postgres_url")
        from graph.postgres import PostgresStore

        def make(**options: object) -> Store:
            return PostgresStore(url, **options)  # type: ignore[arg-type]
    else:

        def make(**options: object) -> Store:
            return SqliteStore(tmp_path / "runs.sqlite", **options)  # type: ignore[arg-type]

    def open_store(**options: object) -> Store:
        opened.append(make(**options))
        return opened[-1]

    yield open_store
    for store in opened:
        store.close()
    if request.param == "postgres":
        empty(url)


@pytest.fixture
def store(open_again: Callable[..., Store]) -> Store:
    return open_again()


def empty(url: str) -> None:
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        tables = "checkpoints, checkpoint_blobs, checkpoint_writes, state_rows, ledger, leases"
        connection.execute(f"truncate {tables}")
