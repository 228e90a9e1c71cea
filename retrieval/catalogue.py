"""The catalogue: documents, their text and their chunks, in SQLite or PostgreSQL. It is the truth.

Vectors and the lexical index are derived from it. Every change bumps the generation and
leaves a marker for the vectors in the same transaction, so that a run that is killed between
the catalogue and the vectors is completed by the next one.
"""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa

from retrieval import schema
from retrieval.access import Identity, may_read
from retrieval.errors import KnowledgeBaseError, NothingIngestedError
from retrieval.records import (
    Chunk,
    Document,
    access_of,
    chunk_of,
    chunk_row,
    document_of,
    document_row,
    search_text,
)

__all__ = ["Catalogue", "Chunk", "Document", "Pending", "State", "open_catalogue", "search_text"]

_LOOKUP = 500


class Pending(NamedTuple):
    """Ids of chunks whose vectors have still to be written, or taken out."""

    upsert: list[str]
    delete: list[str]


class State(NamedTuple):
    """How often documents and vectors have changed, and how many markers are pending."""

    generation: int
    vectors_generation: int
    pending: int


class Catalogue:
    """An open catalogue; safe to use from several threads and beside other processes.

    Every method raises `KnowledgeBaseError` when the file is damaged or stays locked.
    """

    def __init__(self, engine: sa.Engine, place: schema.Place, folder: Path) -> None:
        self._engine = engine
        self._place = place
        self.folder = folder
        """The data folder, which has what is derived from the catalogue."""

    def documents(self) -> list[Document]:
        """All documents without their text, ordered by source."""
        rows = self._all(sa.select(*schema.LISTED).order_by(schema.documents.c.source))
        return [document_of(row) for row in rows]

    def document(self, document_id: str) -> Document | None:
        """One document with its text, or None."""
        table = schema.documents
        query = sa.select(*schema.LISTED, table.c.text.label("document_text"))
        rows = self._all(query.where(table.c.id == document_id))
        return document_of(rows[0], rows[0]["document_text"]) if rows else None

    def text(self, document_id: str) -> str:
        """The extracted text of a document; `KnowledgeBaseError` if it is not there."""
        found = self.document(document_id)
        if found is None:
            raise KnowledgeBaseError(
                f"No document {document_id!r} in {schema.name_of(self._place)}: it was removed "
                "or never ingested."
            )
        return found.text

    def hashes(self, ids: Sequence[str], identity: Identity) -> dict[str, str]:
        """The hash of the text of each document that is there and that may be read."""
        table = schema.documents
        query = sa.select(table.c.id, table.c.sha256, table.c.access)
        return {
            row["id"]: row["sha256"]
            for row in self._all(query.where(table.c.id.in_(list(ids))))
            if may_read(identity, access_of(row["access"]))
        }

    def chunks(self, ids: Sequence[str]) -> dict[str, tuple[Chunk, Document]]:
        """Chunks by id with their documents (without text); unknown ids are left out."""
        found: dict[str, tuple[Chunk, Document]] = {}
        for first in range(0, len(ids), _LOOKUP):
            some = ids[first : first + _LOOKUP]
            rows = self._all(_chunks_with_documents().where(schema.chunks.c.id.in_(some)))
            found.update((row["chunk_id"], (chunk_of(row), document_of(row))) for row in rows)
        return found

    def all_chunks(self) -> Iterator[tuple[Chunk, Document]]:
        """Every chunk with its document (without text), by source and ordinal; streamed."""
        query = _chunks_with_documents().order_by(
            schema.documents.c.source, schema.chunks.c.ordinal
        )
        with schema.guarded(self._place), self._engine.connect() as connection:
            for row in connection.execution_options(yield_per=1000).execute(query).mappings():
                yield chunk_of(row), document_of(row)

    def document_chunks(self, document_id: str) -> list[Chunk]:
        """The chunks of a document in order."""
        query = _chunks_with_documents().where(schema.chunks.c.document_id == document_id)
        return [chunk_of(row) for row in self._all(query.order_by(schema.chunks.c.ordinal))]

    def chunk_documents(self) -> dict[str, str]:
        """The document id of every chunk id."""
        rows = self._all(sa.select(schema.chunks.c.id, schema.chunks.c.document_id))
        return {row["id"]: row["document_id"] for row in rows}

    def replace(self, document: Document, chunks: Sequence[Chunk]) -> None:
        """Put a document and its chunks in the place of what its id had; one transaction.

        Raises ValueError if a chunk is not the characters of the document that it claims.
        """
        self.replace_all([(document, chunks)])

    def replace_all(self, changed: Sequence[tuple[Document, Sequence[Chunk]]]) -> None:
        """As `replace` for several documents of different ids, all in one transaction."""
        for document, chunks in changed:
            for chunk in chunks:
                if document.text[chunk.start : chunk.end] != chunk.text:
                    raise ValueError(
                        f"Chunk {chunk.id!r} is not [{chunk.start}, {chunk.end}) of its text"
                    )
        with schema.guarded(self._place), self._engine.begin() as connection:
            schema.bump(connection, "generation")
            for document, _ in changed:
                schema.mark(connection, "delete", _chunk_ids(connection, document.id))
                _delete(connection, document.id)
            for document, chunks in changed:
                connection.execute(sa.insert(schema.documents), document_row(document))
                if chunks:
                    rows = [chunk_row(chunk) for chunk in chunks]
                    connection.execute(sa.insert(schema.chunks), rows)
                schema.mark(connection, "upsert", [chunk.id for chunk in chunks])

    def remove(self, document_id: str) -> None:
        """Take a document and its chunks out; one transaction. Unknown ids are ignored."""
        with schema.guarded(self._place), self._engine.begin() as connection:
            schema.bump(connection, "generation")
            schema.mark(connection, "delete", _chunk_ids(connection, document_id))
            _delete(connection, document_id)

    def move(self, document_id: str, origin: str) -> None:
        """Note that a document's file now lies elsewhere; nothing that is searched changes."""
        table = schema.documents
        with schema.guarded(self._place), self._engine.begin() as connection:
            moved = sa.update(table).where(table.c.id == document_id)
            connection.execute(moved.values(origin=origin))

    def pending(self) -> Pending:
        """The chunks whose vectors are not up to date, in the order they were marked."""
        table = schema.pending
        rows = self._all(sa.select(table.c.chunk_id, table.c.action).order_by(table.c.position))
        by_action = {
            action: [row["chunk_id"] for row in rows if row["action"] == action]
            for action in ("upsert", "delete")
        }
        return Pending(by_action["upsert"], by_action["delete"])

    def clear_pending(self, chunk_ids: Sequence[str]) -> None:
        """Forget the markers of chunks whose vectors were written or taken out.

        Counts as a change of the vectors, so that readers open them anew.
        """
        with schema.guarded(self._place), self._engine.begin() as connection:
            schema.bump(connection, "vectors_generation")
            for first in range(0, len(chunk_ids), _LOOKUP):
                some = chunk_ids[first : first + _LOOKUP]
                table = schema.pending
                connection.execute(sa.delete(table).where(table.c.chunk_id.in_(some)))

    def mark_all_pending(self) -> None:
        """Mark every chunk for new vectors (another embedding model, lost vectors)."""
        with schema.guarded(self._place), self._engine.begin() as connection:
            schema.bump(connection, "vectors_generation")
            ids = connection.execute(sa.select(schema.chunks.c.id)).scalars().all()
            schema.mark(connection, "upsert", ids)

    def generation(self) -> int:
        """A number that grows with every change."""
        return int(self.get_setting("generation") or 0)

    def state(self) -> State:
        """What a reader compares to know whether to load its indexes anew; one cheap query."""
        numbers = [schema.number("generation"), schema.number("vectors_generation")]
        waiting = sa.select(sa.func.count()).select_from(schema.pending).scalar_subquery()
        row = self._all(sa.select(*(one.label(f"n{i}") for i, one in enumerate(numbers)), waiting))
        return State(*row[0].values())

    def vectors_folder(self) -> Path:
        """The folder of the vectors that count; a rebuild fills another one beside it."""
        return self.folder / (self.get_setting("vectors_folder") or "vectors")

    def switch_vectors(
        self, folder: Path, model: str, dimensions: int, missing: Sequence[str] = ()
    ) -> None:
        """Let the vectors in another folder count from now on; one transaction.

        They must be those of every chunk but the `missing` ones, which are marked.
        """
        with schema.guarded(self._place), self._engine.begin() as connection:
            schema.bump(connection, "vectors_generation")
            schema.put_setting(connection, "vectors_folder", folder.name)
            schema.put_setting(connection, "embedding_model", model)
            schema.put_setting(connection, "embedding_dimensions", str(dimensions))
            connection.execute(sa.delete(schema.pending))
            schema.mark(connection, "upsert", missing)

    def get_setting(self, name: str) -> str | None:
        """A stored setting, such as "embedding_model" or "embedding_dimensions"."""
        rows = self._all(sa.select(schema.settings.c.value).where(schema.settings.c.name == name))
        return rows[0]["value"] if rows else None

    def put_setting(self, name: str, value: str) -> None:
        """Store a setting in the place of what it was."""
        with schema.guarded(self._place), self._engine.begin() as connection:
            schema.put_setting(connection, name, value)

    def held(self) -> AbstractContextManager[None]:
        """Keep other machines from ingesting into it; see `schema.held`."""
        return schema.held(self._engine, self._place)

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    def _all(self, query: sa.Executable) -> Sequence[sa.RowMapping]:
        with schema.guarded(self._place), self._engine.connect() as connection:
            return connection.execute(query).mappings().all()


def open_catalogue(path: Path, *, create: bool = False, url: str | None = None) -> Catalogue:
    """Open the catalogue at `path`, or at a PostgreSQL URL that stands in for the file.

    An empty one is made if `create` is set.
    Raises `KnowledgeBaseError` if there is none, or it is damaged, is something else, or was
    written by a newer version.
    """
    if url is None and not path.exists() and not create:
        raise NothingIngestedError(
            f"Nothing has been ingested in {path.parent}: run `groundhop ingest PATH`."
        )
    place = url or path
    return Catalogue(schema.open_engine(place, create=create), place, path.parent)


def _chunks_with_documents() -> sa.Select[Any]:
    columns = [column.label(f"chunk_{column.name}") for column in schema.chunks.c]
    return sa.select(*columns, *schema.LISTED).select_from(
        schema.chunks.join(schema.documents, schema.chunks.c.document_id == schema.documents.c.id)
    )


def _chunk_ids(connection: sa.Connection, document_id: str) -> Sequence[str]:
    table = schema.chunks
    query = sa.select(table.c.id).where(table.c.document_id == document_id)
    return connection.execute(query).scalars().all()


def _delete(connection: sa.Connection, document_id: str) -> None:
    connection.execute(sa.delete(schema.documents).where(schema.documents.c.id == document_id))
