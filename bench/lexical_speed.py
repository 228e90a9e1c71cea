"""BM25 against rank_bm25 and bm25s: `python -m bench.lexical_speed [--chunks 100000]`.

All three get the same tokens (retrieval.tokens, both fields). rank_bm25 is asked few questions,
for one takes it a third of a second and more. bm25s (`pip install bm25s`) is optional.
"""

import argparse
import importlib.util
import os
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from rank_bm25 import BM25Okapi

from bench.passages import passages, questions
from retrieval.lexical import load_lexical
from retrieval.lexical_build import build_lexical
from retrieval.tokens import folded, tokens

_TOP = 50


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, default=100_000)
    options = parser.parse_args()
    print(f"command: python -m bench.lexical_speed {' '.join(sys.argv[1:])}".rstrip())
    print(f"machine: {os.cpu_count()} cores; {options.chunks:,} passages of 180 words")
    body = list(passages(options.chunks))
    asked = questions(300)
    with tempfile.TemporaryDirectory() as folder:
        ours = Path(folder) / "lexical"
        mine, built = timed(lambda: build_lexical(ours, body, 1)), memory()
        size = sum(one.stat().st_size for one in ours.rglob("*") if one.is_file())
        print(
            f"groundhop: from texts to disk {mine:.1f} s, {size / 1e6:.0f} MB, peak {built:.0f} MB"
        )
        loading = timed(lambda: load_lexical(ours))
        index = load_lexical(ours)
        each = median_ms(lambda query: index.search(query, None, _TOP), asked)
        print(f"groundhop: load {loading:.3f} s, query {each:.2f} ms (median, tokens included)")
        corpus: list[list[str]] = []
        split = timed(lambda: corpus.extend(both(text) for _, text in body))
        print(f"tokens alone: {split:.1f} s")
        bm25s_side(corpus, asked, each)
        library_side(corpus, asked, each, mine, split)


def bm25s_side(corpus: Sequence[list[str]], asked: Sequence[str], each: float) -> None:
    if importlib.util.find_spec("bm25s") is None:
        print("bm25s: not installed")
        return
    import bm25s

    model = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    building = timed(lambda: model.index(list(corpus), show_progress=False))

    def search(query: str) -> None:
        model.retrieve([both(query)], k=_TOP, show_progress=False, n_threads=1)

    other = median_ms(search, asked)
    print(
        f"bm25s: from tokens {building:.1f} s, query {other:.2f} ms; "
        f"ours / bm25s {each / other:.2f}"
    )


def library_side(
    corpus: Sequence[list[str]], asked: Sequence[str], each: float, mine: float, split: float
) -> None:
    models: list[BM25Okapi] = []
    building = timed(lambda: models.append(BM25Okapi(corpus)))
    other = median_ms(lambda query: models[0].get_scores(both(query)), asked[:10])
    print(
        f"rank_bm25: from tokens {building:.1f} s, from texts {split + building:.1f} s "
        f"(ours {mine:.1f}), query {other:.0f} ms; rank_bm25 / ours {other / each:.0f}"
    )


def both(text: str) -> list[str]:
    accented = tokens(text)
    return [*accented, *map(folded, accented)]


def timed(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def median_ms(search: Callable[[str], object], asked: Sequence[str]) -> float:
    times = []
    for query in asked:
        begun = time.perf_counter()
        search(query)
        times.append(time.perf_counter() - begun)
    return statistics.median(times) * 1000


def memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
