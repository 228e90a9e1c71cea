"""Documents and chunks, and how they are kept in rows."""

import json
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa

from retrieval import schema
from retrieval.access import Access


@dataclass(frozen=True)
class Document:
    """A document; `text` is empty where a listing leaves it out.

    `id` is stable for a source, `source` the path shown to users, `sha256` the hash of the
    text in UTF-8, `file_sha256` that of the file's bytes, `ingested_at` ISO 8601 in UTC,
    `origin` the path of the file as seen from the folder of the knowledge base.
    """

    id: str
    source: str
    title: str
    text: str
    sha256: str
    language: str
    version: str = ""
    access: Access = None
    metadata: dict[str, Any] = field(default_factory=dict)
    ingested_at: str = ""
    file_sha256: str = ""
    origin: str = ""


@dataclass(frozen=True)
class Chunk:
    """A passage: characters [start, end) of its document's text.

    `heading` is its heading path ("Title > H2 > H3"); `prefix` what is put in front of the
    text for search only (heading path, repeated table header).
    """

    id: str
    document_id: str
    ordinal: int
    text: str
    start: int
    end: int
    heading: str = ""
    page: int | None = None
    prefix: str = ""


def search_text(chunk: Chunk) -> str:
    """What both searches index of a chunk: its prefix and its text."""
    return f"{chunk.prefix}\n{chunk.text}" if chunk.prefix else chunk.text


def chunk_of(row: sa.RowMapping) -> Chunk:
    """The chunk of a row whose columns open with "chunk_"."""
    return Chunk(**{column.name: row[f"chunk_{column.name}"] for column in schema.chunks.c})


def document_of(row: sa.RowMapping, text: str = "") -> Document:
    """The document of a row, with a text given apart."""
    values = {column.name: row[column.name] for column in schema.LISTED}
    access = values.pop("access")
    metadata = json.loads(values.pop("metadata"))
    readers = None if access is None else tuple(json.loads(access))
    return Document(**values, text=text, access=readers, metadata=metadata)


def document_row(document: Document) -> dict[str, Any]:
    """A document as a row of its table."""
    access = document.access
    return {
        **vars(document),
        "access": None if access is None else json.dumps(list(access), ensure_ascii=False),
        "metadata": json.dumps(document.metadata, ensure_ascii=False, default=str),
    }
