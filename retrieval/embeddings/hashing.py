"""An embedder without a model: the same words make the same vector, for tests and trials."""

import hashlib
import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np

from retrieval.embeddings.protocol import Vectors, normalised
from state.text import comparable

_PAIR_WEIGHT = 0.5
_EMPTY = "\x00"


class HashingEmbedder:
    """Signed feature hashing of words and their adjacent pairs; accents make another word.

    Formula: Weinberger et al., "Feature Hashing for Large Scale Multitask Learning" (2009).
    """

    def __init__(self, dimensions: int) -> None:
        self.name = f"hashing-{dimensions}"
        self.dimensions = dimensions

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions; the same as of passages."""
        return self.passages(texts)

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts, shape (texts, dimensions), rows of length 1."""
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in zip(vectors, texts, strict=True):
            words = re.findall(r"\w+", comparable(text))
            _add(row, words, 1.0)
            _add(row, (f"{left} {right}" for left, right in pairwise(words)), _PAIR_WEIGHT)
            if not row.any():
                _add(row, [_EMPTY], 1.0)
        return normalised(vectors)

    def close(self) -> None:
        """Nothing to end."""


def _add(row: Vectors, features: Iterable[str], weight: float) -> None:
    for feature in features:
        number = int.from_bytes(hashlib.blake2b(feature.encode(), digest_size=8).digest(), "big")
        row[(number >> 1) % len(row)] += weight if number & 1 else -weight
