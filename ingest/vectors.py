"""Vectors of chunks: embedded with their sentences, written, and their markers cleared."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from retrieval.catalogue import Catalogue, Chunk, Document, search_text
from retrieval.dense import DenseIndex
from retrieval.embeddings.protocol import Embedder, Vectors
from state.sentences import sentences

_CHUNKS_PER_CALL = 16
"""Bounds what a kill loses, and how long the progress stands still."""

_CHUNKS_PER_LOOKUP = 500

OnEmbedded = Callable[[int], None]
"""Called with the number of chunks that were embedded since the last call."""


def embed_chunks(embedder: Embedder, chunks: Sequence[Chunk], embedded: OnEmbedded) -> Vectors:
    """Vectors (chunks, dimensions) of prefix and text.

    Every sentence is embedded in the same calls: the embedder keeps it for the reranker and
    the judge, which score passages by their best sentence. Raises `EmbeddingError`.
    """
    parts = []
    for first in range(0, len(chunks), _CHUNKS_PER_CALL):
        some = chunks[first : first + _CHUNKS_PER_CALL]
        texts = [search_text(chunk) for chunk in some]
        texts += [one.text for chunk in some for one in sentences(chunk.text)]
        parts.append(embedder.passages(texts)[: len(some)])
        embedded(len(some))
    return np.concatenate(parts)


def write_vectors(
    catalogue: Catalogue, dense: DenseIndex, chunks: Sequence[Chunk], vectors: Vectors
) -> None:
    """Write vectors of chunks that the catalogue holds, then clear their markers."""
    ids = [chunk.id for chunk in chunks]
    dense.upsert(ids, vectors)
    catalogue.clear_pending(ids)


def repair(catalogue: Catalogue, dense: DenseIndex) -> None:
    """Make up for vectors that were lost or are left over, whatever happened to their folder.

    Lost ones are only marked, so that `settle` writes them (from the cache) after the files.
    """
    present, pending = dense.ids(), catalogue.pending()
    chunks = set(catalogue.chunk_documents())
    if not chunks - set(pending.upsert) <= present:
        catalogue.mark_all_pending()
    left_over = list(present - chunks)
    dense.delete(left_over)
    catalogue.clear_pending(list({*left_over, *pending.delete} - chunks))


def take_out_deleted(catalogue: Catalogue, dense: DenseIndex) -> None:
    """Take out the vectors of chunks that the catalogue no longer has."""
    deleted = catalogue.pending().delete
    dense.delete(deleted)
    catalogue.clear_pending(deleted)


def documents_of(
    catalogue: Catalogue, chunk_ids: Sequence[str]
) -> Iterator[tuple[Document, list[Chunk]]]:
    """Documents (without text) with those of their chunks that are named, some at a time."""
    for first in range(0, len(chunk_ids), _CHUNKS_PER_LOOKUP):
        found = catalogue.chunks(chunk_ids[first : first + _CHUNKS_PER_LOOKUP])
        by_document: dict[str, tuple[Document, list[Chunk]]] = {}
        for chunk, document in found.values():
            by_document.setdefault(document.id, (document, []))[1].append(chunk)
        yield from by_document.values()
