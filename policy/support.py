"""What a policy without a model judges by: how well sentences support a question."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class SentenceSupport:
    """One sentence of a passage against a question.

    `start` and `end` are offsets into the passage's text. `cosine` is that of the embeddings
    of question and sentence, -1 to 1, `in_context` that of question and the sentence under its
    headings. `coverage` is the idf-weighted share, 0 to 1, of the question's terms that the
    sentence holds; `context_coverage` counts the passage's title and headings as well, and
    `passage_coverage` the whole passage.
    """

    text: str
    start: int
    end: int
    cosine: float
    in_context: float
    coverage: float
    context_coverage: float
    passage_coverage: float


class SupportScorer(Protocol):
    """Scores every sentence of every passage against a question."""

    def __call__(
        self, question: str, passages: Sequence[tuple[str, str]]
    ) -> list[list[SentenceSupport]]:
        """`passages` are pairs of context (title and heading path) and text."""
        ...
