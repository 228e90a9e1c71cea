"""The parent's side of the embedding worker: start it, ask it, notice its death."""

import os
import socket
import subprocess
import time
import weakref
from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.embeddings.worker import write_frame

_STOP_SECONDS = 1.0
_KEPT_VARIABLES = ("PATH", "HOME", "TMPDIR", "LANG", "LC_", "LD_", "DYLD_", "PYTHON")


class WorkerDiedError(Exception):
    """The worker ended, or did not answer in time and was killed."""


@dataclass(eq=False)
class Worker:
    """A running worker process and the socket to it; `owner` is the process that started it."""

    process: subprocess.Popen[bytes]
    channel: socket.socket
    owner: int
    ready: bool = False


def start_worker(command: Sequence[str]) -> Worker:
    """Starts a worker of one thread and does not wait for it.

    Its own session keeps a Ctrl-C in the terminal from it. It sees no variable that it does not
    need: keys are not for C code that reads documents.
    """
    environment = {k: v for k, v in os.environ.items() if k.startswith(_KEPT_VARIABLES)}
    environment |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    ours, theirs = socket.socketpair()
    with theirs:
        process = subprocess.Popen(
            command,
            stdin=theirs.fileno(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,
        )
    worker = Worker(process, ours, os.getpid())
    weakref.finalize(worker, _end, process, ours, worker.owner)
    return worker


def ask(worker: Worker, body: bytes | None, seconds: float) -> bytes:
    """The next reply, after sending `body` if there is one. Raises WorkerDiedError."""
    deadline = time.monotonic() + seconds
    try:
        if body is not None:
            worker.channel.settimeout(seconds)
            write_frame(worker.channel, body)
        size = int.from_bytes(_receive(worker.channel, 4, deadline), "big")
        return _receive(worker.channel, size, deadline)
    except TimeoutError:
        stop_worker(worker)
        raise WorkerDiedError(f"it gave no answer within {seconds:.0f} seconds") from None
    except (OSError, EOFError):
        stop_worker(worker)
        raise WorkerDiedError(f"it ended with code {worker.process.returncode}") from None


def _receive(channel: socket.socket, size: int, deadline: float) -> bytes:
    parts = bytearray()
    while len(parts) < size:
        channel.settimeout(max(deadline - time.monotonic(), 0.001))
        part = channel.recv(size - len(parts))
        if not part:
            raise EOFError
        parts += part
    return bytes(parts)


def stop_worker(worker: Worker) -> None:
    """Ends the worker, at the latest by SIGKILL; a forked copy of us only lets go of it."""
    _end(worker.process, worker.channel, worker.owner)


def _end(process: subprocess.Popen[bytes], channel: socket.socket, owner: int) -> None:
    channel.close()
    if os.getpid() != owner:
        return
    try:
        process.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
