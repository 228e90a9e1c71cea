"""Embeddings by a sentence-transformers model on this machine (extra `local`)."""

import importlib.util
import os
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from retrieval.embeddings.prefixes import prefixes_of
from retrieval.embeddings.protocol import Vectors, normalised
from retrieval.errors import EmbeddingError
from state.text import clean

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

_BATCH = 8
_MAX_CHARACTERS = 8_000


def open_local(model: str) -> "LocalEmbedder":
    """The embedder; raises EmbeddingError when sentence-transformers is not installed."""
    if importlib.util.find_spec("sentence_transformers") is None:
        raise EmbeddingError(
            f"The embedding model {model!r} needs sentence-transformers: run "
            f"`pip install 'groundhop[local]'`."
        )
    return LocalEmbedder(model)


class LocalEmbedder:
    """A model from a folder or from the hub's cache on this disk, loaded at its first use.

    The hub is asked only where the environment says HF_HUB_OFFLINE=0; the model is then
    fetched if it is not on the disk. A text is cut where the model's input ends.
    """

    def __init__(self, model: str) -> None:
        self.name = f"sentence-transformers:{model}"
        self._setting = model
        self._lock = threading.Lock()
        self._model: SentenceTransformer | None = None

    @property
    def dimensions(self) -> int:
        """Length of a vector; loads the model."""
        return self.passages([""]).shape[1]
