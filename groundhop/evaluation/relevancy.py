"""Whether an answer is about the question at all, whatever it says."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from groundhop.evaluation.outcomes import REFUSED
from groundhop.evaluation.schema import Json
from retrieval.errors import EmbeddingError

if TYPE_CHECKING:
    from retrieval.embeddings.protocol import Embedder

_MARK = re.compile(r"\s*\[\d+\]")
_SHORTEST = 4
"""Words of a line that is compared: a bare name has no likeness to a question."""


def relevancy(answers: Sequence[tuple[str, Json]], embedder: "Embedder") -> list[float | None]:
    """For each question and answer the best cosine of the question and a part of the answer.

    The parts are the passages that the answer quotes, which the cache mostly has; of an answer
    that quotes nothing, its lines. None for an answer without such parts. All are embedded at
    once, when nothing else runs, because each alone would wait for the model.

    After "answer relevancy" of RAGAS (Es et al. 2023), without its generated questions: theirs
    needs a model. The embedding model's cosines lie close together (unrelated pairs about .75):
    compare systems by it, do not read it as a share.
    """
    parts = [_parts(answer) for _, answer in answers]
    asked = list(dict.fromkeys(q for (q, _), some in zip(answers, parts, strict=True) if some))
    said = list(dict.fromkeys(part for some in parts for part in some))
    if not said:
        return [None] * len(answers)
    try:
        questions = dict(zip(asked, embedder.queries(asked), strict=True))
        passages = dict(zip(said, embedder.passages(said), strict=True))
    except EmbeddingError:
        return [None] * len(answers)
    return [
        round(max(float(passages[part] @ questions[question]) for part in some), 4)
        if some
        else None
        for (question, _), some in zip(answers, parts, strict=True)
    ]


def _parts(record: Mapping[str, Json]) -> list[str]:
    if record["status"] in REFUSED:
        return []
    answer = record["answer"]
    quotes = [item["quote"] for item in answer.get("citations", [])]
    lines = [_MARK.sub("", line).strip(" “”") for line in answer.get("text", "").split("\n")]
    return [line for line in quotes or lines if len(line.split()) >= _SHORTEST]
