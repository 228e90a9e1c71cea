"""Builds the lexical index: BM25 contributions of every term to every passage, on disk."""

import json
import os
import shutil
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi

from retrieval.lexical import ARRAYS, CHUNK_IDS, folder_name, term_keys
from retrieval.tokens import FOLDED, folded, item_of
from state.language import Language, detect_language

_K1, _B = 1.2, 0.75
_PASSAGES_AT_ONCE = 2_000
_TERMS_AT_ONCE = 20_000
_LONG = 40
_MOST = np.iinfo(np.uint16).max

Terms = NDArray[np.int32]
"""The tokens of one passage as numbers of terms, repeats included."""


class MatrixBM25(BM25Okapi):
    """rank_bm25's Okapi over numbered terms, its counts in a sparse matrix instead of dicts.

    The idf stays positive, for one document as for a million: ln(1 + (N - df + 0.5) /
    (df + 0.5)), that of Lucene's BM25Similarity; k1 = 1.2 and b = 0.75 are Lucene's too. The
    library's own idf is 0 or below in one or two documents.
    """

    def __init__(self, corpus: Iterable[Terms]) -> None:
        super().__init__(corpus, k1=_K1, b=_B)

    def _initialize(self, corpus: Iterable[Terms]) -> NDArray[np.int64]:
        """Counts the terms; returns in how many passages each of them stands."""
        from scipy.sparse import csr_matrix

        passages = iter(corpus)
        blocks = [_Block([], [], [], [])]
        while some := list(islice(passages, _PASSAGES_AT_ONCE)):
            blocks.append(_counted(some))
        columns = np.concatenate([one.columns for one in blocks]).astype(np.int32)
        counts = np.concatenate([one.counts for one in blocks]).astype(np.uint16)
        starts = np.cumsum([0, *(size for one in blocks for size in one.distinct)])
        self.doc_len = np.concatenate([one.lengths for one in blocks]).astype(np.float64)
        self.corpus_size = len(self.doc_len)
        self.avgdl = float(self.doc_len.mean()) if self.doc_len.any() else 1.0
        blocks.clear()
        shape = (self.corpus_size, int(columns.max(initial=-1)) + 1)
        self.counts = csr_matrix((counts, columns, starts), shape=shape).tocsc()
        return np.diff(self.counts.indptr).astype(np.int64)

    def _calc_idf(self, nd: NDArray[np.int64]) -> None:
        self.idf = np.log1p((self.corpus_size - nd + 0.5) / (nd + 0.5))

    def contributions(self) -> Iterator[NDArray[np.float64]]:
        """What the terms add to the scores of the passages that hold them, term by term."""
        norm = self.k1 * (1 - self.b + self.b * self.doc_len / self.avgdl)
        starts = self.counts.indptr
        for first in range(0, len(self.idf), _TERMS_AT_ONCE):
            last = min(first + _TERMS_AT_ONCE, len(self.idf))
            span = slice(starts[first], starts[last])
            count = self.counts.data[span].astype(np.float64)
            idf = np.repeat(self.idf[first:last], np.diff(starts[first : last + 1]))
            yield idf * (count * (self.k1 + 1) / (count + norm[self.counts.indices[span]]))


class _Numbered(NamedTuple):
    """An item (`retrieval.tokens.Item`) with numbers for its tokens."""

    terms: list[int]
    first: str
    last: str


class Vocabulary(dict[str, int]):
    """Numbers terms as they come; a term of the accented field knows its unaccented form.

    Items and pairs are kept with their numbers: a body of text repeats its words, and making
    their tokens again takes most of the time of a build.
    """

    def __init__(self) -> None:
        self._unaccented: dict[int, int] = {}
        self._items: defaultdict[Language, dict[str, _Numbered]] = defaultdict(dict)
        self._pairs: dict[tuple[str, str], int] = {}

    def __missing__(self, term: str) -> int:
        number = self[term] = len(self)
        if not term.startswith(FOLDED):
            self._unaccented[number] = self[folded(term)]
        return number

    def numbers(self, text: str) -> Terms:
        """The terms of `retrieval.tokens.tokens`, then their unaccented forms."""
        language = detect_language(text)
        items, pairs = self._items[language], language == "vi"
        accented: list[int] = []
        for line in text.splitlines():
            before = ""
            for written in line.split():
                item = items.get(written) or self._item(written, language)
                accented += item.terms
                if pairs:
                    if before and item.first:
                        pair = (before, item.first)
                        accented.append(self._pairs.get(pair) or self._pair(pair))
                    before = item.last
        bare = map(self._unaccented.__getitem__, accented)
        return np.fromiter(chain(accented, bare), np.int32, count=2 * len(accented))

    def _item(self, written: str, language: Language) -> _Numbered:
        found = item_of(written, language)
        numbered = _Numbered([self[term] for term in found.tokens], found.first, found.last)
        if len(written) < _LONG:
            self._items[language][written] = numbered
        return numbered

    def _pair(self, pair: tuple[str, str]) -> int:
        number = self._pairs[pair] = self[f"{pair[0]} {pair[1]}"]
        return number


def build_lexical(folder: Path, passages: Iterable[tuple[str, str]], generation: int) -> None:
    """Index pairs of chunk id and search text under `folder`, stamped with a generation.

    Readers see the old index or the new one, never a half: files are written to a temporary
    folder that is renamed at the end; older indexes are deleted then.
    """
    ids: list[str] = []
    vocabulary = Vocabulary()
    model = MatrixBM25(_numbered(passages, vocabulary, ids))
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    target = folder / folder_name(generation)
    temporary = Path(tempfile.mkdtemp(prefix=".new-", dir=folder))
    _write(temporary, ids, vocabulary, model)
    shutil.rmtree(target, ignore_errors=True)
    os.rename(temporary, target)
    for other in folder.iterdir():
        if other != target:
            shutil.rmtree(other, ignore_errors=True)


def _numbered(
    passages: Iterable[tuple[str, str]], vocabulary: Vocabulary, ids: list[str]
) -> Iterator[Terms]:
    """The terms of one passage after the other; its id goes to `ids`."""
    for chunk_id, text in passages:
        ids.append(chunk_id)
        yield vocabulary.numbers(text)


class _Block(NamedTuple):
    """Terms and counts of some passages, one passage after the other; then, for each passage,
    how many of these are its own, and how many tokens it has."""

    columns: NDArray[np.int32] | list[int]
    counts: NDArray[np.uint16] | list[int]
    distinct: NDArray[np.int64] | list[int]
    lengths: NDArray[np.int64] | list[int]


def _counted(passages: list[Terms]) -> _Block:
    lengths = np.array([len(one) for one in passages])
    terms = np.concatenate(passages).astype(np.int64)
    width = int(terms.max(initial=0)) + 1
    keys = np.sort(np.repeat(np.arange(len(passages)), lengths) * width + terms)
    opens = np.flatnonzero(np.diff(keys, prepend=-1))
    counts = np.minimum(np.diff(opens, append=len(keys)), _MOST).astype(np.uint16)
    rows, columns = np.divmod(keys[opens], width)
    distinct = np.bincount(rows, minlength=len(passages))
    return _Block(columns.astype(np.int32), counts, distinct, lengths)


def _write(folder: Path, ids: list[str], vocabulary: Vocabulary, model: MatrixBM25) -> None:
    keys = term_keys(vocabulary)
    order = np.argsort(keys)
    arrays: dict[str, NDArray[Any]] = {
        "keys": keys[order],
        "columns": order.astype(np.int32),
        "starts": model.counts.indptr.astype(np.int64),
        "rows": model.counts.indices.astype(np.int32, copy=False),
    }
    for name, array in arrays.items():
        np.save(folder / ARRAYS[name], array)
    _write_values(folder / ARRAYS["values"], model)
    (folder / CHUNK_IDS).write_text(json.dumps(ids, ensure_ascii=False), encoding="utf-8")
    for one in folder.iterdir():
        os.chmod(one, 0o600)


def _write_values(path: Path, model: MatrixBM25) -> None:
    """A NumPy file written piece by piece: it is the largest, and never whole in memory."""
    header = {"descr": "<f8", "fortran_order": False, "shape": (model.counts.nnz,)}
    with path.open("wb") as file:
        np.lib.format.write_array_header_1_0(file, header)
        for values in model.contributions():
            file.write(values.astype("<f8", copy=False).tobytes())
