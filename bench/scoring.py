"""Scoring as `groundhop.evaluation` does it, for rows of the samples as they stand in the file."""

from typing import Any

from groundhop.evaluation import outcomes, samples
from groundhop.evaluation.outcomes import OUTCOMES, Outcome
from groundhop.evaluation.wording import holds

__all__ = ["OUTCOMES", "Outcome", "holds", "outcome"]


def outcome(row: dict[str, Any], status: str, answer: dict[str, Any]) -> Outcome:
    """How a run did on a row of `questions.jsonl`."""
    return outcomes.outcome(samples.question(row), status, answer)
