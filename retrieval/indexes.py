"""The open indexes of a knowledge base, kept up with what an ingest writes beside them."""

import contextlib
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrieval.access import Identity, may_read
from retrieval.catalogue import Catalogue, Document, State, search_text
from retrieval.dense import DenseIndex
from retrieval.errors import GroundhopError, KnowledgeBaseError
from retrieval.exact import nearest
from retrieval.filters import EVERYTHING, Filters, may_find
from retrieval.lexical import LexicalIndex, load_lexical, saved_generation
from retrieval.phrases import holds_phrase, phrase_terms, phrases

Places = NDArray[np.int64]
Ranking = list[tuple[str, float]]

_FEW = 10_000
"""So many vectors are compared one by one in 1 to 2 ms, and Chroma (0.6 s) is not opened."""

_ASKERS = 64
"""Askers with their filters for whom it is kept which documents they may find."""

_MOST_TO_READ = 2_000
"""Passages with the words of a phrase whose text is looked at for the phrase itself."""


@dataclass(frozen=True)
class _Body:
    """Which chunks there are now, and who may read them; `state` is when that was."""

    state: State
    documents: list[Document]
    document_of: dict[str, int]
    """Place in `documents` of the document of every chunk; other chunks are gone."""


class Indexes:
    """The vectors and the lexical index, each opened when first needed."""

    def __init__(self, catalogue: Catalogue, lexical: Path, model: str) -> None:
        self._catalogue = catalogue
        self._lexical_folder, self._model = lexical, model
        self._lock = threading.Lock()
        self._body = _Body(State(-1, -1, 0), [], {})
        self._lexical: LexicalIndex | None = None
        self._places: dict[str, tuple[Sequence[str], Places]] = {}
        self._allowed: dict[tuple[Identity, Filters], NDArray[np.bool_]] = {}
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
            self._body = _Body(state, documents, document_of)
            self._places.clear()
            self._allowed.clear()

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
        self, vector: NDArray[np.float32], identity: Identity, filters: Filters, k: int
    ) -> Ranking:
        """The `k` nearest passages that may be found, with cosines.

        Few vectors are compared one by one, and so are those that a search must be filtered
        for; else Chroma's approximate index answers, or, where an ingest has just changed its
        files, the comparison again.
        """
        dense, body = self._open_dense(), self._body
        allowed = self._allowed_in(body, identity, filters)
        if len(body.document_of) > _FEW and allowed.all():
            with contextlib.suppress(Exception):  # Chroma's errors have no class of their own
                return [one for one in dense.search(vector, k) if one[0] in body.document_of]
            dense.reopen()
        loaded = dense.exact()
        if not loaded.ids:
            return []
        mask = self._mask("vectors", loaded.ids, body, allowed)
        found = nearest(loaded.matrix, vector, mask, k)
        return [(loaded.ids[row], cosine) for row, cosine in found]

    def search_words(self, query: str, identity: Identity, filters: Filters, k: int) -> Ranking:
        """As `LexicalIndex.search`, over the passages that may be found.

        Where passages hold all phrases that the query puts in quotes, only these are found.
        """
        index, body = self._open_lexical(), self._body
        allowed = self._allowed_in(body, identity, filters)
        mask = self._mask("words", index.chunk_ids, body, allowed)
        for phrase in phrases(query):
            mask = self._with_phrase(index, phrase, mask)
        return index.search(query, None if mask.all() else mask, k)

    def _with_phrase(
        self, index: LexicalIndex, phrase: str, mask: NDArray[np.bool_]
    ) -> NDArray[np.bool_]:
        """The part of a mask whose passages hold a phrase; all of it if none does."""
        candidates = np.flatnonzero(mask & index.holding(phrase_terms(phrase)))[:_MOST_TO_READ]
        found = self._catalogue.chunks([index.chunk_ids[row] for row in candidates])
        narrower = np.zeros_like(mask)
        narrower[candidates] = [
            holds_phrase(search_text(found[one][0]), phrase) if one in found else False
            for one in (index.chunk_ids[row] for row in candidates)
        ]
        return narrower if narrower.any() else mask

    def idf(self, term: str) -> float:
        """As `LexicalIndex.idf`."""
        return self._open_lexical().idf(term)

    def warm_up(self) -> None:
        """Open everything; what cannot be opened is reported by the search that needs it."""
        for prepare in (self.refresh, self._load_vectors, self._open_lexical):
            with contextlib.suppress(GroundhopError):
                prepare()

    def _load_vectors(self) -> None:
        dense = self._open_dense()
        dense.exact()
        if len(self._body.document_of) > _FEW:
            dense.open()

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

    def _open_lexical(self) -> LexicalIndex:
        with self._lock:
            saved = saved_generation(self._lexical_folder)
            if self._lexical is None or self._lexical.generation != saved:
                self._lexical = load_lexical(self._lexical_folder)
            return self._lexical

    def _allowed_in(self, body: _Body, identity: Identity, filters: Filters) -> NDArray[np.bool_]:
        """As `_allowed`, kept for the asker's next search (20 ms over 20,000 documents)."""
        asked = (identity, filters)
        with self._lock:
            known = self._allowed.get(asked) if body is self._body else None
        if known is not None:
            return known
        allowed = _allowed(body, identity, filters)
        with self._lock:
            if body is self._body:
                if len(self._allowed) >= _ASKERS:
                    self._allowed.clear()
                self._allowed[asked] = allowed
        return allowed

    def _mask(
        self, name: str, ids: Sequence[str], body: _Body, allowed: NDArray[np.bool_]
    ) -> NDArray[np.bool_]:
        """Which of an index's passages are there and belong to an allowed document."""
        with self._lock:
            known, places = self._places.get(name, ((), None))
            if known is not ids or places is None:
                found = (body.document_of.get(one, -1) for one in ids)
                places = np.fromiter(found, np.int64, count=len(ids))
                if body is self._body:
                    self._places[name] = (ids, places)
        return np.append(allowed, False)[places]


def _allowed(body: _Body, identity: Identity, filters: Filters) -> NDArray[np.bool_]:
    """Which documents the identity may find with these filters."""
    if filters == EVERYTHING:
        readable = {
            one: may_read(identity, one) for one in {each.access for each in body.documents}
        }
        found = [readable[one.access] for one in body.documents]
    else:
        found = [may_find(one, identity, filters) for one in body.documents]
    return np.array(found, bool)


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
