"""Vectors kept on disk, so that a text is embedded once per model and kind."""

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from retrieval.embeddings.protocol import Embedder, UnembeddableTextError, Vectors
from retrieval.embeddings.vector_file import VectorFile
from retrieval.errors import EmbeddingError

# What a killed ingest loses at most: a few seconds of embedding.
_TEXTS_PER_WRITE = 64


def cached(embedder: Embedder, path: Path) -> "CachedEmbedder":
    """The embedder with its vectors kept in the file at `path`, which is made if need be."""
    return CachedEmbedder(embedder, path)


class CachedEmbedder:
    """Looks vectors up by sha256 of model name, kind and text before it asks the embedder."""

    def __init__(self, embedder: Embedder, path: Path) -> None:
        self._embedder = embedder
        self._path = path
        self._file = VectorFile(path)

    @property
    def name(self) -> str:
        """The name of the embedder behind."""
        return self._embedder.name

    @property
    def dimensions(self) -> int:
        """The dimensions of the embedder behind."""
        return self._embedder.dimensions

    @property
    def window(self) -> int:
        """How many tokens of a text the embedder behind reads; 512 where it does not say."""
        return int(getattr(self._embedder, "window", 512))

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions, shape (texts, dimensions)."""
        return self._vectors("query", texts, self._embedder.queries)

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages, shape (texts, dimensions)."""
        return self._vectors("passage", texts, self._embedder.passages)

    def close(self) -> None:
        """Closes the file and the embedder behind."""
        self.close_file()
        self._embedder.close()

    def close_file(self) -> None:
        """Closes the file; the embedder behind stays open."""
        self._file.close()

    def _vectors(
        self, kind: str, texts: Sequence[str], embed: Callable[[Sequence[str]], Vectors]
    ) -> Vectors:
        keys = [_key(self.name, kind, text) for text in texts]
        found = self._file.read(keys)
        missing = _first_places(keys, found)
        for start in range(0, len(missing), _TEXTS_PER_WRITE):
            places = missing[start : start + _TEXTS_PER_WRITE]
            try:
                fresh = embed([texts[place] for place in places])
            except UnembeddableTextError as error:
                raise UnembeddableTextError(str(error), places[error.text_index]) from error
            rows = {keys[place]: row for place, row in zip(places, fresh, strict=True)}
            self._file.write(rows)
            found |= rows
        return self._stacked([found[key] for key in keys])

    def _stacked(self, rows: list[Vectors]) -> Vectors:
        if not rows:
            return np.empty((0, self.dimensions), dtype=np.float32)
        if len({len(row) for row in rows}) > 1:
            raise EmbeddingError(
                f"{self._path} keeps vectors of another size for {self.name!r}, so the model of "
                f"that name has changed: delete the file and run `groundhop ingest --rebuild`."
            )
        return np.stack(rows)


def _key(name: str, kind: str, text: str) -> bytes:
    return hashlib.sha256(f"{name}\0{kind}\0{text}".encode("utf-8", "surrogatepass")).digest()


def _first_places(keys: list[bytes], found: dict[bytes, Vectors]) -> list[int]:
    """Where each key that was not found occurs first, in order."""
    places: dict[bytes, int] = {}
    for place, key in enumerate(keys):
        if key not in found:
            places.setdefault(key, place)
    return list(places.values())
