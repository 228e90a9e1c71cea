"""The lexical index as a reader sees it: loaded from disk, searched by adding up columns.

The matrix is a compressed sparse column matrix in SciPy's file format. A search touches only
the columns of the query's terms, so NumPy is enough to read it and SciPy is not imported.
"""

import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from retrieval.errors import KnowledgeBaseError
from retrieval.tokens import folded, tokens
from state.text import has_accents

MATRIX, NAMES = "contributions.npz", "names.json"

_FOLDED_WEIGHT = 0.25
"""Weight of the unaccented field for a question typed with accents: text that lost its accents
is still found, below text that has them."""


@dataclass(frozen=True)
class LexicalIndex:
    """BM25 contributions of `len(term_columns)` terms to `len(chunk_ids)` passages.

    Passages and contributions of the term in column c are `rows[starts[c]:starts[c + 1]]` and
    `values[starts[c]:starts[c + 1]]`.
    """

    generation: int
    chunk_ids: Sequence[str]
    term_columns: dict[str, int]
    values: NDArray[np.float64]
    rows: NDArray[np.int32]
    starts: NDArray[np.int32]

    def search(
        self, query: str, allowed: NDArray[np.bool_] | None, k: int
    ) -> list[tuple[str, float]]:
        """The `k` best passages with a term of the query, best first; none is no passage.

        `allowed` is a mask over `chunk_ids` that is applied before ranking; None allows all.
        """
        scores = self.scores(query_terms(query))
        if allowed is not None:
            scores = np.where(allowed, scores, 0.0)
        found = np.flatnonzero(scores)
        best = found[np.argsort(-scores[found], kind="stable")[:k]]
        return [(self.chunk_ids[row], float(scores[row])) for row in best]

    def scores(self, terms: dict[str, float]) -> NDArray[np.float64]:
        """The BM25 score of every passage for weighted terms; 0 where none of them stands."""
        scores = np.zeros(len(self.chunk_ids))
        for term, weight in terms.items():
            span = self._span(term)
            scores[self.rows[span]] += weight * self.values[span]
        return scores

    def idf(self, term: str) -> float:
        """ln(1 + (N - df + 0.5) / (df + 0.5)) as in BM25; highest for unknown terms."""
        span = self._span(term)
        df = span.stop - span.start
        return math.log(1 + (len(self.chunk_ids) - df + 0.5) / (df + 0.5))

    def _span(self, term: str) -> slice:
        column = self.term_columns.get(term)
        if column is None:
            return slice(0, 0)
        return slice(int(self.starts[column]), int(self.starts[column + 1]))


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
    except (OSError, EOFError, ValueError, KeyError, BadZipFile) as error:
        raise _unusable(folder, f"is damaged ({error})") from error
    raise _unusable(folder, "is missing")


def _load(folder: Path, generation: int) -> LexicalIndex:
    names = json.loads((folder / NAMES).read_text(encoding="utf-8"))
    with np.load(folder / MATRIX, allow_pickle=False) as matrix:
        values, rows, starts = matrix["data"], matrix["indices"], matrix["indptr"]
    if len(starts) != len(names["terms"]) + 1:
        raise ValueError("terms and matrix do not fit")
    columns = {term: column for column, term in enumerate(names["terms"])}
    return LexicalIndex(generation, names["chunk_ids"], columns, values, rows, starts)


def _unusable(folder: Path, what: str) -> KnowledgeBaseError:
    return KnowledgeBaseError(
        f"The lexical index in {folder} {what}: run `groundhop ingest --rebuild PATH`."
    )
