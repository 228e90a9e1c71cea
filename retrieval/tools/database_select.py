"""A SELECT that somebody else wrote, over what the operator allows.

It is parsed, checked against lists of what is allowed, and written anew from the tree. Each
table becomes a subquery with the allowed columns and rows, so that nothing else can be named,
and each name of a WITH gets a prefix, so that none can stand in for a table inside a rule.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from retrieval.errors import ToolError
from retrieval.tools.database_grammar import refuse_unknown_parts
from retrieval.tools.database_settings import Table
from retrieval.tools.database_tables import (
    CTE,
    SQLGLOT,
    bind,
    known,
    listed,
    replaced,
    said,
    sqlglot,
    subquery,
)

if TYPE_CHECKING:
    from sqlglot import exp

LONGEST = 4_000
_DEEPEST = 30


def select(sql: str, dialect: str, allowed: Sequence[Table], most: int) -> tuple[str, list[str]]:
    """The statement to run, of at most `most` rows, and the tables that it reads.

    `:user_id` is the only placeholder in it. Raises `ToolError` saying what is not allowed.
    """
    parser, language = sqlglot(), SQLGLOT[dialect]
    tables = {one.name.casefold(): one for one in allowed}
    try:
        tree = _parsed(sql, language)
        refuse_unknown_parts(tree)
        _prefix_ctes(tree, tables)
        used = _used(tree, tables)
        _check_columns(tree, language, tables)
        _limit(tree, most)
        bind(tree)
        written = replaced(tree, tables, lambda table: subquery(table, language))
        strict = parser.ErrorLevel.RAISE  # nothing is left out in silence
        return written.sql(language, comments=False, unsupported_level=strict), used
    except (parser.errors.SqlglotError, RecursionError) as error:
        raise ToolError(f"The SELECT cannot be read: {said(error)}.") from None


def _parsed(sql: str, language: str) -> "exp.Query":
    """The tree of exactly one SELECT."""
    from sqlglot import exp, parse, tokenize
    from sqlglot.tokens import TokenType

    if "\x00" in sql or len(sql) > LONGEST:
        raise ToolError(f"A SELECT has at most {LONGEST} characters, and no NUL among them.")
    tokens = [one.token_type for one in tokenize(sql, read=language)]
    while tokens and tokens[-1] == TokenType.SEMICOLON:
        tokens.pop()
    if not tokens or tokens[0] not in (TokenType.SELECT, TokenType.WITH, TokenType.L_PAREN):
        first = sql.split()[0][:40] if sql.split() else "nothing"
        raise ToolError(f"Only a SELECT can be run, and this begins with {first!r}.")
    if TokenType.SEMICOLON in tokens:
        raise ToolError("Only one statement can be run at a time, and this holds a semicolon.")
    depth = deepest = 0
    for one in tokens:
        depth += (one == TokenType.L_PAREN) - (one == TokenType.R_PAREN)
        deepest = max(deepest, depth)
    if deepest > _DEEPEST:
        raise ToolError(f"A SELECT can be nested {_DEEPEST} deep at most, and this is {deepest}.")
    found = [one for one in parse(sql, read=language) if one is not None]
    tree = next(one for one in found if not isinstance(one, exp.Semicolon))
    if isinstance(tree, exp.Subquery) and set(filter(tree.args.get, tree.args)) == {"this"}:
        tree = tree.unnest()
    if not isinstance(tree, exp.Select | exp.SetOperation):
        raise ToolError(f"Only a SELECT can be run, and this is {type(tree).__name__.upper()}.")
    return tree


def _prefix_ctes(tree: "exp.Query", tables: dict[str, Table]) -> None:
    from sqlglot import exp

    names = set()
    for cte in tree.find_all(exp.CTE):
        name = cte.alias
        if name.casefold() in tables:
            raise ToolError(f"A WITH cannot be called {name!r}, which is a table: rename it.")
        names.add(name.casefold())
        cte.args["alias"].set("this", exp.to_identifier(f"{CTE}{name}", quoted=True))
    for table in tree.find_all(exp.Table):
        if table.name.startswith(CTE):
            raise ToolError(f"No table and no WITH may be called {table.name!r}.")
        if table.name.casefold() in names and not table.db:
            if not table.alias:
                table.set("alias", exp.TableAlias(this=table.this.copy()))
            table.set("this", exp.to_identifier(f"{CTE}{_same(tree, table.name)}", quoted=True))


def _same(tree: "exp.Query", name: str) -> str:
    """The name of a WITH as it was written where it was defined."""
    from sqlglot import exp

    defined = (cte.alias[len(CTE) :] for cte in tree.find_all(exp.CTE))
    return next(one for one in defined if one.casefold() == name.casefold())


def _used(tree: "exp.Query", tables: dict[str, Table]) -> list[str]:
    """The names of the allowed tables that are read; `ToolError` for any other, and for none."""
    from sqlglot import exp

    read = [one for one in tree.find_all(exp.Table) if not one.name.startswith(CTE)]
    used = [known(table, tables).name for table in read]
    if not used:
        raise ToolError(f"A SELECT must read one of the tables: {listed(tables)}.")
    return list(dict.fromkeys(used))


def _check_columns(tree: "exp.Query", language: str, tables: dict[str, Table]) -> None:
    """`ToolError` for a column that no allowed table and no part of the statement has."""
    from sqlglot import errors, exp
    from sqlglot.optimizer.qualify import qualify

    def outline(table: Table) -> exp.Query:
        nothing = [exp.alias_(exp.null(), name, quoted=True) for name in table.columns]
        return exp.select(*nothing)

    shape = replaced(tree, tables, outline)
    try:
        whole_rows = qualify(shape, dialect=language, quote_identifiers=False).find(exp.TableColumn)
    except errors.OptimizeError as error:
        raise ToolError(f"{said(error)}: the tables and columns are {listed(tables)}.") from None
    if whole_rows:
        raise ToolError(
            f"{whole_rows.name!r} is no column: the tables and columns are {listed(tables)}."
        )


def _limit(tree: "exp.Query", most: int) -> None:
    from sqlglot import exp

    limit = tree.args.get("limit")
    number = limit.expression if limit else None
    kept = isinstance(number, exp.Literal) and number.is_int and int(number.name) <= most
    if not kept:
        tree.set("limit", exp.Limit(expression=exp.Literal.number(most)))
