"""The `:name` placeholders of a statement, and the form in which a driver takes them."""

import re

IDENTITY = "user_id"
"""The placeholder that only the session fills."""

_PIECES = re.compile(
    r"""
      (?<!\w)[eE]'(?:[^'\\]|\\.|'')*'      # text with escapes
    | '(?:[^']|'')*' | "(?:[^"]|"")*"      # text, quoted name
    | --[^\n]* | /\*.*?\*/                 # comments
    | \$(?P<tag>\w*)\$.*?\$(?P=tag)\$      # text in dollars
    | ::                                   # a cast
    | (?<![\w:]):(?P<name>[A-Za-z_]\w*)
    | %
    """,
    re.VERBOSE | re.DOTALL,
)


def placeholders(sql: str) -> list[str]:
    """The names after a colon, outside of texts and comments; once each."""
    return list(dict.fromkeys(one["name"] for one in _PIECES.finditer(sql) if one["name"]))


def for_driver(sql: str, dialect: str) -> str:
    """The statement as the driver wants it: sqlite3 reads `:name`, psycopg `%(name)s`."""
    if dialect == "sqlite":
        return sql

    def piece(found: re.Match[str]) -> str:
        return f"%({found['name']})s" if found["name"] else found[0].replace("%", "%%")

    return _PIECES.sub(piece, sql)
