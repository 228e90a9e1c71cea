"""Databases as one tool: named queries, and SELECTs over what the operator allows.

Who asks is bound by code (`:user_id`); no argument can name it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from retrieval.access import Identity
from retrieval.errors import ToolError
from retrieval.tools.database_parameters import convert
from retrieval.tools.database_reading import Reader
from retrieval.tools.database_select import select
from retrieval.tools.database_settings import NamedQuery, Parameter
from retrieval.tools.database_statements import IDENTITY, placeholders
from retrieval.tools.database_values import days_as_text
from retrieval.tools.database_views import description, may_use, ready, version
from retrieval.tools.database_wording import Wording, passage
from retrieval.tools.registry import Tool, ToolResult

Json = dict[str, Any]

NAME = "query_database"
_PARAMETERS: Json = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "description": "The name of a named query."},
        "parameters": {"type": "object", "description": "The values that it takes."},
        "sql": {
            "type": "string",
            "description": "In the place of a query: one SELECT over the tables that are listed.",
        },
        "database": {"type": "string", "description": "The database of a SELECT."},
        "language": {"type": "string", "enum": ["vi", "en"], "description": "Of the wording."},
    },
    "additionalProperties": False,
}


class _NotAllowedError(Exception):
    """The asker's rights do not reach so far; the message is for people."""


def query_database(readers: Sequence[Reader]) -> Tool:
    """The tool over all databases; names of queries are unique over them."""
    databases = {reader.settings.name: reader for reader in readers}
    queries = {one.name: (one, reader) for reader in readers for one in reader.settings.queries}

    def run(arguments: Json, identity: Identity, top_k: int) -> ToolResult:
        asked = [one for one in ("query", "sql") if arguments.get(one)]
        if len(asked) != 1:
            raise ToolError(f"{NAME} takes either a query by name or a SELECT in sql.")
        if arguments.get("language") not in (None, "vi", "en"):
            raise ToolError(f"The language is vi or en, not {arguments['language']!r}.")
        try:
            if asked == ["sql"]:
                return _free(databases, arguments, identity)
            return _named(queries, arguments, identity)
        except _NotAllowedError as error:
            return ToolResult(refused=str(error))

    def ready_calls(identity: Identity) -> list[Json]:
        open_to = [one for one in queries.values() if may_use(one[0], identity)]
        return [ready(query, reader) for query, reader in open_to]

    return Tool(
        NAME,
        description(readers),
        _PARAMETERS,
        run,
        private=True,
        trusted=all(reader.settings.trusted for reader in readers),
        version=version(readers),
        ready_calls=ready_calls,
        described=lambda identity: description(readers, identity),
    )


def _named(
    queries: Mapping[str, tuple[NamedQuery, Reader]], arguments: Json, identity: Identity
) -> ToolResult:
    name = arguments["query"]
    if name not in queries:
        known = ", ".join(one for one, (query, _) in queries.items() if may_use(query, identity))
        raise ToolError(f"There is no query {name!r}; the queries are: {known or 'none'}.")
    query, reader = queries[name]
    if not may_use(query, identity):
        raise _NotAllowedError(f"The query {name} is open to some groups only.")
    values = {
        **_values(query, reader, arguments.get("parameters", {})),
        **_asker(query.own, f"The query {name}", identity),
    }
    found = reader.read(query.sql, values)
    wording = Wording(query.says, query.answer, arguments.get("language"))
    shown = days_as_text(values)
    title = query.description or name.replace("_", " ")
    if not found.rows:
        return ToolResult()
    rows = passage(reader.settings.name, title, query.sql, shown, found, wording)
    return ToolResult([{**rows, "heading": name}], found.cut)


def _values(query: NamedQuery, reader: Reader, given: Json) -> Json:
    """Every parameter of a query, converted; `ToolError` for one that is unknown or missing."""
    if IDENTITY in given:
        raise ToolError(f"{IDENTITY} is given by the session, never by a call: leave it out.")
    if unknown := [name for name in given if name not in query.parameters]:
        takes = ", ".join(query.parameters) or "no parameters"
        raise ToolError(
            f"The query {query.name} does not know {', '.join(map(repr, unknown))}; it takes "
            f"{takes}."
        )
    return {
        name: _value(name, rule, reader, given.get(name, rule.default))
        for name, rule in query.parameters.items()
    }


def _value(name: str, rule: Parameter, reader: Reader, value: Any) -> Any:
    if value is None:
        says = f": {rule.description}" if rule.description else ""
        raise ToolError(f"The parameter {name!r} ({rule.type}) is missing{says}.")
    values = reader.values(rule.values_sql) if rule.values_sql else rule.enum
    if rule.values_sql and not values:
        raise ToolError(f"The parameter {name!r} cannot be {value!r}: nothing is allowed now.")
    return convert(name, rule, value, values)


def _free(databases: Mapping[str, Reader], arguments: Json, identity: Identity) -> ToolResult:
    if arguments.get("parameters"):
        raise ToolError("A SELECT takes no parameters: write the values into it.")
    reader = _chosen(databases, arguments.get("database"))
    allowed = [one for one in reader.settings.tables if may_use(one, identity)]
    statement, tables = select(arguments["sql"], reader.dialect, allowed, reader.settings.rows + 1)
    own = IDENTITY in placeholders(statement)
    values = _asker(own, f"This SELECT on {', '.join(tables)}", identity)
    found = reader.read(statement, values)
    if not found.rows:
        return ToolResult()
    wording = Wording({}, {}, arguments.get("language"))
    passages = [passage(reader.settings.name, ", ".join(tables), statement, values, found, wording)]
    return ToolResult(passages, found.cut)


def _chosen(databases: Mapping[str, Reader], name: str | None) -> Reader:
    """The database that a SELECT names, or the only one that has tables to be read."""
    with_tables = [one for one, reader in databases.items() if reader.settings.tables]
    if not with_tables:
        raise ToolError("No table may be read by a SELECT: use a named query.")
    if name is None and len(with_tables) == 1:
        return databases[with_tables[0]]
    if name not in with_tables:
        said = f"not {name!r}" if name else "and none was named"
        raise ToolError(f"The database of a SELECT is one of {', '.join(with_tables)}, {said}.")
    return databases[name]


def _asker(own: bool, what: str, identity: Identity) -> Json:
    if not own:
        return {}
    if not identity.user:
        raise _NotAllowedError(f"{what} needs to know who asks: say it with --as NAME.")
    return {IDENTITY: identity.user}
