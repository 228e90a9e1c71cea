"""Grading with a model by reason-first replies, in batches: brief first, whole where in doubt."""

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from policy.errors import OutOfAllowanceError
from policy.llm.chat import Message
from policy.llm.prompting import load, messages
from policy.llm.quotes import verbatim
from policy.llm.schemas import GradeReply, PassageReply, QuoteReply
from policy.llm.structured import Unreadable
from policy.llm.views import (
    Labelled,
    batches,
    grade_sections,
    is_cut,
    passage_lines,
)
from policy.protocol import Fact, Grade, GradeView, PassageVerdict, PassageView, Verdict

BATCH_TOKENS = 2_400
BATCH_PASSAGES = 8
REPLY_TOKENS = 110
"""For each passage of a batch, and once more for the subgoal."""
WHOLE_PASSAGES = 3
"""Passages of a second look, at most."""
Reply = TypeVar("Reply", GradeReply, QuoteReply)
Ask = Callable[[list[Message], int, int], GradeReply | Unreadable]
"""From messages, tokens of the reply and number of passages to the reply."""


def grade_by_reasons(view: GradeView, passages: Sequence[PassageView], ask: Ask) -> Grade:
    """One verdict a passage, with its reason and quote, and the subgoal as a whole.

    Where a first look at the sentences nearest to the subgoal does not cover it, the best of
    the passages that were cut and turned down are looked at whole.
    """
    first = first_look(view, passages, ask)
    judged = {one.passage_id: one.relevant for one in first.verdicts}
    cut = [
        (label, passage)
        for label, passage in labelled(passages)
        if judged.get(passage["id"]) == "no" and is_cut(view, passage)
    ]
    if first.covered == "yes" or not cut:
        return first
    return _merged(first, _look(view, cut[:WHOLE_PASSAGES], ask, whole=True))


def first_look(view: GradeView, passages: Sequence[PassageView], ask: Ask) -> Grade:
    """One verdict a passage, by its sentences nearest to the subgoal."""
    return _look(view, labelled(passages), ask)


def labelled(passages: Sequence[PassageView]) -> Labelled:
    """The passages behind the names that a model is shown: P1, P2, …"""
    return [(f"P{number}", passage) for number, passage in enumerate(passages, 1)]


def _look(view: GradeView, passages: Labelled, ask: Ask, *, whole: bool = False) -> Grade:
    """Verdicts on all of the passages, in as many calls as their sizes ask for."""
    lines = passage_lines(view, passages, whole=whole)
    parts = [
        _batch(view, [passages[one] for one in group], [lines[one] for one in group], ask)
        for group in batches(lines, BATCH_TOKENS, BATCH_PASSAGES)
    ]
    return combined(parts)


def combined(parts: Sequence[Grade]) -> Grade:
    """The grades of batches as one: covered where one of them is, with its answer."""
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
    reply = asked("grade", view, batch, lines, ask)
    return (
        reply if isinstance(reply, Grade) else grade_of(reply, batch, ids_of(batch, view["facts"]))
    )


def asked(
    prompt: str,
    view: GradeView,
    batch: Labelled,
    lines: Sequence[str],
    ask: Callable[[list[Message], int, int], Reply | Unreadable],
) -> Reply | Grade:
    """The reply about a batch, whose `lines` are what is shown of it; a grade without verdicts
    where there is none that can be read, or no allowance for it."""
    said = messages(load(prompt), grade_sections(view, lines), view["original_question"])
    try:
        reply = ask(said, REPLY_TOKENS * (len(batch) + 1), len(batch))
    except OutOfAllowanceError as error:
        return unknown(batch, str(error))
    return unknown(batch, reply.reason) if isinstance(reply, Unreadable) else reply


def unknown(batch: Labelled, reason: str) -> Grade:
    """No verdict on any passage, for one and the same reason."""
    verdicts = [
        PassageVerdict(passage_id=passage["id"], reason=reason, relevant="unknown")
        for _, passage in batch
    ]
    return Grade(verdicts=verdicts, reason=reason, covered="unknown")


def grade_of(reply: GradeReply, batch: Labelled, ids: dict[str, str]) -> Grade:
    """A reply with labels made ids, quotes made the passage's own characters, and checks.

    A subgoal counts as covered only where a relevant passage supports the answer by a quote.
    """
    known = dict(batch)
    verdicts = [
        _verdict(one, known[label], ids)
        for one in reply.passages
        if (label := label_of(one.passage)) in known
    ]
    grounds = [one for one in verdicts if one.relevant == "yes" and one.quote and one.supports]
    covered: Verdict = reply.covered
    reason = reply.reason
    if covered == "yes" and not grounds:
        covered, reason = "unknown", f"no quote supports the answer ({reason})"
    answer = " ".join(reply.answer.split()) if covered == "yes" else ""
    return Grade(verdicts=verdicts, reason=reason, covered=covered, answer=answer)


def _verdict(reply: PassageReply, passage: PassageView, ids: dict[str, str]) -> PassageVerdict:
    return PassageVerdict(
        passage_id=passage["id"],
        reason=reply.reason,
        relevant=reply.relevant,
        quote=verbatim(reply.quote, passage["text"]) if reply.relevant == "yes" else "",
        supports=reply.supports == "yes",
        contradicts=contradicted(reply.contradicts, passage, ids),
    )


def contradicted(said: Sequence[str], passage: PassageView, ids: dict[str, str]) -> list[str]:
    """The ids of the passages and facts that a model named; `ids` is by label and by id."""
    named = [one if one in ids else label_of(one) for one in said]
    return [ids[one] for one in named if one in ids and ids[one] != passage["id"]]


def ids_of(batch: Labelled, facts: Sequence[Fact]) -> dict[str, str]:
    """What a model may name: passages by their labels, facts by their ids."""
    return {**{label: one["id"] for label, one in batch}, **{one["id"]: one["id"] for one in facts}}


def label_of(said: str) -> str:
    """ "P2" of "2", "p2" or "passage 2"."""
    found = re.search(r"\d+", said)
    return f"P{found[0]}" if found else said


def _joined(reasons: list[str]) -> str:
    return "; ".join(dict.fromkeys(reasons))[:300]
