"""A worker whose model dies of "chết", hangs on "treo" and answers "hỏng" with no number.

Run as a script; its first argument is a file for its process id.
"""

import os
import signal
import socket
import sys
import time
import zlib
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[3]))

from retrieval.embeddings.worker import Encode, serve

DIMENSIONS = 384


def encode(kind: str, texts: list[str]) -> bytes:
    vectors = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
    for row, text in zip(vectors, texts, strict=True):
        if "chết" in text:
            os.kill(os.getpid(), signal.SIGKILL)
        if "treo" in text:
            time.sleep(600)
        row[place(text)] = np.nan if "hỏng" in text else 1.0
    return vectors.tobytes()


def place(text: str) -> int:
    """Where the vector of a text is 1."""
    return zlib.crc32(text.encode()) % DIMENSIONS


def load() -> Encode:
    Path(sys.argv[1]).write_text(str(os.getpid()))
    return encode


if __name__ == "__main__":
    serve(socket.socket(fileno=0), load)
