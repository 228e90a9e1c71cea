"""Grading with a model by the probability that its first word is a plain yes."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from policy.endpoints import Endpoint
from policy.errors import OutOfAllowanceError
from policy.llm.chat import Chat, Request, UnsupportedError
from policy.llm.costs import Meter
from policy.llm.grading import Ask, first_look
from policy.llm.memory import Memory
from policy.llm.prompting import load, messages
from policy.llm.quoting import Ask as AskQuotes
from policy.llm.quoting import quoted
from policy.llm.views import verdict_sections
from policy.protocol import Grade, GradeView, PassageVerdict, PassageView
from state.anchors import contains_anchor, hard_anchors

LEAST_MASS = 0.5
"""Below this share of probability on yes and no together the first token is no verdict."""
SURE = 0.9
"""What a passage needs that names not all that the subgoal names, where the threshold is lower."""
CLOSING = "\n\nIs the question answered by the passage? yes or no?"


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


def grade_by_probability(
    view: GradeView, judged: list[Yes], threshold: float, ask: Ask, ask_quotes: AskQuotes
) -> Grade:
    """Verdicts by threshold; reasons and quotes in one call over the likeliest that passed.

    Where none passed, the two likeliest are shown to get the reason that a rewrite starts from.
    """
    ranked = sorted(judged, key=lambda one: -(one.probability or 0))
    passed = [one.passage for one in ranked if _passes(view, one, threshold)]
    if passed:
        grade = quoted(view, passed, ask_quotes)
    else:
        first = first_look(view, [one.passage for one in ranked[:2]], ask)
        grade = Grade(verdicts=[], reason=first.reason, covered="no")
    said = {verdict.passage_id: verdict for verdict in grade.verdicts}
    verdicts = [
        _by_probability(view, one, said.get(one.passage["id"]), threshold) for one in judged
    ]
    return grade.model_copy(update={"verdicts": verdicts})


def _passes(view: GradeView, one: Yes, threshold: float) -> bool:
    """A name, code or number of the subgoal may stand in other words in a passage that answers
    it, but a weak model also takes the same fact of another one."""
    if one.probability is None or one.probability < threshold:
        return False
    return one.probability >= SURE or not _unnamed(view, one.passage)


def _unnamed(view: GradeView, passage: PassageView) -> list[str]:
    """What the subgoal names and the passage, with its title and version, does not."""
    shown = "\n".join(passage[part] for part in ("title", "heading", "version", "text"))
    named = hard_anchors(view["subgoal"]["question"])
    return [name for name in named if not contains_anchor(shown, name)]


def _by_probability(
    view: GradeView, one: Yes, said: PassageVerdict | None, threshold: float
) -> PassageVerdict:
    if one.probability is None:
        reason = "no verdict in the first word of the reply"
        return PassageVerdict(passage_id=one.passage["id"], reason=reason, relevant="unknown")
    reason = f"probability of yes {one.probability:.2f}"
    if said is None:
        if one.probability >= threshold:
            reason += f", but it does not name {', '.join(_unnamed(view, one.passage))}"
        return PassageVerdict(passage_id=one.passage["id"], reason=reason, relevant="no")
    return said.model_copy(update={"reason": f"{said.reason} ({reason})"})
