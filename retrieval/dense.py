"""The vector index: one Chroma collection for each embedding model, with our own vectors.

Chroma is imported on first use (0.6 s), with its telemetry and that of onnxruntime off.
"""

import os
import re
import secrets
import sqlite3
import threading
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from retrieval.errors import KnowledgeBaseError
from retrieval.exact import ExactVectors, Loaded
from state.text import fold_accents, nfc

if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.models.Collection import Collection

Vectors = NDArray[np.float32]

_EXACT = "exact.sqlite"
SERVER = "GROUNDHOP_CHROMA_URL"
"""Environment variable with the address of a Chroma server, which then keeps the index."""

_NO_ROOM = ("disk is full", "no space left", "readonly", "read-only", "permission denied", "quota")
"""What Chroma and SQLite say of a disk that refuses: no damage, so no rebuilding."""

_CONFIGURATION: Any = {
    "hnsw": {"space": "cosine", "ef_construction": 200, "max_neighbors": 32, "ef_search": 400}
}
"""Measured (bench/dense_recall.py): recall@50 of 20,000 real vectors .999 against all of them
(.958 with an ef_search of 50, .990 with 100). The nearest of 2,400 almost equal passages (a form
filled in again and again) is first for 99 % of them, 85 % by default. After many deletions of such
passages some can be out of the index's reach; `groundhop ingest --rebuild` makes it anew, and
searches of 10,000 passages or fewer, and all that are filtered, do not use it."""


class DenseIndex:
    """Vectors of chunks by id; calls from several threads wait for each other.

    Opened for writing it makes what is missing; opened for reading it raises
    `KnowledgeBaseError` if there are no vectors, and opens Chroma when first needed.
    """

    def __init__(self, folder: Path, model: str, *, create: bool = False) -> None:
        self.folder = folder
        self._server = os.environ.get(SERVER)
        self._name = collection_name(model if not self._server else f"{folder.resolve()} {model}")
        self._lock = threading.Lock()
        self._exact = ExactVectors(folder / _EXACT)
        self._opened: tuple[Client, Collection] | None = None
        if create:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._opened = _open(folder, self._server, self._name, create=True)
        elif not (folder / (_EXACT if self._server else "chroma.sqlite3")).exists():
            raise _unusable(folder, "are missing")

    def upsert(self, ids: Sequence[str], vectors: Vectors) -> None:
        """Write the vectors (n, d) of `n` distinct ids over what they had."""
        with self._lock:
            client, collection = self._chroma()
            batch = client.get_max_batch_size()
            for first in range(0, len(ids), batch):
                some = slice(first, first + batch)
                self._exact.put(ids[some], vectors[some])
                collection.upsert(ids=list(ids[some]), embeddings=vectors[some])
        _make_private(self.folder)

    def delete(self, ids: Sequence[str]) -> None:
        """Take vectors out; unknown ids are ignored."""
        with self._lock:
            client, collection = self._chroma()
            batch = client.get_max_batch_size()
            for first in range(0, len(ids), batch):
                some = list(ids[first : first + batch])
                collection.delete(ids=some)
                self._exact.remove(some)

    def search(self, vector: Vectors, k: int) -> list[tuple[str, float]]:
        """About the `k` chunks nearest to a vector (d,), with cosines, whoever may read them."""
        with self._lock:
            found = self._chroma()[1].query(
                query_embeddings=vector.reshape(1, -1), n_results=k, include=["distances"]
            )
        distances = (found["distances"] or [[]])[0]
        return [
            (one, 1.0 - distance) for one, distance in zip(found["ids"][0], distances, strict=True)
        ]

    def exact(self) -> Loaded:
        """All vectors, for a search that misses none."""
        try:
            return self._exact.loaded()
        except FileNotFoundError:
            raise _unusable(self.folder, "are missing") from None
        except sqlite3.Error as error:
            raise _unusable(self.folder, f"cannot be read ({error})") from error

    def ids(self) -> set[str]:
        """The ids of all chunks whose vector is in Chroma and beside it."""
        with self._lock:
            return set(self._chroma()[1].get(include=[])["ids"]) & self._exact.stored()

    def open(self) -> None:
        """Open Chroma now rather than with the first search."""
        with self._lock:
            self._chroma()

    def reopen(self) -> None:
        """See what other processes have written: Chroma reads their changes only when opened."""
        with self._lock:
            self._release()

    def close(self) -> None:
        """Release the files."""
        with self._lock:
            self._release()
            self._exact.close()

    def _chroma(self) -> "tuple[Client, Collection]":
        if self._opened is None:
            self._opened = _open(self.folder, self._server, self._name, create=False)
        return self._opened

    def _release(self) -> None:
        if self._opened is not None:
            self._opened[0].close()
        self._opened = None


def _open(
    folder: Path, server: str | None, name: str, *, create: bool
) -> "tuple[Client, Collection]":
    client = _served(server) if server else _client(folder)
    try:
        if create:
            return client, client.get_or_create_collection(
                name, embedding_function=None, configuration=_CONFIGURATION
            )
        return client, client.get_collection(name, embedding_function=None)
    except Exception as error:
        client.close()
        raise _unusable(folder, f"cannot be opened ({error})") from error


def collection_name(model: str) -> str:
    """A name that Chroma accepts (letters, digits, "._-") and no other model has."""
    slug = re.sub(r"[^a-zA-Z0-9]+", "-", fold_accents(model)).strip("-")[:40]
    return f"m-{slug}-{sha256(nfc(model).encode()).hexdigest()[:12]}"


def _served(url: str) -> "Client":
    """The client of a Chroma server (`chroma run`) at http(s)://host:port."""
    _silence()
    import chromadb
    from chromadb.config import Settings

    parts = urlsplit(url)
    secure = parts.scheme == "https"
    try:
        return cast(
            "Client",
            chromadb.HttpClient(
                host=parts.hostname or "localhost",
                port=parts.port or (443 if secure else 8000),
                ssl=secure,
                settings=Settings(anonymized_telemetry=False),
            ),
        )
    except Exception as error:
        raise KnowledgeBaseError(
            f"The Chroma server {url} does not answer ({error}): start it with `chroma run`, or "
            f"unset {SERVER}."
        ) from error


def _silence() -> None:
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    os.environ["ANONYMIZED_TELEMETRY"] = "False"


def _client(folder: Path) -> "Client":
    _silence()
    import chromadb
    from chromadb.config import Settings

    path = f"{folder}{_spelling()}"
    try:
        settings = Settings(anonymized_telemetry=False)
        return cast("Client", chromadb.PersistentClient(path, settings=settings))
    except Exception as error:
        raise _unusable(folder, f"cannot be opened ({error})") from error


def _spelling() -> str:
    """A random way to end a path ("/", "/." and so on) that leaves it the same path.

    Chroma shares one state between all clients of a process whose paths are spelt alike, and
    a shared state cannot be closed and opened again to see what another process has written.
    """
    return "".join("/." if bit == "1" else "/" for bit in f"{secrets.randbits(40):b}")


def _make_private(folder: Path) -> None:
    for parent, _, files in os.walk(folder):
        os.chmod(parent, 0o700)
        for name in files:
            os.chmod(Path(parent, name), 0o600)


def _unusable(folder: Path, what: str) -> KnowledgeBaseError:
    advice = "run `groundhop ingest --rebuild PATH`"
    if any(words in what.lower() for words in _NO_ROOM):
        advice = "free some space, or give this user the right to write there, and try again"
    return KnowledgeBaseError(f"The vectors in {folder} {what}: {advice}.")
