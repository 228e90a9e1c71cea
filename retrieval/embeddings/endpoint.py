"""Embeddings from any endpoint that speaks OpenAI's protocol."""

import os
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

import numpy as np

from retrieval.embeddings.prefixes import prefixes_of
from retrieval.embeddings.protocol import Vectors, normalised
from retrieval.errors import EmbeddingError
from state.text import clean

if TYPE_CHECKING:
    from langchain_openai import OpenAIEmbeddings

_OPENAI = "https://api.openai.com/v1"
_NO_KEY = "none"
_TIMEOUT_SECONDS = 60.0
_RETRIES = 2
# The smallest limit among common servers (text-embeddings-inference takes 32 by default).
_BATCH = 32
_MAX_CHARACTERS = 8_000
_MAX_REASON = 300


class EndpointEmbedder:
    """Asks `base_url` (OpenAI's own where it is None) for vectors of `model`."""

    def __init__(self, model: str, *, api_key: str | None, base_url: str | None) -> None:
        self.name = f"openai:{model}"
        self._model = model
        self._url = base_url or _OPENAI
        # OpenAI's own key is never sent to another endpoint.
        self._key = api_key or ("" if base_url else os.environ.get("OPENAI_API_KEY", ""))
        self._prefixes = prefixes_of(model)
        self._lock = threading.Lock()
        self._client: OpenAIEmbeddings | None = None
        self._dimensions = 0
        if not self._key and not base_url:
            raise EmbeddingError(
                f"The embedding model {model!r} needs a key: set OPENAI_API_KEY, or the base URL "
                f"of an endpoint that needs none."
            )

    @property
    def dimensions(self) -> int:
        """Length of a vector; asks the endpoint if it has not answered yet."""
        return self._dimensions or self.passages(["dimensions"]).shape[1]

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions, shape (texts, dimensions)."""
        return self._embed(self._prefixes.query, texts)

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages, shape (texts, dimensions)."""
        return self._embed(self._prefixes.passage, texts)

    def close(self) -> None:
        """Nothing to end: connections close with the client."""

    def _embed(self, prefix: str, texts: Sequence[str]) -> Vectors:
        if not texts:
            return np.empty((0, self.dimensions), dtype=np.float32)
        # An empty input is refused by OpenAI, a blank one is not.
        inputs = [prefix + clean(text)[:_MAX_CHARACTERS] or " " for text in texts]
        try:
            rows = self._connected().embed_documents(inputs)
            if len(rows) != len(texts):
                raise ValueError(f"{len(rows)} vectors for {len(texts)} texts")
            vectors = normalised(np.asarray(rows, dtype=np.float32))
        except Exception as error:
            # Not chained: what a client raises may hold the request with its key.
            raise EmbeddingError(self._explain(error)) from None
        self._dimensions = vectors.shape[1]
        return vectors

    def _connected(self) -> "OpenAIEmbeddings":
        from langchain_openai import OpenAIEmbeddings
        from pydantic import SecretStr

        with self._lock:
            if self._client is None:
                self._client = OpenAIEmbeddings(
                    model=self._model,
                    base_url=self._url,
                    # Without one the client would take OPENAI_API_KEY.
                    api_key=SecretStr(self._key or _NO_KEY),
                    timeout=_TIMEOUT_SECONDS,
                    max_retries=_RETRIES,
                    chunk_size=_BATCH,
                    # True would fetch a vocabulary from the network.
                    check_embedding_ctx_length=False,
                    model_kwargs={"encoding_format": "float"},
                )
            return self._client

    def _explain(self, error: Exception) -> str:
        status = getattr(error, "status_code", None)
        if status in (401, 403):
            reason = f"it refuses the key ({status})"
        else:
            text = " ".join(f"{type(error).__name__}: {error}".split())
            reason = (text.replace(self._key, "***") if self._key else text)[:_MAX_REASON]
        return (
            f"The embeddings endpoint {_without_credentials(self._url)} gives no vectors of "
            f"{self._model!r}: {reason}."
        )


def _without_credentials(url: str) -> str:
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
