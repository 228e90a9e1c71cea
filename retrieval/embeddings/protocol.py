"""What every embedder offers, whatever model is behind it."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from retrieval.errors import EmbeddingError

Vectors = NDArray[np.float32]
"""Shape (texts, dimensions); every row has length 1."""


class Embedder(Protocol):
    """Texts to vectors whose dot product is their similarity. Safe to call from any thread.

    Every text gets a vector, the empty one too; no text, however odd, harms the caller.
    """

    @property
    def name(self) -> str:
        """The model and its version; vectors of different names are never compared."""

    @property
    def dimensions(self) -> int:
        """Length of one vector; an endpoint is asked for it the first time."""

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions. Raises EmbeddingError (UnembeddableTextError for one bad text)."""

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts to be found. Raises like `queries`."""

    def close(self) -> None:
        """Ends worker processes and connections; may be called twice."""


class UnembeddableTextError(EmbeddingError):
    """One text of a batch has no vector; `text_index` is its place in the texts of the call."""

    def __init__(self, message: str, text_index: int) -> None:
        super().__init__(message)
        self.text_index = text_index


def normalised(vectors: Vectors) -> Vectors:
    """The rows divided by their length, as float32; raises ValueError on one without a length."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or (lengths == 0).any():
        raise ValueError("a vector is zero or not finite")
    return np.asarray(vectors / lengths, dtype=np.float32)
