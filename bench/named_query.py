"""What a named query costs, and what parallel tool calls do: `python -m bench.named_query`.

The database's own time is that of the same statement and parameters on an open connection of the
driver alone. Ours takes the whole tool call: arguments checked, parameters converted, a
connection that only reads, rows put into words. PostgreSQL is measured where
GROUNDHOP_TEST_POSTGRES names a server whose user may create databases.

The second part asks parts of a question that do not wait for each other, whose tools sleep, and
compares the time from the first call begun to the last one ended with that of the slowest call.
"""

import os
import sqlite3
import statistics
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from policy.protocol import PlannedSubgoal
from retrieval.access import Identity
from retrieval.tools.database import query_database
from retrieval.tools.database_reading import Reader
from retrieval.tools.database_settings import Database
from retrieval.tools.registry import Tool, ToolResult, call, registry
from tests.graph.scenes import agent_on
from tests.nodes.scripting import Script, honest, passage, planned

PEOPLE, DAYS, CALLS = 5_000, 40, 400
SLEEP = 0.2
SERVER = "GROUNDHOP_TEST_POSTGRES"
TABLE = "CREATE TABLE leave_taken (employee_id TEXT, year INTEGER, days NUMERIC)"
INDEX = "CREATE INDEX by_employee ON leave_taken (employee_id, year)"
STATEMENTS = {
    "one row by an index": "SELECT SUM(days) AS used, 15 - SUM(days) AS remaining FROM leave_taken "
    "WHERE employee_id = :user_id AND year = :year",
    "a look at every row": "SELECT SUM(days) AS used, 15 - SUM(days) AS remaining FROM leave_taken "
    "WHERE employee_id || '' = :user_id AND year = :year",
}
GIVEN = {"user_id": "E0042", "year": 2026}


def main() -> None:
    load = os.getloadavg()[0]
    print("command: python -m bench.named_query")
    print(
        f"machine: {os.cpu_count()} cores, load {load:.1f}; {PEOPLE * DAYS:,} rows, {CALLS} calls"
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        fill_sqlite(path / "hr.sqlite")
        with closing(sqlite3.connect(path / "hr.sqlite")) as opened:
            compare("SQLite", "sqlite:///hr.sqlite", path, lambda sql: opened.execute(sql, GIVEN))
        if os.environ.get(SERVER):
            with postgres() as (url, execute):
                compare("PostgreSQL", url, path, execute)
        else:
            print(f"PostgreSQL: not measured, {SERVER} is not set")
        for parts in (1, 2, 4):
            parallel(path / f"runs-{parts}", parts)


def rows() -> Iterator[tuple[str, int, float]]:
    for person in range(PEOPLE):
        for day in range(DAYS):
            yield f"E{person:04}", 2024 + day % 3, 0.5 + day % 2 / 2


def fill_sqlite(path: Path) -> None:
    with closing(sqlite3.connect(path)) as opened, opened:
        opened.execute(TABLE)
        opened.executemany("INSERT INTO leave_taken VALUES (?, ?, ?)", rows())
        opened.execute(INDEX)


@contextmanager
def postgres() -> Iterator[tuple[str, Callable[[str], Any]]]:
    """The URL of a filled database of its own, and a function that runs a statement there."""
    import psycopg

    server, name = os.environ[SERVER], f"groundhop_bench_{uuid.uuid4().hex[:12]}"
    parts = urlsplit(server)
    url = urlunsplit((parts.scheme, parts.netloc, f"/{name}", parts.query, ""))
    with psycopg.connect(server, autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}".encode())
        try:
            with psycopg.connect(url, autocommit=True) as opened:
                opened.execute(TABLE.encode())
                with opened.cursor().copy("COPY leave_taken FROM STDIN") as copy:
                    for row in rows():
                        copy.write_row(row)
                opened.execute(INDEX.encode())
                opened.execute(b"ANALYZE leave_taken")
                wanted = {name: f"%({name})s" for name in GIVEN}

                def execute(sql: str) -> Any:
                    for one, placeholder in wanted.items():
                        sql = sql.replace(f":{one}", placeholder)
                    return opened.execute(sql.encode(), GIVEN)

                yield url, execute
        finally:
            admin.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


def compare(kind: str, url: str, folder: Path, execute: Callable[[str], Any]) -> None:
    for what, sql in STATEMENTS.items():
        query = {
            "name": "leave_left",
            "sql": sql,
            "parameters": {"year": {"type": "integer", "default": 2026}},
            "says": {"vi": "Năm {year} bạn đã nghỉ {used} ngày, còn {remaining} ngày."},
            "answer": {"vi": "{remaining} ngày"},
        }
        settings = Database.model_validate({"name": "hr", "url": url, "queries": [query]})
        with closing(Reader(settings, folder)) as reader:
            tools = registry(query_database([reader]))

            def ours(tools: Any = tools) -> Any:
                arguments = {"query": "leave_left"}
                return call(tools, "query_database", arguments, Identity("E0042"), 5)

            own, whole = medians(lambda sql=sql: execute(sql).fetchall(), ours)
        print(
            f"{kind}, {what}: the database alone {own:.2f} ms, a named query {whole:.2f} ms, "
            f"beyond it {whole - own:.2f} ms (medians)"
        )


def medians(*works: Callable[[], Any]) -> list[float]:
    """Milliseconds of each, taken in turn, so that a busy machine slows all alike."""
    times: list[list[float]] = [[] for _ in works]
    for _ in range(CALLS):
        for work, mine in zip(works, times, strict=True):
            begun = time.perf_counter()
            work()
            mine.append((time.perf_counter() - begun) * 1000)
    return [statistics.median(mine) for mine in times]


def parallel(home: Path, parts: int) -> None:
    """Ask a question of so many parts, each of which calls a tool that sleeps."""
    calls: list[tuple[float, float]] = []

    def run(arguments: dict[str, Any], identity: Identity, top_k: int) -> ToolResult:
        begun = time.perf_counter()
        time.sleep(SLEEP)
        calls.append((begun, time.perf_counter()))
        query = arguments["query"]
        return ToolResult([passage(f"Trả lời: {query}", query, kind="external")])

    schema = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
    tools = [Tool(f"tool_{number}", "Sleeps.", schema, run) for number in range(parts)]
    subgoals = [
        PlannedSubgoal(id=f"s{number}", question=f"Phần {number}?", tool=f"tool_{number}")
        for number in range(parts)
    ]
    answers = {f"Trả lời: {one.question}": one.question for one in subgoals}
    policy = Script(plan=[planned(subgoals=subgoals)], grade=honest(answers))
    home.mkdir()
    agent = agent_on(home, policy, *tools)
    begun = time.perf_counter()
    agent.ask("Các phần thế nào?")
    whole = time.perf_counter() - begun
    agent.close()
    took = max(end for _, end in calls) - min(start for start, _ in calls)
    slowest = max(end - start for start, end in calls)
    print(
        f"{len(calls)} tool calls of {SLEEP * 1000:.0f} ms: the slowest {slowest * 1000:.0f} ms, "
        f"all of them {took * 1000:.0f} ms; the whole run {whole * 1000:.0f} ms"
    )


if __name__ == "__main__":
    main()
