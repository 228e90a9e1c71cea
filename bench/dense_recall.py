"""What Chroma's index misses: `python -m bench.dense_recall --cache DIR/embeddings.sqlite`.

Takes vectors of real passages and sentences from an embedding cache, indexes most of them as the
product does, asks for the neighbours of the others, and compares with all vectors one by one.
"""

import argparse
import os
import sqlite3
import statistics
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from retrieval.dense import DenseIndex
from retrieval.exact import Vectors, nearest

_ASKED = 200


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--vectors", type=int, default=20_000)
    parser.add_argument("--made", action="store_true", help="made-up vectors around 2,000 centres")
    options = parser.parse_args()
    print(f"command: python -m bench.dense_recall {' '.join(sys.argv[1:])}")
    wanted = options.vectors + _ASKED
    found = made(wanted) if options.made else cached_vectors(options.cache, wanted)
    body, asked = found[:-_ASKED], found[-_ASKED:]
    kind = "made-up" if options.made else "real"
    print(f"machine: {os.cpu_count()} cores; {len(body):,} {kind} vectors, {len(asked)} questions")
    with tempfile.TemporaryDirectory() as folder:
        index = DenseIndex(Path(folder) / "vectors", "bench", create=True)
        begun = time.perf_counter()
        index.upsert([str(n) for n in range(len(body))], body)
        print(f"indexing: {time.perf_counter() - begun:.0f} s")
        everything = np.ones(len(body), bool)
        begun = time.perf_counter()
        right = [{str(n) for n, _ in nearest(body, one, everything, 50)} for one in asked]
        each = (time.perf_counter() - begun) / len(asked) * 1000
        print(f"all vectors one by one: {each:.1f} ms")
        for depth in (50, 100, 200, 400, 800):
            with_depth(index, depth, asked, right)
        index.close()


def with_depth(index: DenseIndex, depth: int, asked: Vectors, right: list[set[str]]) -> None:
    settings: Any = {"hnsw": {"ef_search": depth}}
    index._chroma()[1].modify(configuration=settings)
    index.reopen()  # Chroma reads the new value when it opens the index
    index.search(asked[0], 50)
    times, recall = [], []
    for one, wanted in zip(asked, right, strict=True):
        begun = time.perf_counter()
        found = {name for name, _ in index.search(one, 50)}
        times.append(time.perf_counter() - begun)
        recall.append(len(found & wanted) / len(wanted))
    milliseconds = statistics.median(times) * 1000
    print(
        f"ef_search {depth:4}: recall@50 {np.mean(recall):.4f}, {milliseconds:.1f} ms", flush=True
    )


def cached_vectors(path: Path, count: int) -> Vectors:
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as file:
        rows = file.execute("SELECT vector FROM vectors ORDER BY key LIMIT ?", (count,)).fetchall()
    return np.stack([np.frombuffer(row[0], "<f4") for row in rows])


def made(count: int, dimensions: int = 384) -> Vectors:
    chance = np.random.default_rng(0)
    centres = chance.normal(size=(2_000, dimensions))
    around = 0.7 * chance.normal(size=(count, dimensions))
    found = centres[chance.integers(0, len(centres), count)] + around
    return (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float32)


if __name__ == "__main__":
    main()
