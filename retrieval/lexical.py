"""The lexical index as a reader sees it: mapped from disk, searched by adding up columns.

The matrix (passages x terms) is stored by columns in NumPy's file format. A search touches only
the columns of the query's terms, so opening it costs nothing that grows with the documents but
the list of their ids, and SciPy is not imported.
"""

import json
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrieval.errors import KnowledgeBaseError
from retrieval.tokens import folded, tokens
from state.text import has_accents

ARRAYS = {name: f"{name}.npy" for name in ("keys", "columns", "starts", "rows", "values")}
CHUNK_IDS = "chunk_ids.json"

_FOLDED_WEIGHT = 0.25
"""Weight of the unaccented field for a question typed with accents: text that lost its accents
is still found, below text that has them."""


@dataclass(frozen=True)
class LexicalIndex:
    """BM25 contributions of terms to the passages `chunk_ids`.

    `keys` are the sorted `term_keys` of all terms, `columns` says in which column the term of
    each key is. Passages and contributions of the term in column c are
    `rows[starts[c]:starts[c + 1]]` and `values[starts[c]:starts[c + 1]]`.
    """

    generation: int
    chunk_ids: Sequence[str]
    keys: NDArray[np.uint64]
    columns: NDArray[np.int32]
    starts: NDArray[np.int64]
    rows: NDArray[np.int32]
    values: NDArray[np.float64]

    def search(
        self, query: str, allowed: NDArray[np.bool_] | None, k: int
    ) -> list[tuple[str, float]]:
        """The `k` best passages with a term of the query, best first; none is no passage.

        `allowed` is a mask over `chunk_ids` that is applied before ranking; None allows all.
        """
        scores = self.scores(query_terms(query), allowed)
        found = np.flatnonzero(scores)
        if 0 < k < len(found):
            worst = np.partition(scores[found], len(found) - k)[len(found) - k]
            found = found[scores[found] >= worst]
        best = found[np.argsort(-scores[found], kind="stable")[:k]]
        return [(self.chunk_ids[row], float(scores[row])) for row in best]

    def scores(
        self, terms: dict[str, float], allowed: NDArray[np.bool_] | None = None
    ) -> NDArray[np.float64]:
        """The BM25 score of every passage for weighted terms; 0 where none of them stands.

        With a mask, passages that are not allowed have 0, and how rare a term is counts among
        the allowed ones, so that a score says nothing about the others.
        """
        scores = np.zeros(len(self.chunk_ids))
        count = 0 if allowed is None else int(np.count_nonzero(allowed))
        for span, weight in zip(self._spans(terms), terms.values(), strict=True):
            rows = self.rows[span]
            if allowed is not None:
                df = int(np.count_nonzero(allowed[rows]))
                weight *= _idf(df, count) / _idf(len(rows), len(self.chunk_ids)) if df else 0.0
            if weight:
                scores[rows] += weight * self.values[span]
        if allowed is not None:
            scores *= allowed
        return scores

    def holding(self, terms: Sequence[str]) -> NDArray[np.bool_]:
        """Which passages hold every one of the terms."""
        counts = np.zeros(len(self.chunk_ids), np.int64)
        for span in self._spans(terms):
            counts[self.rows[span]] += 1
        return counts == len(terms)

    def idf(self, term: str) -> float:
        """ln(1 + (N - df + 0.5) / (df + 0.5)) as in BM25; highest for unknown terms."""
        (span,) = self._spans([term])
        return _idf(span.stop - span.start, len(self.chunk_ids))

    def _spans(self, terms: Iterable[str]) -> list[slice]:
        """Where the passages of each term stand in `rows`; nowhere for an unknown one."""
        keys = term_keys(terms)
        places = np.searchsorted(self.keys, keys)
        spans = []
        for place, key in zip(places.tolist(), keys, strict=True):
            known = place < len(self.keys) and self.keys[place] == key
            column = int(self.columns[place]) if known else 0
            stop = int(self.starts[column + 1]) if known else 0
            spans.append(slice(int(self.starts[column]) if known else 0, stop))
        return spans


def _idf(df: int, count: int) -> float:
    return math.log(1 + (count - df + 0.5) / (df + 0.5))


def term_keys(terms: Iterable[str]) -> NDArray[np.uint64]:
    """A number of 64 bits for each term; two of a million terms meet once in 40 million bodies."""
    digests = b"".join(blake2b(one.encode(), digest_size=8).digest() for one in terms)
    return np.frombuffer(digests, dtype="<u8").astype(np.uint64)


def query_terms(query: str) -> dict[str, float]:
    """The terms to look up for a query, with their weights.

    A question typed without accents counts in both fields alike, so that text spelt exactly
    like it comes first and accented text is found; otherwise the unaccented field is a weak
    addition.
    """
    counts = Counter(tokens(query))
    weight = _FOLDED_WEIGHT if has_accents(query) else 1.0
    terms: dict[str, float] = {term: float(count) for term, count in counts.items()}
    for term, count in counts.items():
        terms[folded(term)] = terms.get(folded(term), 0.0) + weight * count
    return terms


def folder_name(generation: int) -> str:
    """The name of the folder that holds the index of a generation; sorts by generation."""
    return f"{generation:012d}"


def saved_generation(folder: Path) -> int | None:
    """The generation of the newest complete index under `folder`, or None."""
    if not folder.is_dir():
        return None
    return max((int(one.name) for one in folder.iterdir() if one.name.isdigit()), default=None)


def load_lexical(folder: Path) -> LexicalIndex:
    """The newest index under `folder`; `KnowledgeBaseError` if there is none or it is damaged."""
    generation = saved_generation(folder)
    try:
        if generation is not None:
            return _load(folder / folder_name(generation), generation)
    except FileNotFoundError:
        if saved_generation(folder) != generation:  # replaced while it was read
            return load_lexical(folder)
        raise _unusable(folder, "is incomplete") from None
    except (OSError, EOFError, ValueError) as error:
        raise _unusable(folder, f"is damaged ({error})") from error
    raise _unusable(folder, "is missing")


def _load(folder: Path, generation: int) -> LexicalIndex:
    chunk_ids = json.loads((folder / CHUNK_IDS).read_text(encoding="utf-8"))
    arrays = {name: _mapped(folder / file) for name, file in ARRAYS.items()}
    index = LexicalIndex(generation, chunk_ids, **arrays)
    columns, entries = len(index.starts) - 1, int(index.starts[-1])
    if not (len(index.keys) == len(index.columns) == columns):
        raise ValueError("terms and matrix do not fit")
    if not (len(index.rows) == len(index.values) == entries):
        raise ValueError("the matrix is incomplete")
    return index


def _mapped(path: Path) -> NDArray:
    try:
        return np.asarray(np.load(path, mmap_mode="r", allow_pickle=False))
    except ValueError:  # an empty file cannot be mapped
        return np.load(path, allow_pickle=False)


def _unusable(folder: Path, what: str) -> KnowledgeBaseError:
    return KnowledgeBaseError(
        f"The lexical index in {folder} {what}: run `groundhop ingest --rebuild PATH`."
    )
