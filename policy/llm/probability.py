"""Grading with a model by the probability that its first word is a plain yes."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from policy.endpoints import Endpoint
from policy.errors import OutOfAllowanceError
from policy.llm.chat import Chat, Request, UnsupportedError
from policy.llm.costs import Meter
from policy.llm.grading import Ask, first_look, grade_by_reasons
from policy.llm.memory import Memory
from policy.llm.prompting import load, messages
from policy.llm.views import verdict_sections
from policy.protocol import Grade, GradeView, PassageVerdict, PassageView

LEAST_MASS = 0.5
"""Below this share of probability on yes and no together the first token is no verdict."""
CLOSING = "\n\nThe data ends here. Do your task now."
"""Without it a model of 1.5B said yes to 6 of 12 look-alikes at a threshold of .5, with it to 1;
to passages that answer, to 5 and 3 of 8 (`bench.grader --only logprobs --every 2`)."""


@dataclass(frozen=True)
class Yes:
    """The probability that the first word of the reply is yes rather than no; None: no verdict."""

    passage: PassageView
    probability: float | None


def probabilities(
    view: GradeView, chat: Chat, memory: Memory, endpoint: Endpoint, meter: Meter
) -> list[Yes] | None:
    """The probability of yes for every passage; None where the endpoint does not offer it."""
    found: list[Yes] = []
    for passage in view["passages"]:
        sections = verdict_sections(view, passage)
        said = messages(load("verdict"), sections, view["original_question"], CLOSING)
        body = {"logprobs": True, "top_logprobs": 10}
        if memory.of(endpoint).temperature:
            body["temperature"] = 0
        try:
            request = Request(said, 1, body, one_token=True)
            top = chat.complete(endpoint, request, meter).top
        except UnsupportedError:
            top = []
        except OutOfAllowanceError:
            found.append(Yes(passage, None))
            continue
        probability = probability_of_yes(top)
        if not found and probability is None:
            memory.logprobs(endpoint, False)
            return None
        found.append(Yes(passage, probability))
    memory.logprobs(endpoint, True)
    return found


def probability_of_yes(top: Sequence[tuple[str, float]]) -> float | None:
    """exp-summed over the tokens that spell yes, as a share of those that spell yes or no."""
    mass = {"yes": 0.0, "no": 0.0}
    for token, logprob in top:
        word = token.strip().strip(".\"'*").casefold()
        if word in mass:
            mass[word] += math.exp(logprob)
    total = mass["yes"] + mass["no"]
    return mass["yes"] / total if total >= LEAST_MASS else None


def grade_by_probability(view: GradeView, judged: list[Yes], threshold: float, ask: Ask) -> Grade:
    """Verdicts by threshold; reasons and quotes in one call over the passages that passed.

    Where none passed, the two likeliest are shown to get the reason that a rewrite starts from.
    """
    passed = [one.passage for one in judged if (one.probability or 0) >= threshold]
    ranked = sorted(judged, key=lambda one: -(one.probability or 0))
    if passed:
        explained = grade_by_reasons(view, passed, ask)
    else:
        explained = first_look(view, [one.passage for one in ranked[:2]], ask)
    said = {verdict.passage_id: verdict for verdict in explained.verdicts}
    ids = {passage["id"] for passage in passed}
    verdicts = [_by_probability(one, said.get(one.passage["id"]), ids) for one in judged]
    if passed:
        return explained.model_copy(update={"verdicts": verdicts})
    return Grade(verdicts=verdicts, reason=explained.reason, covered="no")


def _by_probability(one: Yes, said: PassageVerdict | None, passed: set[str]) -> PassageVerdict:
    if one.probability is None:
        reason = "no verdict in the first word of the reply"
        return PassageVerdict(passage_id=one.passage["id"], reason=reason, relevant="unknown")
    reason = f"probability of yes {one.probability:.2f}"
    if said is None or one.passage["id"] not in passed:
        return PassageVerdict(passage_id=one.passage["id"], reason=reason, relevant="no")
    return said.model_copy(update={"reason": f"{said.reason} ({reason})"})
