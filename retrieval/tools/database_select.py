"""A SELECT that somebody else wrote, over what the operator allows.

It is parsed, checked against lists of what is allowed, and written anew from the tree. Each
table becomes a subquery with the allowed columns and rows, so that nothing else can be named,
and each name of a WITH gets a prefix, so that none can stand in for a table inside a rule.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from retrieval.errors import ToolError
from retrieval.tools.database_grammar import FUNCTIONS, refuse_unknown_parts
from retrieval.tools.database_statements import IDENTITY

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["FUNCTIONS", "Allowed", "select"]

LONGEST = 4_000
_DEEPEST = 30
_CTE = "groundhop_cte_"
_SQLGLOT = {"sqlite": "sqlite", "postgresql": "postgres"}


class Allowed(NamedTuple):
    """A table or view, the columns that may be read of it, and a condition on its rows."""

    name: str
    columns: tuple[str, ...]
    where: str


def select(sql: str, dialect: str, allowed: Sequence[Allowed], most: int) -> tuple[str, list[str]]:
    """The statement to run, of at most `most` rows, and the tables that it reads.

    `:user_id` is the only placeholder in it. Raises `ToolError` saying what is not allowed.
    """
    try:
        import sqlglot
    except ImportError:
        raise ToolError(
            "A SELECT cannot be checked, as sqlglot is not installed: "
            "`pip install 'groundhop[sql]'`, or use a named query."
        ) from None
    language = _SQLGLOT[dialect]
    tables = {one.name.casefold(): one for one in allowed}
    try:
        tree = _parsed(sql, language)
        refuse_unknown_parts(tree)
        _prefix_ctes(tree, tables)
        used = _used(tree, tables)
        _check_columns(tree, language, tables)
        _limit(tree, most)
        _bind(tree)
        written = _replaced(tree, tables, lambda table: _subquery(table, language))
        return written.sql(language, comments=False), used
    except (sqlglot.errors.SqlglotError, RecursionError) as error:
        raise ToolError(f"The SELECT cannot be read: {_said(error)}.") from None


def _parsed(sql: str, language: str) -> "exp.Query":
    """The tree of exactly one SELECT."""
    import sqlglot
    from sqlglot import exp
    from sqlglot.tokens import TokenType

    if "\x00" in sql or len(sql) > LONGEST:
        raise ToolError(f"A SELECT has at most {LONGEST} characters, and no NUL among them.")
    tokens = [one.token_type for one in sqlglot.tokenize(sql, read=language)]
    while tokens and tokens[-1] == TokenType.SEMICOLON:
        tokens.pop()
    if TokenType.SEMICOLON in tokens:
        raise ToolError("Only one statement can be run at a time, and this holds a semicolon.")
    if not tokens or tokens[0] not in (TokenType.SELECT, TokenType.WITH, TokenType.L_PAREN):
        first = sql.split()[0][:40] if sql.split() else "nothing"
        raise ToolError(f"Only a SELECT can be run, and this begins with {first!r}.")
    depth = deepest = 0
    for one in tokens:
        depth += (one == TokenType.L_PAREN) - (one == TokenType.R_PAREN)
        deepest = max(deepest, depth)
    if deepest > _DEEPEST:
        raise ToolError(f"A SELECT can be nested {_DEEPEST} deep at most, and this is {deepest}.")
    found = [one for one in sqlglot.parse(sql, read=language) if one is not None]
    tree = next(one for one in found if not isinstance(one, exp.Semicolon))
    if isinstance(tree, exp.Subquery) and set(filter(tree.args.get, tree.args)) == {"this"}:
        tree = tree.unnest()
    if not isinstance(tree, exp.Select | exp.SetOperation):
        raise ToolError(f"Only a SELECT can be run, and this is {type(tree).__name__.upper()}.")
    return tree


def _prefix_ctes(tree: "exp.Query", tables: dict[str, Allowed]) -> None:
    from sqlglot import exp

    names = set()
    for cte in tree.find_all(exp.CTE):
        name = cte.alias
        if name.casefold() in tables:
            raise ToolError(f"A WITH cannot be called {name!r}, which is a table: rename it.")
        names.add(name.casefold())
        cte.args["alias"].set("this", exp.to_identifier(f"{_CTE}{name}", quoted=True))
    for table in tree.find_all(exp.Table):
        if table.name.startswith(_CTE):
            raise ToolError(f"No table and no WITH may be called {table.name!r}.")
        if table.name.casefold() in names and not table.db:
            if not table.alias:
                table.set("alias", exp.TableAlias(this=table.this.copy()))
            table.set("this", exp.to_identifier(f"{_CTE}{_same(tree, table.name)}", quoted=True))


def _same(tree: "exp.Query", name: str) -> str:
    """The name of a WITH as it was written where it was defined."""
    from sqlglot import exp

    defined = (cte.alias[len(_CTE) :] for cte in tree.find_all(exp.CTE))
    return next(one for one in defined if one.casefold() == name.casefold())


def _used(tree: "exp.Query", tables: dict[str, Allowed]) -> list[str]:
    """The names of the allowed tables that are read; `ToolError` for any other, and for none."""
    from sqlglot import exp

    read = [one for one in tree.find_all(exp.Table) if not one.name.startswith(_CTE)]
    used = [_known(table, tables).name for table in read]
    if not used:
        raise ToolError(f"A SELECT must read one of the tables: {_listed(tables)}.")
    return list(dict.fromkeys(used))


def _known(table: "exp.Table", tables: dict[str, Allowed]) -> Allowed:
    name = ".".join(part.name for part in table.parts)
    if name.casefold() not in tables:
        raise ToolError(f"The table {name!r} cannot be read; those that can: {_listed(tables)}.")
    return tables[name.casefold()]


def _listed(tables: dict[str, Allowed]) -> str:
    names = [f"{one.name} ({', '.join(one.columns)})" for one in tables.values()]
    return "; ".join(names)[:1000] or "none"


def _check_columns(tree: "exp.Query", language: str, tables: dict[str, Allowed]) -> None:
    """`ToolError` for a column that no allowed table and no part of the statement has."""
    from sqlglot import errors, exp
    from sqlglot.optimizer.qualify import qualify

    def outline(table: Allowed) -> exp.Query:
        nothing = [exp.alias_(exp.null(), name, quoted=True) for name in table.columns]
        return exp.select(*nothing)

    shape = _replaced(tree, tables, outline)
    try:
        qualify(shape, dialect=language, quote_identifiers=False)
    except errors.OptimizeError as error:
        raise ToolError(f"{_said(error)}: the tables and columns are {_listed(tables)}.") from None


def _replaced(tree: "exp.Query", tables: dict[str, Allowed], inner: Any) -> "exp.Query":
    """A copy in which each table is the subquery that `inner` makes of it."""
    from sqlglot import exp

    copy = tree.copy()
    for table in list(copy.find_all(exp.Table)):
        if table.name.startswith(_CTE):
            continue
        alias = table.args.get("alias") or exp.TableAlias(this=table.this.copy())
        known = _known(table, tables)
        table.replace(exp.Subquery(this=inner(known), alias=alias.copy()))
    return copy


def _subquery(table: Allowed, language: str) -> "exp.Query":
    from sqlglot import exp

    parts = [exp.to_identifier(part, quoted=True) for part in table.name.split(".")]
    source = exp.Table(**dict(zip(("this", "db", "catalog"), reversed(parts), strict=False)))
    columns = [exp.column(exp.to_identifier(name, quoted=True)) for name in table.columns]
    query = exp.select(*columns).from_(source)
    if not table.where:
        return query
    rule = exp.condition(table.where, dialect=language, copy=False)
    _bind(rule)
    return query.where(exp.paren(rule, copy=False), copy=False)


def _bind(tree: "exp.Expr") -> None:
    """Write `:user_id` as it stands, whatever the dialect makes of a placeholder."""
    from sqlglot import exp

    for one in list(tree.find_all(exp.Placeholder)):
        if one.name != IDENTITY:
            raise ToolError(f"The only placeholder is :{IDENTITY}, which code fills.")
        mine = exp.Var(this=f":{IDENTITY}")
        one.replace(mine)


def _limit(tree: "exp.Query", most: int) -> None:
    from sqlglot import exp

    limit = tree.args.get("limit")
    number = limit.expression if limit else None
    kept = isinstance(number, exp.Literal) and number.is_int and int(number.name) <= most
    if not kept:
        tree.set("limit", exp.Limit(expression=exp.Literal.number(most)))


def _said(error: Exception) -> str:
    """What sqlglot says, on one line and without its colours."""
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    parts = getattr(error, "errors", None)
    text = parts[0].get("description") if parts else str(error)
    return " ".join(str(text).split()).rstrip(".")[:300]
