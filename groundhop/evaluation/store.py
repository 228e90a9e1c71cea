"""Results in one SQLite file that a person can query.

    select system, round(avg(value), 3) from measures where measure = 'right' group by system;

`runs` says what was run, `questions` what was asked, `results` what came of it (with the whole
record as JSON), `measures` every number. A result is written once, in one transaction.
"""

import json
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from groundhop.evaluation.measures import Values
from groundhop.evaluation.recording import Record
from groundhop.evaluation.schema import Json, Question
from retrieval.errors import GroundhopError
from retrieval.write_ahead_log import use_write_ahead_log

FILE = "evaluation.sqlite"
_SCHEMA = """
create table if not exists runs (
    run text primary key, fingerprint text not null, begun text not null, finished text,
    command text not null, about text not null
);
create table if not exists questions (
    run text not null, dataset text not null, question text not null, asked text not null,
    answerable text not null, type text not null, lang text not null, hops integer not null,
    split text not null, labels text not null, primary key (run, dataset, question)
);
create table if not exists results (
    run text not null, dataset text not null, question text not null, system text not null,
    outcome text not null, cause text not null, status text not null, stop_reason text not null,
    short text not null, seconds real not null, tokens integer not null, money real not null,
    thread text not null, home text not null, record text not null,
    primary key (run, dataset, question, system)
);
create table if not exists measures (
    run text not null, dataset text not null, question text not null, system text not null,
    measure text not null, value real not null,
    primary key (run, dataset, question, system, measure)
);
"""


class Results:
    """An open results file; safe for threads."""

    def __init__(self, path: Path) -> None:
        """Open or create the file at `path`; raises GroundhopError where it is something else."""
        self.path = path
        self._lock = threading.Lock()
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        self._connection = sqlite3.connect(path, timeout=30, check_same_thread=False)
        self._connection.row_factory = sqlite3.Row
        with self._transaction() as connection:
            use_write_ahead_log(connection)
            connection.execute("pragma synchronous = normal")
            connection.executescript(_SCHEMA)

    def begin(self, run: str, fingerprint: str, begun: str, command: str, about: Json) -> None:
        """Note a run, unless it is there already."""
        with self._transaction() as connection:
            connection.execute(
                "insert or ignore into runs values (?, ?, ?, null, ?, ?)",
                (run, fingerprint, begun, command, _json(about)),
            )

    def add_questions(self, run: str, dataset: str, questions: list[tuple[Question, Json]]) -> None:
        """Note what is asked, with the labels as JSON."""
        rows = [
            (run, dataset, one.id, one.question, one.answerable, one.type, one.lang, one.hops,
             one.split, _json(labels))
            for one, labels in questions
        ]  # fmt: skip
        with self._transaction() as connection:
            connection.executemany(f"insert or replace into questions values ({_marks(10)})", rows)

    def add(
        self,
        place: tuple[str, str, str, str],
        record: Record,
        verdict: tuple[str, str],
        home: str,
        values: Values,
    ) -> None:
        """One result, whole: `place` is (run, dataset, question, system), `verdict` its outcome
        and the cause of an error."""
        spent = record.spent
        row = (
            *place, *verdict, record.status, record.stop_reason, record.answer.get("short", ""),
            record.seconds, int(spent.get("tokens", 0)), float(spent.get("money", 0)),
            record.thread, home, _json(record.as_json()),
        )  # fmt: skip
        with self._transaction() as connection:
            connection.execute(f"insert or ignore into results values ({_marks(15)})", row)
            _insert_measures(connection, place, values)

    def add_measures(self, place: tuple[str, str, str, str], values: Values) -> None:
        """More measures of a result that is there."""
        with self._transaction() as connection:
            _insert_measures(connection, place, values)

    def without(self, run: str, dataset: str, measure: str) -> list[sqlite3.Row]:
        """Question, system, what was asked and the record of results that lack a measure."""
        return self.rows(
            "select r.question, r.system, r.record, q.asked from results r"
            " join questions q using (run, dataset, question)"
            " where r.run = ? and r.dataset = ? and not exists (select 1 from measures m"
            " where m.run = r.run and m.dataset = r.dataset and m.question = r.question"
            " and m.system = r.system and m.measure = ?)",
            run,
            dataset,
            measure,
        )

    def finish(self, run: str, finished: str) -> None:
        """Note that a run is complete."""
        with self._transaction() as connection:
            connection.execute("update runs set finished = ? where run = ?", (finished, run))

    def unfinished(self, fingerprint: str) -> str | None:
        """The newest run that set out to do the same and did not end."""
        rows = self.rows(
            "select run from runs where fingerprint = ? and finished is null"
            " order by begun desc limit 1",
            fingerprint,
        )
        return rows[0]["run"] if rows else None

    def fingerprint(self, run: str) -> str | None:
        """What a run set out to do; None where there is no such run."""
        rows = self.rows("select fingerprint from runs where run = ?", run)
        return rows[0]["fingerprint"] if rows else None

    def done(self, run: str) -> set[tuple[str, str, str]]:
        """What a run has results of: (dataset, question, system)."""
        rows = self.rows("select dataset, question, system from results where run = ?", run)
        return {(row["dataset"], row["question"], row["system"]) for row in rows}

    def expected(self, system: str, policy: str) -> tuple[float, float] | None:
        """Mean seconds and money of a question, from earlier results of the same policy."""
        rows = self.rows(
            "select avg(seconds) as s, avg(money) as m, count(*) as n from (select seconds, money"
            " from results where system = ? and json_extract(record, '$.policy') = ?"
            " order by rowid desc limit 200)",
            system,
            policy,
        )
        return (rows[0]["s"], rows[0]["m"]) if rows[0]["n"] else None

    def rows(self, query: str, *parameters: Any) -> list[sqlite3.Row]:
        """The rows of a query."""
        with self._transaction() as connection:
            return connection.execute(query, parameters).fetchall()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        try:
            with self._lock, self._connection:
                yield self._connection
        except sqlite3.Error as error:
            raise GroundhopError(
                f"The results in {self.path} cannot be used ({error}): name another file with "
                f"--results, or delete this one."
            ) from None


def _insert_measures(
    connection: sqlite3.Connection, place: tuple[str, str, str, str], values: Values
) -> None:
    """In one statement: each one lets go of the interpreter, which other threads then hold."""
    connection.execute(
        "insert or ignore into measures select ?, ?, ?, ?, key, value from json_each(?)",
        (*place, _json(values)),
    )


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _marks(count: int) -> str:
    return ", ".join("?" * count)
