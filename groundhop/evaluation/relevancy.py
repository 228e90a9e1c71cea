"""Whether an answer is about the question at all, whatever it says."""

import re
from typing import TYPE_CHECKING

from groundhop.evaluation.measures import Values
from groundhop.evaluation.outcomes import REFUSED
from groundhop.evaluation.recording import Record
from retrieval.errors import EmbeddingError

if TYPE_CHECKING:
    from retrieval.embeddings.protocol import Embedder

_MARK = re.compile(r"\s*\[\d+\]")
_SHORTEST = 4
"""Words of a line that is compared: a bare name has no likeness to a question."""


def relevancy(question: str, record: Record, embedder: "Embedder") -> Values:
    """The best cosine of the question and a part of the answer, as `{"relevancy": …}`.

    The parts are the passages that the answer quotes, which the cache mostly has; of an answer
    that quotes nothing, its lines.

    After "answer relevancy" of RAGAS (Es et al. 2023), without its generated questions: theirs
    needs a model. The embedding model's cosines lie close together (unrelated pairs about .75):
    compare systems by it, do not read it as a share.
    """
    if record.status in REFUSED:
        return {}
    quotes = [item["quote"] for item in record.answer.get("citations", [])]
    lines = [_MARK.sub("", line).strip(" “”") for line in record.answer.get("text", "").split("\n")]
    compared = [line for line in quotes or lines if len(line.split()) >= _SHORTEST]
    if not compared:
        return {}
    try:
        cosines = embedder.passages(compared) @ embedder.queries([question])[0]
    except EmbeddingError:
        return {}
    return {"relevancy": round(float(cosines.max()), 4)}
