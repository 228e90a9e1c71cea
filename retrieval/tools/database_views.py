"""What a planner is told of the databases: the tool's description, and the calls ready to use."""

import hashlib
from collections.abc import Sequence
from typing import Any

from retrieval.access import Identity, may_read
from retrieval.errors import ToolError
from retrieval.tools.database_reading import Reader
from retrieval.tools.database_settings import Database, NamedQuery, Parameter, Table, schema

Json = dict[str, Any]

LONGEST = 4_000
"""Characters of the tool's description."""


def may_use(one: NamedQuery | Table, identity: Identity) -> bool:
    """Whether the asker or one of its groups is let in."""
    return may_read(identity, tuple(one.groups) or None)


def ready(query: NamedQuery, reader: Reader) -> Json:
    """A named query as a `policy.protocol.ReadyCall`."""
    return {
        "name": query.name,
        "description": query.description,
        "asks": list(query.asks),
        "arguments": {"query": query.name},
        "parameters": {
            name: schema(rule, _listed(rule, reader)) for name, rule in query.parameters.items()
        },
        "own": query.own,
    }


def _listed(rule: Parameter, reader: Reader) -> list[str]:
    """The texts that are allowed; none while the database cannot be asked."""
    if not rule.values_sql:
        return list(rule.enum)
    try:
        return reader.values(rule.values_sql)
    except ToolError:
        return []


def description(readers: Sequence[Reader], identity: Identity | None = None) -> str:
    """What can be asked of which database, for a model that chooses; of bounded length.

    For an identity only what it may ask; without one all, for the operator.
    """
    parts = [
        "Reads databases: figures and records that change from day to day, and what is the "
        "asker's own; not for rules and descriptions, which stand in documents. Use a named query "
        "where one fits."
    ]
    for reader in readers:
        settings = reader.settings
        parts.append(f"Database {_said(settings.name, settings.description)}.")
        queries = [one for one in settings.queries if identity is None or may_use(one, identity)]
        if queries:
            names = "; ".join(_said(one.name, one.description) for one in queries)
            parts.append(f"Its named queries: {names}.")
        if tables := _tables(settings, identity):
            parts.append(f"A SELECT of {_kind(reader)} may read: {tables}.")
    text = "\n".join(parts)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _tables(settings: Database, identity: Identity | None) -> str:
    return "; ".join(
        _said(f"{one.name}({', '.join(one.columns)})", one.description)
        for one in settings.tables
        if identity is None or may_use(one, identity)
    )


def _kind(reader: Reader) -> str:
    try:
        return {"sqlite": "SQLite", "postgresql": "PostgreSQL"}[reader.dialect]
    except ToolError:
        return "SQL"  # the call will say what is wrong with the URL


def _said(name: str, description: str) -> str:
    return f"{name}: {description.rstrip('.')}" if description else name


def version(readers: Sequence[Reader]) -> str:
    """Changes with statements, rules and places, so that no result of an older one is replayed."""
    settings = "\n".join(f"{one.settings.model_dump_json()} {_place(one)}" for one in readers)
    return hashlib.sha256(settings.encode()).hexdigest()[:16]


def _place(reader: Reader) -> str:
    try:
        return reader.place()
    except ToolError:  # its variable is not set: the call will say so
        return ""
