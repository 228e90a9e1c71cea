"""Reranking by a cross-encoder of sentence-transformers on this machine (extra `local`)."""

import importlib.util
import os
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from retrieval.errors import EmbeddingError
from retrieval.records import Chunk, search_text
from retrieval.rerank import Asked
from state.text import clean

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

_BATCH = 16
_SPECIAL_TOKENS = 4
_OVERLAP = 4
"""A window begins a quarter of its length before the last one ended."""


class CrossEncoderReranker:
    """A model that reads query and passage together; the score is its probability, 0 to 1.

    A passage that does not fit the model's input beside the query is read in overlapping
    windows and has the score of its best one. The model is loaded at its first use, from a
    folder or from the hub's cache on this disk; the hub is asked only where the environment
    says HF_HUB_OFFLINE=0. `device` is torch's ("cpu", "cuda", "mps"), None its own choice.
    """

    def __init__(self, model: str, device: str | None = None) -> None:
        if importlib.util.find_spec("sentence_transformers") is None:
            raise EmbeddingError(
                f"The cross-encoder {model!r} needs sentence-transformers: run "
                f"`pip install 'groundhop[local]'`."
            )
        self.name = f"cross-encoder {model}"
        self._setting, self._device = model, device
        self._lock = threading.Lock()
        self._model: CrossEncoder | None = None

    def rerank(self, asked: Asked, passages: Sequence[Chunk]) -> dict[str, float]:
        """The probability that each passage answers the query; raises `EmbeddingError`."""
        if not passages:
            return {}
        # One at a time: the model's tokenizer must not be used by two threads.
        with self._lock:
            model = self._model = self._model or self._load()
            query = clean(asked.query)
            windows = [
                (chunk.id, part)
                for chunk in passages
                for part in self._windows(query, search_text(chunk))
            ]
            try:
                from torch.nn import Sigmoid  # type: ignore[import-not-found,unused-ignore]

                scores = model.predict(
                    [(query, part) for _, part in windows],
                    batch_size=_BATCH,
                    activation_fn=Sigmoid(),
                    show_progress_bar=False,
                    convert_to_numpy=True,
                )
            except (RuntimeError, ValueError) as error:
                raise EmbeddingError(f"The {self.name!r} cannot score: {error}.") from error
        best: dict[str, float] = {}
        for (one, _), score in zip(windows, scores.tolist(), strict=True):
            best[one] = max(best.get(one, 0.0), float(score))
        return best

    def _windows(self, query: str, text: str) -> list[str]:
        """The text in pieces that the model reads whole beside the query."""
        assert self._model is not None
        tokenizer, text = self._model.tokenizer, clean(text)
        longest = int(self._model.max_seq_length or tokenizer.model_max_length)
        taken = len(tokenizer(query, add_special_tokens=False)["input_ids"]) + _SPECIAL_TOKENS
        room = max(longest - taken, longest // 2)
        encoded = tokenizer(
            text, add_special_tokens=False, return_offsets_mapping=True, truncation=False
        )
        spans = encoded["offset_mapping"]
        if len(spans) <= room:
            return [text]
        step = max(1, room - room // _OVERLAP)
        starts = range(0, max(1, len(spans) - room + step), step)
        return [
            text[spans[first][0] : spans[min(first + room, len(spans)) - 1][1]] for first in starts
        ]

    def _load(self) -> "CrossEncoder":
        fetch = os.environ.get("HF_HUB_OFFLINE", "1").lower() in ("0", "false", "no", "off")
        if not fetch:
            os.environ["HF_HUB_OFFLINE"] = "1"
        os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
        try:
            from sentence_transformers import CrossEncoder

            model = CrossEncoder(self._setting, device=self._device, local_files_only=not fetch)
        # A damaged model or a broken torch raises whatever the libraries stumble over.
        except Exception as error:
            first_line = str(error).strip().split("\n", 1)[0]
            raise EmbeddingError(
                f"The cross-encoder {self._setting!r} cannot be loaded from this disk: give the "
                f"folder that it is in, or set HF_HUB_OFFLINE=0 once to fetch it ({first_line})."
            ) from error
        if model.num_labels != 1:
            raise EmbeddingError(
                f"The cross-encoder {self._setting!r} has {model.num_labels} outputs: choose one "
                f"with a single relevance score."
            )
        return model
