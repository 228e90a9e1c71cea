"""The parts of SQL that a SELECT written by somebody else may be made of: a list, not a ban."""

from typing import TYPE_CHECKING

from retrieval.errors import ToolError
from retrieval.tools.database_statements import IDENTITY

if TYPE_CHECKING:
    from sqlglot import exp

_MOST_JOINED = 8
"""Operators that make longer texts of texts: each can double what a WITH built before."""

_PARTS = frozenset(
    """
    Select From Join Where Group Having Order Ordered Limit Offset Distinct With CTE Subquery
    Union Intersect Except Table TableAlias Alias Column Identifier Star Literal Boolean Null
    Paren Tuple And Or Not EQ NEQ GT GTE LT LTE NullSafeEQ NullSafeNEQ Is In Between Like ILike
    Escape Add Sub Mul Div IntDiv Mod Neg Case If Cast DataType DataTypeParam Exists Interval Var
    Window WindowSpec Filter Placeholder DPipe
    """.split()
)
_FUNCTION_CLASSES = frozenset(
    """
    Count Sum Avg Min Max Abs Round Floor Ceil Coalesce Nullif Lower Upper Trim Length Substring
    Concat StrPosition Greatest Least CurrentDate CurrentTimestamp Extract TimestampTrunc
    TimeToStr TsOrDsToTimestamp TsOrDsToDate Date Year Month Day RowNumber Rank DenseRank Lag Lead
    """.split()
)
_FUNCTIONS = frozenset("date strftime julianday iif instr total to_char date_part age".split())
"""Functions that sqlglot knows by name only."""
_TYPES = frozenset(
    """
    TEXT VARCHAR CHAR INT BIGINT SMALLINT FLOAT DOUBLE DECIMAL DATE TIMESTAMP TIMESTAMPTZ TIME
    BOOLEAN INTERVAL
    """.split()
)


def refuse_unknown_parts(tree: "exp.Query") -> None:
    """`ToolError` naming the first part of a statement that is on no list."""
    from sqlglot import exp

    joined = 0
    for node in tree.walk():
        kind = type(node).__name__
        if isinstance(node, exp.Anonymous):
            _refuse_function(node.name, known=node.name.lower() in _FUNCTIONS)
        elif kind not in _PARTS and kind not in _FUNCTION_CLASSES:
            if isinstance(node, exp.Func):
                _refuse_function(node.sql_name())
            raise ToolError(f"A SELECT may not hold {_words(kind)} here.")
        joined += _joins(node)
        _refuse_details(node)
    if joined > _MOST_JOINED:
        raise ToolError(f"A SELECT may put texts together {_MOST_JOINED} times at most.")
    for query in tree.find_all(exp.Select):
        if not isinstance(query.parent, exp.Exists):
            _refuse_invented(query)


def _joins(node: "exp.Expr") -> int:
    from sqlglot import exp

    if isinstance(node, exp.Concat):
        return len(node.expressions)
    return int(isinstance(node, exp.DPipe))


def _refuse_function(name: str, *, known: bool = False) -> None:
    if not known:
        raise ToolError(f"The function {name[:60]!r} may not be used in a SELECT here.")


def _refuse_details(node: "exp.Expr") -> None:
    """What the class of a node does not tell."""
    from sqlglot import exp

    if isinstance(node, exp.With) and node.args.get("recursive"):
        raise ToolError("A WITH may not be RECURSIVE here.")
    if isinstance(node, exp.Table) and not _plain(node):
        raise ToolError(f"{node.sql()[:80]!r} is no plain name of a table.")
    if isinstance(node, exp.Column) and node.args.get("db"):
        raise ToolError(f"{node.sql()[:80]!r}: name a column as alias.column.")
    if isinstance(node, exp.Placeholder) and node.name != IDENTITY:
        raise ToolError(f"The only placeholder is :{IDENTITY}, which code fills.")
    if isinstance(node, exp.DataType) and not _simple(node):
        raise ToolError(f"The type {node.sql()[:40]!r} may not be used in a SELECT here.")


def _plain(table: "exp.Table") -> bool:
    from sqlglot import exp

    given = {name for name, value in table.args.items() if value}
    names = [table.args.get(name) for name in ("this", "db", "catalog")]
    plain = all(isinstance(name, exp.Identifier) for name in names if name)
    return plain and given <= {"this", "db", "catalog", "alias"}


def _simple(kind: "exp.DataType") -> bool:
    name = getattr(kind.this, "value", str(kind.this))
    return name in _TYPES and (not kind.expressions or name == "DECIMAL")


def _refuse_invented(query: "exp.Select") -> None:
    """What is returned must be read: a text of the statement itself is no evidence."""
    from sqlglot import exp

    for one in query.expressions:
        if not one.find(exp.Column, exp.Star):
            raise ToolError(f"{one.sql()[:80]!r} is read from no table: select columns only.")


def _words(kind: str) -> str:
    return {"Lock": "a lock (FOR UPDATE)", "Into": "INTO"}.get(kind, kind.upper())
