"""The tables of the catalogue, and how its database is opened and guarded."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from retrieval.errors import DamagedCatalogueError, KnowledgeBaseError, NothingIngestedError
from retrieval.write_ahead_log import use_write_ahead_log

SCHEMA_VERSION = 3
DEFAULT_COLLECTION = "documents"
"""Where documents are that nobody has put elsewhere."""
_NO_ACCESS = ("disk is full", "readonly", "unable to open", "disk I/O error")
_REBUILD = "move it away and run `groundhop ingest PATH`"

Place = Path | str
"""Where a catalogue is: an SQLite file, or a PostgreSQL URL."""
_SERVER_SCHEMA = "groundhop"
"""The tables' schema on PostgreSQL, where others may have tables called "documents" too."""
_SERVER_LOCK = 7_318_220_412

metadata = sa.MetaData()

settings = sa.Table(
    "settings",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
documents = sa.Table(
    "documents",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("source", sa.Text, nullable=False, unique=True),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("sha256", sa.Text, nullable=False),
    sa.Column("language", sa.Text, nullable=False),
    sa.Column("version", sa.Text, nullable=False),
    sa.Column("access", sa.Text),
    sa.Column("metadata", sa.Text, nullable=False),
    sa.Column("ingested_at", sa.Text, nullable=False),
    sa.Column("file_sha256", sa.Text, nullable=False),
    sa.Column("origin", sa.Text, nullable=False),
    sa.Column("effective_from", sa.Text, nullable=False, server_default=""),
    sa.Column("effective_to", sa.Text, nullable=False, server_default=""),
    sa.Column("department", sa.Text, nullable=False, server_default=""),
    sa.Column("authority", sa.Text, nullable=False, server_default=""),
    sa.Column("recipe", sa.Text, nullable=False, server_default=""),
    sa.Column("collection", sa.Text, nullable=False, server_default=DEFAULT_COLLECTION),
)
chunks = sa.Table(
    "chunks",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column(
        "document_id",
        sa.ForeignKey("documents.id", ondelete="CASCADE"),
        nullable=False,
        index=True,
    ),
    sa.Column("ordinal", sa.Integer, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("start", sa.Integer, nullable=False),
    sa.Column("end", sa.Integer, nullable=False),
    sa.Column("heading", sa.Text, nullable=False),
    sa.Column("page", sa.Integer),
    sa.Column("prefix", sa.Text, nullable=False),
    sa.Column("section_start", sa.Integer, nullable=False, server_default="0"),
    sa.Column("section_end", sa.Integer, nullable=False, server_default="0"),
    sa.Column("page_breaks", sa.Text, nullable=False, server_default=""),
)
pending = sa.Table(
    "pending",
    metadata,
    sa.Column("position", sa.Integer, primary_key=True),
    sa.Column("chunk_id", sa.Text, nullable=False, unique=True),
    sa.Column("action", sa.Text, nullable=False),
)

_ADDED_IN = {
    2: (
        *((documents, name) for name in ("effective_from", "effective_to")),
        *((documents, name) for name in ("department", "authority", "recipe")),
        *((chunks, name) for name in ("section_start", "section_end", "page_breaks")),
    ),
    3: ((documents, "collection"),),
}
"""The columns that each schema version added; all have a default."""

LISTED = [column for column in documents.c if column.name != "text"]
"""The columns of a document that a listing shows: all but its text."""


def open_engine(place: Place, *, create: bool) -> sa.Engine:
    """An engine on a catalogue whose schema version was checked."""
    engine = _file_engine(place, create) if isinstance(place, Path) else _server_engine(place)
    try:
        with guarded(place), engine.begin() as connection:
            if create and not _tables(connection):
                if isinstance(place, str):
                    connection.execute(sa.text(f"create schema if not exists {_SERVER_SCHEMA}"))
                metadata.create_all(connection)
                put_setting(connection, "schema_version", str(SCHEMA_VERSION))
            _check_version(connection, place)
    except KnowledgeBaseError:
        engine.dispose()
        raise
    return engine


def _file_engine(path: Path, create: bool) -> sa.Engine:
    if create:
        _make_private(path)
    engine = sa.create_engine(f"sqlite:///{path}", connect_args={"timeout": 30})
    sa.event.listen(engine, "connect", _configure)
    return engine


def _server_engine(url: str) -> sa.Engine:
    target = sa.make_url(url).set(drivername="postgresql+psycopg")
    try:
        options = {"connect_timeout": 5, "options": f"-c search_path={_SERVER_SCHEMA}"}
        return sa.create_engine(target, pool_pre_ping=True, connect_args=options)
    except ImportError:
        raise KnowledgeBaseError(
            "The catalogue is on PostgreSQL, but the driver is not installed: "
            "`pip install 'groundhop[postgres]'`."
        ) from None


def name_of(place: Place) -> str:
    """What people call the place of a catalogue: a password is left out."""
    if isinstance(place, Path):
        return str(place)
    return sa.make_url(place).set(password=None).render_as_string()


@contextmanager
def held(engine: sa.Engine, place: Place) -> Iterator[None]:
    """Keep other machines from ingesting; on a file, the lock of the data folder does.

    Raises `KnowledgeBaseError` at once where another one is at it.
    """
    if isinstance(place, Path):
        yield
        return
    with guarded(place), engine.connect() as opened:
        connection = opened.execution_options(isolation_level="AUTOCOMMIT")
        if not connection.scalar(sa.select(sa.func.pg_try_advisory_lock(_SERVER_LOCK))):
            raise KnowledgeBaseError(
                f"Another machine is ingesting into {name_of(place)}: wait for its end, then run "
                "yours again."
            )
        try:
            yield  # a machine that dies loses its connection, and with it the lock
        finally:
            connection.scalar(sa.select(sa.func.pg_advisory_unlock(_SERVER_LOCK)))


@contextmanager
def guarded(place: Place) -> Iterator[None]:
    """Turn what the database says about a broken or locked catalogue into a sentence."""
    try:
        yield
    except sa.exc.IntegrityError:
        raise
    except sa.exc.OperationalError as error:
        advice = "wait for the ingest that holds it to end, or free what it needs"
        raise KnowledgeBaseError(
            f"The catalogue {name_of(place)} cannot be used ({error.orig}): {advice}."
        ) from error
    except sa.exc.DatabaseError as error:
        raise DamagedCatalogueError(
            f"The catalogue {name_of(place)} is damaged ({error.orig}): {_REBUILD}."
        ) from error


def put_setting(connection: sa.Connection, name: str, value: str) -> None:
    """Store a setting in the place of what it was."""
    connection.execute(sa.delete(settings).where(settings.c.name == name))
    connection.execute(sa.insert(settings), {"name": name, "value": value})


def bump(connection: sa.Connection, counter: str) -> None:
    """Count one change.

    First statement of every write: it takes SQLite's write lock while there is no older
    snapshot that could not be upgraded.
    """
    changed = connection.execute(
        sa.update(settings)
        .where(settings.c.name == counter)
        .values(value=sa.cast(sa.cast(settings.c.value, sa.Integer) + 1, sa.Text))
    )
    if changed.rowcount == 0:
        connection.execute(sa.insert(settings), {"name": counter, "value": "1"})


def number(counter: str) -> sa.ColumnElement[int]:
    """The value of a counter, 0 where nothing was counted yet."""
    value = sa.select(sa.cast(settings.c.value, sa.Integer)).where(settings.c.name == counter)
    return sa.func.coalesce(value.scalar_subquery(), 0)


def mark(connection: sa.Connection, action: str, chunk_ids: Sequence[str]) -> None:
    """Remember that vectors must follow; the last action for a chunk counts."""
    if not chunk_ids:
        return
    rows: list[dict[str, Any]] = [{"chunk_id": one, "action": action} for one in chunk_ids]
    connection.execute(
        sa.delete(pending).where(pending.c.chunk_id == sa.bindparam("marked")),
        [{"marked": one} for one in chunk_ids],
    )
    connection.execute(sa.insert(pending), rows)


def _make_private(path: Path) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))


def _configure(connection: Any, _record: Any) -> None:
    use_write_ahead_log(connection)
    for pragma in ("foreign_keys=ON", "synchronous=NORMAL"):
        connection.execute(f"PRAGMA {pragma}")


def _tables(connection: sa.Connection) -> set[str]:
    return set(sa.inspect(connection).get_table_names())


def _check_version(connection: sa.Connection, place: Place) -> None:
    if not {"settings", "documents", "chunks"} <= _tables(connection):
        if isinstance(place, str):
            raise NothingIngestedError(
                f"Nothing has been ingested in {name_of(place)}: run `groundhop ingest PATH`."
            )
        raise DamagedCatalogueError(f"The file {place} is not a Groundhop catalogue: {_REBUILD}.")
    query = sa.select(settings.c.value).where(settings.c.name == "schema_version")
    version = connection.execute(query).scalar()
    if version is not None and version.isdecimal() and 0 < int(version) < SCHEMA_VERSION:
        version = _upgrade(connection, int(version))
    if version != str(SCHEMA_VERSION):
        raise DamagedCatalogueError(
            f"The catalogue {name_of(place)} has schema version {version}, this Groundhop reads "
            f"{SCHEMA_VERSION}: {_REBUILD}."
        )


def _upgrade(connection: sa.Connection, version: int) -> str:
    """Add the columns of later versions; what they hold comes with the next ingest."""
    for later in range(version + 1, SCHEMA_VERSION + 1):
        for table, name in _ADDED_IN[later]:
            present = {column["name"] for column in sa.inspect(connection).get_columns(table.name)}
            if name not in present:
                definition = sa.schema.CreateColumn(table.c[name]).compile(connection)
                connection.execute(sa.text(f"ALTER TABLE {table.name} ADD COLUMN {definition}"))
    put_setting(connection, "schema_version", str(SCHEMA_VERSION))
    return str(SCHEMA_VERSION)
