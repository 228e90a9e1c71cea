"""Builds the lexical index: BM25 contributions of every term to every passage, on disk."""

import json
import math
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from rank_bm25 import BM25Okapi

from retrieval.lexical import MATRIX, NAMES, folder_name
from retrieval.tokens import folded, tokens

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix

_K1, _B = 1.2, 0.75


class PositiveBM25(BM25Okapi):
    """rank_bm25's Okapi with an idf that stays positive, for one document as for a million.

    idf = ln(1 + (N - df + 0.5) / (df + 0.5)), that of Lucene's BM25Similarity; k1 = 1.2 and
    b = 0.75 are Lucene's too. The library's own idf is 0 or below in one or two documents.
    """

    def __init__(self, corpus: Iterable[Sequence[str]]) -> None:
        super().__init__(corpus, k1=_K1, b=_B)

    def _calc_idf(self, nd: dict[str, int]) -> None:
        count = self.corpus_size
        for word, df in nd.items():
            self.idf[word] = math.log(1 + (count - df + 0.5) / (df + 0.5))


def build_lexical(folder: Path, passages: Iterable[tuple[str, str]], generation: int) -> None:
    """Index pairs of chunk id and search text under `folder`, stamped with a generation.

    Readers see the old index or the new one, never a half: files are written to a temporary
    folder that is renamed at the end; older indexes are deleted then.
    """
    ids: list[str] = []
    terms, matrix = contributions(_tokenised(passages, ids))
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    target = folder / folder_name(generation)
    temporary = Path(tempfile.mkdtemp(prefix=".new-", dir=folder))
    _write(temporary, ids, terms, matrix)
    shutil.rmtree(target, ignore_errors=True)
    os.rename(temporary, target)
    for other in folder.iterdir():
        if other != target:
            shutil.rmtree(other, ignore_errors=True)


def both_fields(text: str) -> list[str]:
    """The accented tokens of a passage, then their unaccented forms.

    Interned, because every term would else be kept once for each passage that holds it.
    """
    accented = tokens(text)
    return [*map(sys.intern, accented), *map(sys.intern, map(folded, accented))]


def contributions(corpus: Iterator[Sequence[str]]) -> "tuple[list[str], csc_matrix]":
    """The terms, and a sparse matrix (passages x terms) of what each adds to a BM25 score.

    The sum of a query's columns equals `PositiveBM25.get_scores`.
    """
    from scipy.sparse import csc_matrix

    first = next(corpus, None)
    if first is None:  # the library divides by the number of documents
        return [], csc_matrix((0, 0))
    model = PositiveBM25(chain([first], corpus))
    terms = list(model.idf)
    column_of = {term: column for column, term in enumerate(terms)}
    sizes = [len(frequencies) for frequencies in model.doc_freqs]
    rows = np.repeat(np.arange(len(sizes)), sizes)
    found = (column_of[term] for frequencies in model.doc_freqs for term in frequencies)
    columns = np.fromiter(found, dtype=np.int64, count=sum(sizes))
    counts = (count for frequencies in model.doc_freqs for count in frequencies.values())
    frequency = np.fromiter(counts, dtype=np.float64, count=sum(sizes))
    length = np.asarray(model.doc_len)[rows] / (model.avgdl or 1)
    idf = np.fromiter(model.idf.values(), dtype=np.float64, count=len(terms))[columns]
    values = idf * frequency * (_K1 + 1) / (frequency + _K1 * (1 - _B + _B * length))
    return terms, csc_matrix((values, (rows, columns)), shape=(len(sizes), len(terms)))


def _tokenised(passages: Iterable[tuple[str, str]], ids: list[str]) -> Iterator[list[str]]:
    """The tokens of one passage after the other; its id goes to `ids`."""
    for chunk_id, text in passages:
        ids.append(chunk_id)
        yield both_fields(text)


def _write(folder: Path, ids: list[str], terms: list[str], matrix: "csc_matrix") -> None:
    from scipy.sparse import save_npz

    save_npz(folder / MATRIX, matrix, compressed=False)
    names = json.dumps({"chunk_ids": ids, "terms": terms}, ensure_ascii=False)
    (folder / NAMES).write_text(names, encoding="utf-8")
    for name in (MATRIX, NAMES):
        os.chmod(folder / name, 0o600)
