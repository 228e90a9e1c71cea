"""Passages that come with a data set → a knowledge base of their own.

A passage becomes one document whose source is the passage's id, so that labels and citations
meet. Sentences are not embedded here, as an ingest does: most of them are never asked about,
and the cache takes in those that are.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from groundhop.evaluation.schema import Passage
from ingest.chunks import chunk
from ingest.guard import alone, explained
from ingest.loaders import Extracted
from ingest.markdown import Block
from retrieval.catalogue import Catalogue, Chunk, Document, open_catalogue, search_text
from retrieval.dense import DenseIndex
from retrieval.embeddings.protocol import Embedder
from retrieval.knowledge_base import CATALOGUE, LEXICAL, VECTORS
from retrieval.lexical import saved_generation
from retrieval.lexical_build import build_lexical
from state.language import detect_language
from state.text import nfc

_AT_ONCE = 32
"""Passages embedded and written together; what a kill loses at most."""

OnPassages = Callable[[int, int], None]
"""Called with the number of passages done and of all passages."""


@dataclass(frozen=True)
class _Prepared:
    document: Document
    chunks: list[Chunk]


def build_knowledge_base(
    home: Path, passages: Sequence[Passage], embedder: Embedder, moved: OnPassages | None = None
) -> None:
    """Make the knowledge base in `home` hold exactly these passages; go on where one stopped.

    Raises `KnowledgeBaseError` and `EmbeddingError`, as an ingest does.
    """
    with explained(home), alone(home), closing(_open(home, embedder)) as catalogue:
        dense = DenseIndex(home / VECTORS, embedder.name, create=True)
        with closing(dense):
            wanted = {_document_id(one.id): one for one in passages}
            missing = _missing(catalogue, dense, wanted)
            done = len(wanted) - len(missing)
            for first in range(0, len(missing), _AT_ONCE):
                some = missing[first : first + _AT_ONCE]
                _write(catalogue, dense, embedder, [_prepared(one) for one in some])
                done += len(some)
                if moved:
                    moved(done, len(wanted))
        _index_words(catalogue, home)


def _open(home: Path, embedder: Embedder) -> Catalogue:
    catalogue = open_catalogue(home / CATALOGUE, create=True)
    if catalogue.get_setting("embedding_model") != embedder.name:
        catalogue.put_setting("embedding_dimensions", str(embedder.dimensions))
        catalogue.put_setting("embedding_model", embedder.name)
    return catalogue


def _missing(catalogue: Catalogue, dense: DenseIndex, wanted: dict[str, Passage]) -> list[Passage]:
    """The passages that are not there whole; what is there and not wanted is taken out."""
    present = {document.id: document for document in catalogue.documents()}
    for identifier in present.keys() - wanted.keys():
        catalogue.remove(identifier)
    dense.delete(catalogue.pending().delete)
    catalogue.clear_pending(catalogue.pending().delete)
    vectors = dense.ids()
    by_chunk = catalogue.chunk_documents()
    incomplete = {document for one, document in by_chunk.items() if one not in vectors}
    return [
        passage
        for identifier, passage in wanted.items()
        if identifier in incomplete
        or identifier not in present
        or present[identifier].sha256 != _sha256(nfc(passage.text))
    ]


def _write(
    catalogue: Catalogue, dense: DenseIndex, embedder: Embedder, some: Sequence[_Prepared]
) -> None:
    chunks = [one for prepared in some for one in prepared.chunks]
    vectors = embedder.passages([search_text(one) for one in chunks])
    for prepared in some:
        catalogue.replace(prepared.document, prepared.chunks)
    ids = [one.id for one in chunks]
    dense.upsert(ids, vectors)
    catalogue.clear_pending(ids)


def _prepared(passage: Passage) -> _Prepared:
    text = nfc(passage.text)
    title = nfc(passage.title)
    blocks = [Block("text", 0, len(text))]
    language = passage.lang or detect_language(text)
    extracted = Extracted(
        text=text, body=0, title=title, version="", language=language, blocks=blocks
    )
    identifier = _document_id(passage.id)
    document = Document(
        id=identifier,
        source=passage.id,
        title=title or passage.id,
        text=text,
        sha256=_sha256(text),
        language=language,
        ingested_at=datetime.now(UTC).isoformat(timespec="seconds"),
        file_sha256=_sha256(text),
    )
    return _Prepared(document, chunk(identifier, extracted))


def _index_words(catalogue: Catalogue, home: Path) -> None:
    generation = catalogue.generation()
    if saved_generation(home / LEXICAL) != generation:
        build_lexical(home / LEXICAL, _texts(catalogue), generation)


def _texts(catalogue: Catalogue) -> Iterator[tuple[str, str]]:
    return ((one.id, search_text(one)) for one, _ in catalogue.all_chunks())


def _document_id(passage_id: str) -> str:
    return _sha256(passage_id)[:32]


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
