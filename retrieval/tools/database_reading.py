"""Reading from a database, and nothing else: bounded in time, rows and size."""

import os
import re
import sqlite3
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from retrieval.errors import ToolError
from retrieval.tools.database_connecting import ENGINES, guarded
from retrieval.tools.database_settings import Database
from retrieval.tools.database_statements import for_driver
from retrieval.tools.database_values import Rows, as_rows, days_as_text

VALUES = 1_000
_VALUES_SECONDS = 60.0
_DENIED = re.compile(r"^not authorized|prohibited$|readonly database$")


class Reader:
    """A database that is connected to when it is first read; safe to use from several threads."""

    def __init__(self, settings: Database, folder: Path) -> None:
        self.settings = settings
        self._folder = folder
        self._engine: sa.Engine | None = None
        self._listed: dict[str, tuple[float, list[str]]] = {}
        self._lock = threading.Lock()

    @property
    def dialect(self) -> str:
        """`sqlite` or `postgresql`."""
        return self._url().get_backend_name()

    def place(self) -> str:
        """Where it is, without a password: a file, or host and name."""
        url = self._url()
        if url.get_backend_name() == "sqlite":
            return str(self._file(url))
        return sa.URL.create(
            "postgresql", url.username, None, url.host, url.port, url.database
        ).render_as_string()

    def read(self, sql: str, parameters: Mapping[str, Any], most: int | None = None) -> Rows:
        """The rows of one statement; `ToolError` in a sentence where that fails.

        The transaction can only read, and is rolled back.
        """
        most, begun = most or self.settings.rows, time.monotonic()
        try:
            try:
                return self._once(sql, parameters, most)
            except sa.exc.DBAPIError as error:
                in_time = time.monotonic() - begun < self.settings.timeout
                if not (error.connection_invalidated and in_time):
                    raise
                return self._once(sql, parameters, most)  # the server had dropped it: a new one
        except (sa.exc.SQLAlchemyError, sqlite3.Error, OverflowError) as error:
            raise self._explain(error) from error

    def _once(self, sql: str, parameters: Mapping[str, Any], most: int) -> Rows:
        sqlite = self.dialect == "sqlite"
        given = days_as_text(parameters) if sqlite else dict(parameters)
        statement = sql if sqlite else _first(sql, most + 1)
        with self._opened().connect() as connection, guarded(connection, self.settings.timeout):
            result = connection.exec_driver_sql(for_driver(statement, self.dialect), given)
            found = result.fetchmany(most + 1)
            rows = as_rows(list(result.keys()), found, most)
            connection.rollback()
            return rows

    def columns(self, sql: str, parameters: Mapping[str, Any]) -> list[str]:
        """The columns that a statement has; none of its rows is read."""
        return self.read(_first(sql, 0), parameters).columns

    def values(self, sql: str) -> list[str]:
        """The first column of a statement as texts, at most a minute old."""
        now = time.monotonic()
        with self._lock:
            at, values = self._listed.get(sql, (0.0, []))
        if values and now - at < _VALUES_SECONDS:
            return values
        found = self.read(sql, {}, VALUES)
        texts = [str(row[found.columns[0]]) for row in found.rows]
        with self._lock:
            self._listed[sql] = (now, texts)
        return texts

    def close(self) -> None:
        """Close what is open."""
        with self._lock:
            if self._engine is not None:
                self._engine.dispose()
            self._engine = None

    def _opened(self) -> sa.Engine:
        with self._lock:
            if self._engine is None:
                url = self._url()
                open_engine = ENGINES[url.get_backend_name()]
                self._engine = open_engine(url, self.settings.timeout, self._file(url))
            return self._engine

    def _url(self) -> sa.URL:
        name, given = self.settings.name, self.settings.url
        text = given.get_secret_value() if given else os.environ.get(self.settings.url_env, "")
        if not text:
            raise ToolError(
                f"The database {name} has no URL: set the environment variable "
                f"{self.settings.url_env}."
            )
        try:
            url = sa.make_url(text)
        except (sa.exc.ArgumentError, ValueError):
            url = None
        if url is None or url.get_backend_name() not in ENGINES or not url.database:
            raise ToolError(
                f"The URL of the database {name} must be like sqlite:///hr.sqlite or "
                "postgresql://user@host:5432/name: correct it in the settings."
            )
        return url

    def _file(self, url: sa.URL) -> Path:
        return self._folder / (url.database or "")

    def _explain(self, error: Exception) -> ToolError:
        orig = getattr(error, "orig", None) or error
        text = " ".join(str(orig).split())[:200]
        code = getattr(orig, "sqlstate", None)
        where = f"The database {self.settings.name} ({self.place()})"
        if code == "57014" or text == "interrupted":
            seconds = f"{self.settings.timeout:g} s"
            return ToolError(f"A statement on {where[4:]} was stopped after {seconds}.")
        if code in ("25006", "42501") or _DENIED.search(text):
            return ToolError(f"{where} is only read, in what is allowed: {text}.")
        advice = _of_file(text, self._file(self._url())) if self.dialect == "sqlite" else ""
        if code is None and self.dialect != "sqlite" and "connection" in text:
            advice = f"the connection failed ({text})"
        if advice:
            return ToolError(f"{where} cannot be read: {advice}.")
        return ToolError(f"{where} refused the statement: {text}.")


def _first(sql: str, most: int) -> str:
    """The first rows of a statement: the driver of PostgreSQL fetches all that there are."""
    bare = sql.strip().rstrip(";")
    return f"SELECT * FROM ({bare}\n) AS found LIMIT {most}"


def _of_file(text: str, file: Path) -> str:
    """What is wrong with the file itself, or "" where the statement is to blame."""
    if text in ("unable to open database file", "disk I/O error"):
        return "the file cannot be opened" if file.is_file() else "there is no such file"
    if text in ("file is not a database", "database disk image is malformed"):
        return "the file is damaged or is no SQLite database"
    if text.endswith("is locked"):
        return "another process holds it; try again when that one is done"
    return ""
