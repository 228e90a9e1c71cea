"""What a SELECT may see of a table: a subquery with the allowed columns and rows."""

import logging
from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING

from retrieval.errors import ToolError
from retrieval.tools.database_settings import Table
from retrieval.tools.database_statements import IDENTITY

if TYPE_CHECKING:
    from sqlglot import exp

CTE = "groundhop_cte_"
"""What the name of a WITH begins with, once a SELECT is written anew."""
SQLGLOT = {"sqlite": "sqlite", "postgresql": "postgres"}
"""What sqlglot calls the dialects."""


def sqlglot() -> ModuleType:
    """The parser; `ToolError` where it is not installed."""
    try:
        import sqlglot
    except ImportError:
        raise ToolError(
            "A SELECT cannot be checked, as sqlglot is not installed: "
            "`pip install 'groundhop[sql]'`, or use a named query."
        ) from None
    logging.getLogger("sqlglot").setLevel(logging.ERROR)  # what matters is raised
    return sqlglot


def whole(table: Table, dialect: str) -> str:
    """The SELECT of all that may be read of a table; `ToolError` where its rule is no condition."""
    parser, language = sqlglot(), SQLGLOT[dialect]
    try:
        return subquery(table, language).sql(language, comments=False)
    except parser.errors.SqlglotError as error:
        raise ToolError(
            f"The rule on rows of {table.name} cannot be read: {said(error)}."
        ) from None


def known(table: "exp.Table", tables: dict[str, Table]) -> Table:
    """The allowed table that a name means; `ToolError` where it means none."""
    name = ".".join(part.name for part in table.parts)
    if name.casefold() not in tables:
        raise ToolError(f"The table {name!r} cannot be read; those that can: {listed(tables)}.")
    return tables[name.casefold()]


def listed(tables: dict[str, Table]) -> str:
    """The tables and their columns, for people."""
    names = [f"{one.name} ({', '.join(one.columns)})" for one in tables.values()]
    return "; ".join(names)[:1000] or "none"


def replaced(
    tree: "exp.Query", tables: dict[str, Table], inner: "Callable[[Table], exp.Query]"
) -> "exp.Query":
    """A copy in which each table is the subquery that `inner` makes of it."""
    from sqlglot import exp

    copy = tree.copy()
    for table in list(copy.find_all(exp.Table)):
        if table.name.startswith(CTE):
            continue
        alias = table.args.get("alias") or exp.TableAlias(this=table.this.copy())
        query = inner(known(table, tables))
        table.replace(exp.Subquery(this=query, alias=alias.copy()))
    return copy


def subquery(table: Table, language: str) -> "exp.Query":
    """The allowed columns of the allowed rows; `ParseError` where the rule is no condition."""
    from sqlglot import exp

    parts = [exp.to_identifier(part, quoted=True) for part in table.name.split(".")]
    source = exp.Table(**dict(zip(("this", "db", "catalog"), reversed(parts), strict=False)))
    # qualified, for SQLite takes an unknown name in quotation marks for a text
    names = [exp.to_identifier(name, quoted=True) for name in table.columns]
    columns = [exp.column(name, table=parts[-1].copy()) for name in names]
    query = exp.select(*columns).from_(source)
    if not table.where:
        return query
    rule = exp.condition(table.where, dialect=language, copy=False)
    bind(rule)
    return query.where(exp.paren(rule, copy=False), copy=False)


def bind(tree: "exp.Expr") -> None:
    """Write `:user_id` as it stands, whatever the dialect makes of a placeholder."""
    from sqlglot import exp

    for one in list(tree.find_all(exp.Placeholder)):
        if one.name != IDENTITY:
            raise ToolError(f"The only placeholder is :{IDENTITY}, which code fills.")
        mine = exp.Var(this=f":{IDENTITY}")
        one.replace(mine)


def said(error: Exception) -> str:
    """What sqlglot says, on one line and without its colours."""
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    parts = getattr(error, "errors", None)
    text = parts[0].get("description") if parts else str(error)
    return " ".join(str(text).split()).rstrip(".")[:300]
