"""The vector index: one Chroma collection for each embedding model, with our own vectors.

Chroma is imported on first use (0.6 s), with its telemetry and that of onnxruntime off.
"""

import os
import re
import secrets
import shutil
import threading
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from retrieval.access import Access, Identity
from retrieval.errors import KnowledgeBaseError
from state.text import fold_accents, nfc

if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.models.Collection import Collection

Vectors = NDArray[np.float32]

_CONFIGURATION: Any = {
    "hnsw": {"space": "cosine", "ef_construction": 200, "max_neighbors": 32, "ef_search": 400}
}
"""Measured against exact search: recall@50 of 10,000 vectors .999; the nearest of 2,400 almost
equal passages (a form filled in again and again) is first for 99 % of them, 85 % by default."""


class DenseIndex:
    """Vectors of chunks by id; calls from several threads wait for each other."""

    def __init__(self, folder: Path, model: str, *, create: bool = False) -> None:
        self.folder = folder
        self._name = collection_name(model)
        self._lock = threading.Lock()
        self._client, self._collection = self._open(create)

    def upsert(self, ids: Sequence[str], vectors: Vectors, access: Sequence[Access]) -> None:
        """Write the vectors (n, d) of `n` distinct ids over what they had."""
        batch = self._client.get_max_batch_size()
        with self._lock:
            for first in range(0, len(ids), batch):
                some = slice(first, first + batch)
                self._collection.upsert(
                    ids=list(ids[some]),
                    embeddings=vectors[some],
                    metadatas=[_readers(one) for one in access[some]],
                )
        _make_private(self.folder)

    def delete(self, ids: Sequence[str]) -> None:
        """Take vectors out; unknown ids are ignored."""
        batch = self._client.get_max_batch_size()
        with self._lock:
            for first in range(0, len(ids), batch):
                self._collection.delete(ids=list(ids[first : first + batch]))

    def search(self, vector: Vectors, identity: Identity | None, k: int) -> list[tuple[str, float]]:
        """The `k` chunks nearest to a vector (d,) that the identity may read, with cosines.

        Without an identity nothing is filtered: right only where no document has a list
        (10,000 vectors: 2 ms instead of 20).
        """
        with self._lock:
            found = self._collection.query(
                query_embeddings=vector.reshape(1, -1),
                n_results=k,
                where=None if identity is None else _readable(identity),
                include=["distances"],
            )
        distances = (found["distances"] or [[]])[0]
        return [
            (one, 1.0 - distance) for one, distance in zip(found["ids"][0], distances, strict=True)
        ]

    def ids(self) -> set[str]:
        """The ids of all chunks that have a vector."""
        with self._lock:
            return set(self._collection.get(include=[])["ids"])

    def reopen(self) -> None:
        """See what other processes have written: Chroma reads their changes only when opened."""
        with self._lock:
            self._client.close()
            self._client, self._collection = self._open(create=False)

    def close(self) -> None:
        """Release the files."""
        with self._lock:
            self._client.close()

    def _open(self, create: bool) -> "tuple[Client, Collection]":
        if create:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        elif not (self.folder / "chroma.sqlite3").exists():
            raise _unusable(self.folder, "are missing")
        client = _client(self.folder)
        try:
            if create:
                return client, client.get_or_create_collection(
                    self._name, embedding_function=None, configuration=_CONFIGURATION
                )
            return client, client.get_collection(self._name, embedding_function=None)
        except Exception as error:
            client.close()
            raise _unusable(self.folder, f"cannot be opened ({error})") from error


def collection_name(model: str) -> str:
    """A name that Chroma accepts (letters, digits, "._-") and no other model has."""
    slug = re.sub(r"[^a-zA-Z0-9]+", "-", fold_accents(model)).strip("-")[:40]
    return f"m-{slug}-{sha256(nfc(model).encode()).hexdigest()[:12]}"


def delete_vectors(folder: Path) -> None:
    """Delete the vectors of every model."""
    shutil.rmtree(folder, ignore_errors=True)


def _client(folder: Path) -> "Client":
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    os.environ["ANONYMIZED_TELEMETRY"] = "False"
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


def _readers(access: Access) -> dict[str, Any]:
    """Both keys, always: an upsert keeps the old value of a key that it is not given.

    Chroma refuses None and empty lists, so "everybody" is a flag and "nobody" the empty name,
    which no identity has.
    """
    return {"open": access is None, "readers": [*(access or ()), ""]}


def _readable(identity: Identity) -> dict[str, Any]:
    names = sorted(identity.names())
    if not names:
        return {"open": True}
    return {"$or": [{"open": True}, *({"readers": {"$contains": name}} for name in names)]}


def _make_private(folder: Path) -> None:
    for parent, _, files in os.walk(folder):
        os.chmod(parent, 0o700)
        for name in files:
            os.chmod(Path(parent, name), 0o600)


def _unusable(folder: Path, what: str) -> KnowledgeBaseError:
    return KnowledgeBaseError(
        f"The vectors in {folder} {what}: run `groundhop ingest --rebuild PATH`."
    )
