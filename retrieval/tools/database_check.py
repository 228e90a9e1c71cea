"""Whether a database answers, only reads, and understands what the settings say of it."""

from datetime import date
from typing import Any

from retrieval.errors import ToolError
from retrieval.tools.database_reading import Reader
from retrieval.tools.database_settings import HOLE, NamedQuery, Parameter
from retrieval.tools.database_statements import IDENTITY, placeholders
from retrieval.tools.database_tables import whole

_NOBODY = "nobody"
_SAMPLES: dict[str, Any] = {
    "string": "",
    "integer": 0,
    "number": 0,
    "date": date(2026, 1, 1),
    "boolean": False,
}


def problems(reader: Reader) -> list[str]:
    """What is wrong, a sentence each.

    Every statement is prepared, and no row read but those that list values.
    """
    try:
        reader.columns("SELECT 1 AS one", {})
        found = [] if _only_reads(reader) else ["its connection may write"]
    except ToolError as error:
        return [str(error)]
    for query in reader.settings.queries:
        found += _of_query(reader, query)
    for table in reader.settings.tables:
        try:
            statement = whole(table, reader.dialect)
            reader.columns(statement, dict.fromkeys(placeholders(statement), _NOBODY))
        except ToolError as error:
            found.append(f"table {table.name}: {error}")
    return found


def notes(reader: Reader) -> list[str]:
    """What is no problem, and had better be otherwise."""
    if reader.dialect == "sqlite":
        return []
    (row,) = reader.read("SELECT current_setting('is_superuser') AS held", {}).rows
    return (
        ["its user is a superuser: give it one that may only read"] if row["held"] == "on" else []
    )


def _only_reads(reader: Reader) -> bool:
    """PostgreSQL says so; a file of SQLite is opened for reading alone."""
    if reader.dialect == "sqlite":
        return True
    (row,) = reader.read("SELECT current_setting('transaction_read_only') AS held", {}).rows
    return bool(row["held"] == "on")


def _of_query(reader: Reader, query: NamedQuery) -> list[str]:
    try:
        given = {name: _sample(rule, reader) for name, rule in query.parameters.items()}
        if query.own:
            given[IDENTITY] = _NOBODY
        columns = reader.columns(query.sql, given)
    except ToolError as error:
        return [f"query {query.name}: {error}"]
    known = {*columns, *given}
    wordings = [*query.says.values(), *query.answer.values()]
    unknown = sorted({name for one in wordings for name in HOLE.findall(one)} - known)
    return [
        f"query {query.name}: its wording names {name}, which is no column and no parameter"
        for name in unknown
    ]


def _sample(rule: Parameter, reader: Reader) -> Any:
    values = reader.values(rule.values_sql) if rule.values_sql else rule.enum
    return values[0] if values else _SAMPLES[rule.type]
