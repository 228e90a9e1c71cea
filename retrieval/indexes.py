"""The open indexes of a knowledge base, kept up with what an ingest writes beside them."""

import contextlib
import threading
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrieval.access import Access, Identity, may_read
from retrieval.catalogue import Catalogue, State
from retrieval.dense import DenseIndex
from retrieval.errors import GroundhopError, KnowledgeBaseError
from retrieval.lexical import LexicalIndex, load_lexical, saved_generation


@dataclass(frozen=True)
class _Body:
    """Which chunks there are now, and who may read them; `state` is when that was."""

    state: State
    access: list[Access]
    """One list per document."""
    document_of: dict[str, int]
    """Place in `access` of the document of every chunk; other chunks are gone."""


class Indexes:
    """The vectors and the lexical index, each opened when first needed."""

    def __init__(self, catalogue: Catalogue, lexical: Path, model: str) -> None:
        self._catalogue = catalogue
        self._lexical_folder, self._model = lexical, model
        self._lock = threading.Lock()
        self._body = _Body(State(-1, -1, 0), [], {})
        self._lexical: LexicalIndex | None = None
        self._places: NDArray[np.int64] | None = None
        self._dense: DenseIndex | None = None
        self._dense_generation = -1

    def refresh(self) -> None:
        """Take note of changes; one cheap query if there are none. Raises as `check_model`."""
        state = self._catalogue.state()
        with self._lock:
            if state == self._body.state:
                return
            check_model(self._catalogue, self._model)
            documents = self._catalogue.documents()
            place = {document.id: number for number, document in enumerate(documents)}
            chunks = self._catalogue.chunk_documents()
            document_of = {one: place[of] for one, of in chunks.items() if of in place}
            self._body = _Body(state, [one.access for one in documents], document_of)
            self._places = None

    def chunk_count(self) -> int:
        """How many passages the catalogue has."""
        return len(self._body.document_of)

    def behind(self) -> list[str]:
        """A sentence if what can be found is not what the catalogue has, else nothing."""
        state, built = self._body.state, saved_generation(self._lexical_folder)
        if not state.pending and built in (None, state.generation):
            return []
        return [
            "the indexes are behind the documents: an ingest is running, or did not finish "
            "(then run `groundhop ingest` again)"
        ]

    def search_vectors(
        self, vector: NDArray[np.float32], identity: Identity, k: int
    ) -> list[tuple[str, float]]:
        """As `DenseIndex.search`; tried once more if an ingest changed files in between."""
        dense = self._open_dense()
        asker = None if all(one is None for one in self._body.access) else identity
        try:
            return dense.search(vector, asker, k)
        except Exception:  # Chroma's errors have no class of their own
            dense.reopen()
            return dense.search(vector, asker, k)

    def search_words(self, query: str, identity: Identity, k: int) -> list[tuple[str, float]]:
        """As `LexicalIndex.search`, over the passages that the identity may read."""
        index, places, access = self._open_lexical()
        readable = {one: may_read(identity, one) for one in set(access)}
        allowed = np.array([*(readable[one] for one in access), False])[places]
        return index.search(query, allowed, k)

    def idf(self, term: str) -> float:
        """As `LexicalIndex.idf`."""
        return self._open_lexical()[0].idf(term)

    def warm_up(self) -> None:
        """Open everything; what cannot be opened is reported by the search that needs it."""
        for prepare in (self.refresh, self._open_dense, self._open_lexical):
            with contextlib.suppress(GroundhopError):
                prepare()

    def close(self) -> None:
        """Close the files of the vectors."""
        with self._lock:
            if self._dense is not None:
                self._dense.close()
            self._dense = None

    def _open_dense(self) -> DenseIndex:
        with self._lock:
            changed = self._dense_generation != self._body.state.vectors_generation
            if self._dense is None or changed:
                folder = self._catalogue.vectors_folder()
                if self._dense is not None and self._dense.folder == folder:
                    self._dense.reopen()
                else:  # the first time, and when a rebuild has made them elsewhere
                    before, self._dense = self._dense, DenseIndex(folder, self._model)
                    if before is not None:
                        before.close()
            self._dense_generation = self._body.state.vectors_generation
            return self._dense

    def _open_lexical(self) -> tuple[LexicalIndex, NDArray[np.int64], list[Access]]:
        """The index, and for every row of it the place of its document's access list."""
        with self._lock:
            saved = saved_generation(self._lexical_folder)
            if self._lexical is None or self._lexical.generation != saved:
                self._lexical, self._places = load_lexical(self._lexical_folder), None
            if self._places is None:
                found = (self._body.document_of.get(one, -1) for one in self._lexical.chunk_ids)
                self._places = np.fromiter(found, np.int64, count=len(self._lexical.chunk_ids))
            return self._lexical, self._places, self._body.access


def check_model(catalogue: Catalogue, model: str) -> None:
    """`KnowledgeBaseError` unless the vectors were made with this embedding model."""
    built_with = catalogue.get_setting("embedding_model")
    if built_with is None:
        raise KnowledgeBaseError(
            f"Nothing has been ingested in {catalogue.folder}: run `groundhop ingest PATH`."
        )
    if built_with != model:
        raise KnowledgeBaseError(
            f"The index in {catalogue.folder} was built with the embedding model "
            f"{built_with!r}, but {model!r} is configured: run `groundhop ingest "
            f"--rebuild PATH`, or configure {built_with!r} again."
        )
