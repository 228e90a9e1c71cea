"""Where passages that are known to state an answer state it: their quotes, and the bare answer."""

from collections.abc import Callable, Sequence

from policy.llm.chat import Message
from policy.llm.grading import (
    BATCH_PASSAGES,
    BATCH_TOKENS,
    asked,
    combined,
    contradicted,
    ids_of,
    label_of,
    labelled,
)
from policy.llm.quotes import verbatim
from policy.llm.schemas import QuotedPassage, QuoteReply
from policy.llm.structured import Unreadable
from policy.llm.views import (
    Labelled,
    batches,
    nearest,
    nearest_sentence,
    passage_lines,
)
from policy.protocol import Grade, GradeView, PassageVerdict, PassageView
from state.sentences import sentences

Ask = Callable[[list[Message], int, int], QuoteReply | Unreadable]
"""From messages, tokens of the reply and number of passages to the reply."""


def quoted(view: GradeView, passages: Sequence[PassageView], ask: Ask) -> Grade:
    """A verdict of yes with its quote for each passage, and the answer that stands in a quote.

    The verdict is given; where the model copies nothing that stands in a passage, the sentence
    nearest to the subgoal is quoted. Without any quote the subgoal is not covered.
    """
    named = labelled(passages)
    lines = passage_lines(view, named, whole=True)
    return combined(
        [
            _batch(view, [named[one] for one in group], [lines[one] for one in group], ask)
            for group in batches(lines, BATCH_TOKENS, BATCH_PASSAGES)
        ]
    )


def _batch(view: GradeView, batch: Labelled, lines: Sequence[str], ask: Ask) -> Grade:
    reply = asked("quote", view, batch, lines, ask)
    if isinstance(reply, Grade):
        return reply
    ids = ids_of(batch, view["facts"])
    replies = {label_of(one.passage): one for one in reply.passages}
    answer = " ".join(reply.answer.split())
    verdicts = [
        _verdict(view, passage, replies.get(label), answer, ids) for label, passage in batch
    ]
    quotes = [one.quote for one in verdicts if one.quote]
    if not quotes:
        reason = "no sentence of these passages can be quoted"
        return Grade(verdicts=verdicts, reason=reason, covered="unknown")
    stands = any(verbatim(answer, quote) for quote in quotes)
    return Grade(
        verdicts=verdicts,
        reason=verdicts[0].reason,
        covered="yes",
        answer=answer if stands else " ".join(quotes[0].split()),
    )


def _verdict(
    view: GradeView,
    passage: PassageView,
    reply: QuotedPassage | None,
    answer: str,
    ids: dict[str, str],
) -> PassageVerdict:
    quote = _quote(view, passage, reply.quote if reply else "", answer)
    return PassageVerdict(
        passage_id=passage["id"],
        reason=reply.reason if reply else "states the answer",
        relevant="yes",
        quote=quote,
        supports=bool(quote),
        contradicts=contradicted(reply.contradicts, passage, ids) if reply else [],
    )


def _quote(view: GradeView, passage: PassageView, said: str, answer: str) -> str:
    """One sentence that holds the answer where there is one: of what was quoted, else of the
    passage; else what was quoted; else the sentence nearest to the subgoal."""
    text, subgoal = passage["text"], view["subgoal"]["question"]
    quote = verbatim(said, text)
    for place in (quote, text) if answer else ():
        holding = [one.text for one in sentences(place) if verbatim(answer, one.text)]
        if holding:
            return verbatim(nearest(holding, subgoal), text)
    return quote or verbatim(nearest_sentence(view, passage), text)
