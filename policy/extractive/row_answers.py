"""Rows of a database as the answer to a part of a question."""

from collections.abc import Sequence

from policy.language.wording import terms
from policy.protocol import Grade, PassageVerdict, PassageView
from state.types import Subgoal

MOST_LINES = 12
"""Rows that are quoted at most; of more, those that share most words with the question."""


def of_rows(subgoal: Subgoal, passages: Sequence[PassageView]) -> Grade:
    """The rows that the call chosen for a subgoal has read; what they say is the answer.

    What was asked was settled when the call was chosen and made.
    """
    question = subgoal.get("question", "")
    quotes = {one["id"]: quoted(one["text"], question) for one in passages}
    verdicts = [
        PassageVerdict(
            passage_id=one["id"], reason="the rows that were asked for", relevant="yes",
            supports=True, quote=quotes[one["id"]],
        )
        for one in passages
    ]  # fmt: skip
    answers = [one.get("answer") or quotes[one["id"]] for one in passages]
    answer = "; ".join(" ".join(one.split("\n")) for one in answers)
    return Grade(verdicts=verdicts, reason="rows were read", covered="yes", answer=answer)


def quoted(text: str, question: str) -> str:
    """The lines that are quoted: a run of neighbours, as a quote stands in one place."""
    lines = text.split("\n")
    if len(lines) <= MOST_LINES:
        return text
    asked = set(terms(question))
    shared = [len(asked & set(terms(line))) for line in lines]
    starts = range(len(lines) - MOST_LINES + 1)
    best = max(starts, key=lambda start: (sum(shared[start : start + MOST_LINES]), -start))
    return "\n".join(lines[best : best + MOST_LINES])
