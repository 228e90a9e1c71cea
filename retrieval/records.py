"""Documents and chunks, and how they are kept in rows."""

import json
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa

from retrieval import schema
from retrieval.access import Access
from retrieval.schema import DEFAULT_COLLECTION


@dataclass(frozen=True)
class Document:
    """A document; `text` is empty where a listing leaves it out.

    `id` is stable for a source, `source` the path shown to users, `sha256` the hash of the
    text in UTF-8, `file_sha256` that of the file's bytes, `ingested_at` ISO 8601 in UTC,
    `origin` the path of the file as seen from the folder of the knowledge base. It is in force
    from `effective_from` to `effective_to`, both included, both ISO dates or "" (no limit).
    `department` and `authority` are names or "", `collection` the part of the knowledge base that
    it was put into. `recipe` is a hash of all that made the
    document of the file's bytes (rules, sidecar, versions of the loader and the chunks).
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
    effective_from: str = ""
    effective_to: str = ""
    department: str = ""
    authority: str = ""
    recipe: str = ""
    collection: str = DEFAULT_COLLECTION


@dataclass(frozen=True)
class Chunk:
    """A passage: characters [start, end) of its document's text.

    `heading` is its heading path ("Title > H2 > H3"); `prefix` what is put in front of the
    text for search only (heading path, repeated table header). [section_start, section_end)
    of the document's text is the section that the passage is a part of; 0, 0 where unknown.
    `page` is that of its first character, and at each offset of `page_breaks` the next begins.
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
    section_start: int = 0
    section_end: int = 0
    page_breaks: tuple[int, ...] = ()

    def page_at(self, offset: int) -> int | None:
        """The page on which the character at an offset of the document's text stands."""
        if self.page is None:
            return None
        return self.page + sum(one <= offset for one in self.page_breaks)


def search_text(chunk: Chunk) -> str:
    """What both searches index of a chunk: its prefix and its text."""
    return f"{chunk.prefix}\n{chunk.text}" if chunk.prefix else chunk.text


def chunk_of(row: sa.RowMapping) -> Chunk:
    """The chunk of a row whose columns open with "chunk_"."""
    values = {column.name: row[f"chunk_{column.name}"] for column in schema.chunks.c}
    breaks = tuple(map(int, values.pop("page_breaks").split()))
    return Chunk(**values, page_breaks=breaks)


def chunk_row(chunk: Chunk) -> dict[str, Any]:
    """A chunk as a row of its table."""
    return {**vars(chunk), "page_breaks": " ".join(map(str, chunk.page_breaks))}


def document_of(row: sa.RowMapping, text: str = "") -> Document:
    """The document of a row, with a text given apart."""
    values = {column.name: row[column.name] for column in schema.LISTED}
    readers = access_of(values.pop("access"))
    metadata = json.loads(values.pop("metadata"))
    return Document(**values, text=text, access=readers, metadata=metadata)


def access_of(stored: str | None) -> Access:
    """The access list of a column."""
    return None if stored is None else tuple(json.loads(stored))


def document_row(document: Document) -> dict[str, Any]:
    """A document as a row of its table."""
    access = document.access
    return {
        **vars(document),
        "access": None if access is None else json.dumps(list(access), ensure_ascii=False),
        "metadata": json.dumps(document.metadata, ensure_ascii=False, default=str),
    }
