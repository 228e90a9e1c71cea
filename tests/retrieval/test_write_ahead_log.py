import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from retrieval.write_ahead_log import use_write_ahead_log


def _mode(connection: sqlite3.Connection) -> str:
    return str(connection.execute("pragma journal_mode").fetchone()[0])


def test_the_log_is_on_for_everyone_who_opens_the_file_later(tmp_path: Path) -> None:
    file = tmp_path / "runs.sqlite"
    with closing(sqlite3.connect(file)) as first, closing(sqlite3.connect(file)) as second:
        use_write_ahead_log(first)
        assert _mode(second) == "wal"


def test_two_processes_that_begin_a_file_at_once_both_get_a_usable_connection(
    tmp_path: Path,
) -> None:
    file = tmp_path / "runs.sqlite"
    with (
        closing(sqlite3.connect(file, isolation_level=None)) as first,
        closing(sqlite3.connect(file, timeout=0)) as second,
    ):
        first.execute("begin exclusive")  # what the first one's own switch does
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            second.execute("pragma journal_mode = wal")
        use_write_ahead_log(second)
        first.execute("commit")
        use_write_ahead_log(first)
        with second:
            second.execute("create table runs (thread text)")
        assert _mode(second) == "wal"


def test_a_file_that_is_no_database_is_still_an_error(tmp_path: Path) -> None:
    file = tmp_path / "runs.sqlite"
    file.write_text("Sổ tay nhân viên " * 100, encoding="utf-8")
    with closing(sqlite3.connect(file)) as connection, pytest.raises(sqlite3.DatabaseError):
        use_write_ahead_log(connection)
