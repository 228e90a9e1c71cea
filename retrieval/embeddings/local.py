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

    @property
    def window(self) -> int:
        """How many tokens of a text it reads; loads the model."""
        with self._lock:
            model = self._model = self._model or self._load()
            return int(model.max_seq_length or 512)

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions, shape (texts, dimensions)."""
        return self._embed("query", texts)

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages, shape (texts, dimensions)."""
        return self._embed("passage", texts)

    def close(self) -> None:
        """Lets go of the model."""
        with self._lock:
            self._model = None

    def _embed(self, kind: str, texts: Sequence[str]) -> Vectors:
        if not texts:
            return np.empty((0, self.dimensions), dtype=np.float32)
        inputs = [clean(text)[:_MAX_CHARACTERS] for text in texts]
        # One at a time: the model's tokenizer must not be used by two threads.
        with self._lock:
            model = self._model = self._model or self._load()
            encode = model.encode_query if kind == "query" else model.encode_document
            prefix = _prefix(model, self._setting, kind)
            try:
                vectors = encode(
                    [prefix + text for text in inputs],
                    batch_size=_BATCH,
                    show_progress_bar=False,
                    convert_to_numpy=True,
                )
                return normalised(_with_direction(np.array(vectors, dtype=np.float32)))
            except (RuntimeError, ValueError) as error:
                raise EmbeddingError(f"{self.name!r} cannot embed: {error}.") from error

    def _load(self) -> "SentenceTransformer":
        fetch = os.environ.get("HF_HUB_OFFLINE", "1").lower() in ("0", "false", "no", "off")
        if not fetch:
            os.environ["HF_HUB_OFFLINE"] = "1"
        os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
        try:
            from sentence_transformers import SentenceTransformer

            return SentenceTransformer(self._setting, local_files_only=not fetch)
        # A damaged model or a broken torch raises whatever the libraries stumble over.
        except Exception as error:
            raise EmbeddingError(
                f"The model {self._setting!r} cannot be loaded from this disk: give the folder "
                f"that it is in, or set HF_HUB_OFFLINE=0 once to fetch it ({_first_line(error)})."
            ) from error


def _prefix(model: "SentenceTransformer", setting: str, kind: str) -> str:
    """The E5 prefix, where the model's own configuration does not bring one."""
    if any(model.prompts.values()):
        return ""
    prefixes = prefixes_of(setting)
    return prefixes.query if kind == "query" else prefixes.passage


def _with_direction(vectors: Vectors) -> Vectors:
    """A text without a known word is zero in models that average words: it gets the first axis."""
    vectors[~vectors.any(axis=1), 0] = 1.0
    return vectors


def _first_line(error: Exception) -> str:
    return str(error).strip().split("\n", 1)[0]
