"""Grading with a model: reason-first replies in batches, or the probability of a plain yes."""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from policy.chat import Chat, Message, Request, UnsupportedError
from policy.costs import Meter
from policy.endpoints import Endpoint
from policy.errors import OutOfAllowanceError
from policy.memory import Memory
from policy.prompting import load, messages
from policy.protocol import Grade, GradeView, PassageVerdict, PassageView, Verdict
from policy.quotes import verbatim
from policy.schemas import GradeReply, PassageReply
from policy.structured import Unreadable
from policy.views import (
    Labelled,
    batches,
    grade_sections,
    is_cut,
    passage_lines,
    verdict_sections,
)

BATCH_TOKENS = 2_400
BATCH_PASSAGES = 8
REPLY_TOKENS = 110
"""For each passage of a batch, and once more for the subgoal."""
WHOLE_PASSAGES = 3
"""Passages of a second look, at most."""
LEAST_MASS = 0.5
"""Below this share of probability on yes and no together the first token is no verdict."""
Ask = Callable[[list[Message], int, int], GradeReply | Unreadable]
"""From messages, tokens of the reply and number of passages to the reply."""


def grade_by_reasons(view: GradeView, passages: Sequence[PassageView], ask: Ask) -> Grade:
    """One verdict a passage, with its reason and quote, and the subgoal as a whole.

    Where a first look at the sentences nearest to the subgoal does not cover it, the best of
    the passages that were cut and turned down are looked at whole.
    """
    first = _look(view, _labelled(passages), ask)
    judged = {one.passage_id: one.relevant for one in first.verdicts}
    cut = [
        (label, passage)
        for label, passage in _labelled(passages)
        if judged.get(passage["id"]) == "no" and is_cut(view, passage)
    ]
    if first.covered == "yes" or not cut:
        return first
    return _merged(first, _look(view, cut[:WHOLE_PASSAGES], ask, whole=True))


def _labelled(passages: Sequence[PassageView]) -> Labelled:
    return [(f"P{number}", passage) for number, passage in enumerate(passages, 1)]


def _look(view: GradeView, passages: Labelled, ask: Ask, *, whole: bool = False) -> Grade:
    """Verdicts on all of the passages, in as many calls as their sizes ask for."""
    lines = passage_lines(view, passages, whole=whole)
    parts = [
        _batch(view, [passages[one] for one in group], [lines[one] for one in group], ask)
        for group in batches(lines, BATCH_TOKENS, BATCH_PASSAGES)
    ]
    covered = next((part for part in parts if part.covered == "yes"), None)
    last = covered or parts[-1]
    return Grade(
        verdicts=[verdict for part in parts for verdict in part.verdicts],
        reason=last.reason if covered else _joined([part.reason for part in parts]),
        covered=last.covered,
        answer=last.answer,
    )


def _merged(first: Grade, second: Grade) -> Grade:
    """The second look where it came to a verdict; its word on the subgoal unless it has none."""
    again = {one.passage_id: one for one in second.verdicts if one.relevant != "unknown"}
    verdicts = [again.get(one.passage_id, one) for one in first.verdicts]
    return (second if again else first).model_copy(update={"verdicts": verdicts})


def _batch(view: GradeView, batch: Labelled, lines: Sequence[str], ask: Ask) -> Grade:
    sections = grade_sections(view, lines)
    try:
        said = messages(load("grade"), sections, view["original_question"])
        reply = ask(said, REPLY_TOKENS * (len(batch) + 1), len(batch))
    except OutOfAllowanceError as error:
        return unknown(batch, str(error))
    if isinstance(reply, Unreadable):
        return unknown(batch, reply.reason)
    return grade_of(reply, batch, [fact["id"] for fact in view["facts"]])


def unknown(batch: Labelled, reason: str) -> Grade:
    """No verdict on any passage, for one and the same reason."""
    verdicts = [
        PassageVerdict(passage_id=passage["id"], reason=reason, relevant="unknown")
        for _, passage in batch
    ]
    return Grade(verdicts=verdicts, reason=reason, covered="unknown")


def grade_of(reply: GradeReply, batch: Labelled, facts: list[str]) -> Grade:
    """A reply with labels made ids, quotes made the passage's own characters, and checks.

    A subgoal counts as covered only where a relevant passage supports the answer by a quote.
    """
    known = dict(batch)
    ids = {**{label: passage["id"] for label, passage in batch}, **{one: one for one in facts}}
    verdicts = [
        _verdict(one, known[label], ids)
        for one in reply.passages
        if (label := _label(one.passage)) in known
    ]
    grounds = [one for one in verdicts if one.relevant == "yes" and one.quote and one.supports]
    covered: Verdict = reply.covered
    reason = reply.reason
    if covered == "yes" and not grounds:
        covered, reason = "unknown", f"no quote supports the answer ({reason})"
    answer = " ".join(reply.answer.split()) if covered == "yes" else ""
    return Grade(verdicts=verdicts, reason=reason, covered=covered, answer=answer)


def _verdict(reply: PassageReply, passage: PassageView, ids: dict[str, str]) -> PassageVerdict:
    named = [one if one in ids else _label(one) for one in reply.contradicts]
    return PassageVerdict(
        passage_id=passage["id"],
        reason=reply.reason,
        relevant=reply.relevant,
        quote=verbatim(reply.quote, passage["text"]) if reply.relevant == "yes" else "",
        supports=reply.supports == "yes",
        contradicts=[ids[one] for one in named if one in ids and ids[one] != passage["id"]],
    )


def _label(said: str) -> str:
    """ "P2" of "2", "p2" or "passage 2"."""
    found = re.search(r"\d+", said)
    return f"P{found[0]}" if found else said


def _joined(reasons: list[str]) -> str:
    return "; ".join(dict.fromkeys(reasons))[:300]


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
        said = messages(load("verdict"), sections, view["original_question"])
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
    explained = grade_by_reasons(view, passed or [one.passage for one in ranked[:2]], ask)
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
