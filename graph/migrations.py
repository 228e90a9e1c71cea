"""The tables of ledger and leases, as numbered steps that every run store is brought up by."""

from typing import Any

from retrieval.errors import GroundhopError

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """create table if not exists ledger (
            key text not null,
            attempt integer not null,
            thread text not null,
            question integer not null,
            kind text not null,
            name text not null,
            started double precision not null,
            finished double precision,
            result {bytes},
            error text,
            tokens integer not null default 0,
            money double precision not null default 0,
            primary key (key, attempt)
        )""",
        "create index if not exists ledger_by_thread on ledger (thread, question)",
        """create table if not exists leases (
            thread text primary key,
            owner text not null,
            host text not null,
            pid integer not null,
            expires double precision not null
        )""",
    ),
    (
        "alter table ledger add column place text not null default ''",
        "alter table ledger add column at integer not null default 0",
        "create index ledger_by_place on ledger (place)",
        "alter table leases add column born text not null default ''",
    ),
    (
        """create table state_rows (
            thread text not null,
            name {bytes} not null,
            data {bytes} not null,
            primary key (thread, name)
        )""",
    ),
)
"""One tuple of statements a version; a version that was released is never edited."""


class NewerStoreError(GroundhopError):
    """The run store was written by a newer version of groundhop."""


class ForeignStoreError(GroundhopError):
    """The database belongs to another program."""


def migrate(cursor: Any, bytes_type: str, place: str, there: set[str]) -> None:
    """Run what is missing, inside the caller's exclusive transaction.

    `there` names the tables that exist and that none but a run store may have; raises
    ForeignStoreError where they are another program's.
    """
    if there and "groundhop_migrations" not in there:
        raise ForeignStoreError(
            f"{place} is no run store, and holds a table {min(there)!r} of another program: name "
            "another place with --home or GROUNDHOP_DATABASE_URL."
        )
    cursor.execute("create table if not exists groundhop_migrations (version integer primary key)")
    done = check_version(cursor, place)
    for version, statements in enumerate(MIGRATIONS[done:], done + 1):
        for statement in statements:
            cursor.execute(statement.format(bytes=bytes_type))
        cursor.execute(f"insert into groundhop_migrations values ({version:d})")


def check_version(cursor: Any, place: str) -> int:
    """The version of a run store; raises NewerStoreError."""
    cursor.execute("select max(version) from groundhop_migrations")
    done: int = cursor.fetchone()[0] or 0
    if done > len(MIGRATIONS):
        raise NewerStoreError(
            f"The run store {place} has version {done}, this groundhop knows {len(MIGRATIONS)}: "
            "upgrade groundhop."
        )
    return done
