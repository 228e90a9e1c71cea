"""Builds the lexical index: BM25 contributions of every term to every passage, on disk."""

import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi

from retrieval.lexical import KEYS, NAMES, ROWS, STARTS, VALUES, folder_name, term_key
from retrieval.tokens import folded, tokens

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix

K1, B = 1.2, 0.75
_PASSAGES_AT_ONCE = 2_000
_VALUES_AT_ONCE = 1_000_000

Terms = NDArray[np.int32]
"""The tokens of one passage as numbers of terms, repeats included."""


class MatrixBM25(BM25Okapi):
    """rank_bm25's Okapi over numbered terms, with its counts in a matrix instead of dicts.

    The idf stays positive, for one document as for a million: ln(1 + (N - df + 0.5) /
    (df + 0.5)), that of Lucene's BM25Similarity; k1 = 1.2 and b = 0.75 are Lucene's too. The
    library's own idf is 0 or below in one or two documents.
    """

    def __init__(self, corpus: Iterable[Terms]) -> None:
        super().__init__(corpus, k1=K1, b=B)

    def _initialize(self, corpus: Iterable[Terms]) -> NDArray[np.int64]:
        from scipy.sparse import csr_matrix

        blocks, sizes = [], [np.zeros(0, np.int64)]
        passages = iter(corpus)
        while some := list(islice(passages, _PASSAGES_AT_ONCE)):
            blocks.append(_counted(some))
            sizes.append(np.array([len(one) for one in some]))
        self.doc_len = np.concatenate(sizes)
        self.corpus_size = len(self.doc_len)
        self.avgdl = self.doc_len.mean() if self.corpus_size else 0.0
        columns = np.concatenate([np.zeros(0, np.int32), *(one.columns for one in blocks)])
        counts = np.concatenate([np.zeros(0, np.float32), *(one.counts for one in blocks)])
        starts = np.cumsum([0, *(size for one in blocks for size in one.sizes)])
        width = int(columns.max(initial=-1)) + 1
        blocks.clear()
        shape = (self.corpus_size, width)
        self.counts = csr_matrix((counts, columns, starts), shape=shape).tocsc()
        return np.diff(self.counts.indptr).astype(np.int64)

    def _calc_idf(self, nd: NDArray[np.int64]) -> None:
        self.idf = np.log1p((self.corpus_size - nd + 0.5) / (nd + 0.5))

    def values(self, first: int, last: int) -> NDArray[np.float64]:
        """What the terms from `first` to before `last` add to scores, in the matrix's order."""
        span = slice(self.counts.indptr[first], self.counts.indptr[last])
        count = self.counts.data[span].astype(np.float64)
        length = self.doc_len[self.counts.indices[span]] / (self.avgdl or 1)
        idf = np.repeat(self.idf[first:last], np.diff(self.counts.indptr[first : last + 1]))
        return idf * count * (K1 + 1) / (count + K1 * (1 - B + B * length))


class Vocabulary(dict[str, int]):
    """Numbers terms of the accented field as they come, and keeps the number of their
    unaccented form beside it."""

    def __init__(self) -> None:
        self.unaccented: dict[str, int] = {}
        self._fold_of: list[int] = []

    def __missing__(self, term: str) -> int:
        plain = folded(term)
        self._fold_of.append(self.unaccented.setdefault(plain, len(self.unaccented)))
        self[term] = number = len(self)
        return number

    def numbers(self, text: str) -> Terms:
        """The tokens of a passage, then their unaccented forms: even and odd numbers."""
        accented = np.fromiter(map(self.__getitem__, tokens(text)), np.int32)
        bare = np.fromiter(map(self._fold_of.__getitem__, accented.tolist()), np.int32)
        return np.concatenate([2 * accented, 2 * bare + 1])

    def keys(self) -> ...:
        ...
