"""Where nothing covers a subgoal, or only a part of it: the grade that leads on to another hop."""

from collections.abc import Sequence

from policy import protocol
from policy.extractive.answers import extract
from policy.extractive.calibration import SURE, TYPED_AT_LEAST
from policy.extractive.entities import Named, suits
from policy.extractive.grading import Finding
from policy.extractive.objections import context_of, is_soft, mentions
from policy.extractive.paths import Lead, answers_to, leads
from policy.extractive.stretches import told_share
from policy.extractive.tables import read_row
from policy.extractive.verdicts import feeds, is_one_of_several, planned, whole
from policy.language.decompose import decompose, self_contained
from policy.language.questions import TYPED, Ask, read
from policy.language.relations import relations
from policy.protocol import Grade, GradeView, PassageVerdict, PassageView
from policy.support import SupportScorer

_SURE_LEAD = 0.3
"""The probability from which a lead is preferred to a sentence that tells less."""
_CLEAR = 0.6
"""The probability from which a sentence is not doubted to tell all that is asked for."""
_TELLS_MORE = 0.15
"""The share of the question's words that a lead and its answer must tell more."""


def led_on(
    ask: Ask, graded: Grade, findings: Sequence[Finding], view: GradeView, scorer: SupportScorer
) -> Grade:
    """The grade, with the best lead of the passages where that is better than what was found."""
    passages = view["passages"]
    if graded.covered == "yes" and not _is_open(ask, graded, findings):
        return graded
    found = leads(ask, passages, scorer)
    if graded.covered == "yes":
        found = _better(ask, graded, findings, found, passages, scorer)
    elif not found and _is_first_hop(view):
        original = read(self_contained(view["original_question"]))
        return _leading_whole(original, leads(original, passages, scorer), graded, view)
    return _leading(ask, found[0], graded, view) if found else graded


def _better(
    ask: Ask,
    graded: Grade,
    findings: Sequence[Finding],
    found: Sequence[Lead],
    passages: Sequence[PassageView],
    scorer: SupportScorer,
) -> list[Lead]:
    """The leads that tell more of the question than the sentence that was accepted."""
    best = next(one for one in findings if _is_accepted(one, graded))
    sure = [one for one in found if one.question and one.score >= _SURE_LEAD]
    if best.fit < TYPED_AT_LEAST:
        likelier = [one for one in sure if one.score > best.score]
        return likelier or [one for one in sure if _answered(ask, one, passages, scorer)]
    known = {one["id"]: one for one in passages}
    told = told_share(ask, [_near(best.quote, known[best.passage_id])])
    return [
        one
        for one in sure
        for answer in answers_to(ask, one, passages, scorer)
        if answer.score >= _SURE_LEAD
        and answer.fit >= SURE
        and told_share(
            ask,
            [
                _near(one.quote, known[one.passage_id]),
                _near(answer.quote, known[answer.passage_id]),
            ],
        )
        >= told + _TELLS_MORE
    ]


def _answered(ask: Ask, lead: Lead, passages: Sequence[PassageView], scorer: SupportScorer) -> bool:
    """Whether the passages hold a sure answer of the asked kind to what a lead leaves open."""
    return ask.kind in TYPED and any(
        one.score >= _SURE_LEAD and one.fit >= SURE
        for one in answers_to(ask, lead, passages, scorer)
    )


def _near(quote: str, passage: PassageView) -> tuple[str, str]:
    """A quote with its table's columns, and the context of its passage."""
    at = passage["text"].find(quote)
    row = read_row(passage["text"], at, quote, passage.get("columns", "")) if at >= 0 else None
    headers = " ".join(row.headers) if row else ""
    return f"{headers} {quote}", context_of(passage)


def _is_accepted(finding: Finding, graded: Grade) -> bool:
    accepted = [one for one in graded.verdicts if one.relevant == "yes"]
    return any(one.passage_id == finding.passage_id for one in accepted)


def _is_open(ask: Ask, graded: Grade, findings: Sequence[Finding]) -> bool:
    """Whether what was accepted may be only a part of what is asked for."""
    best = max((one for one in findings if _is_accepted(one, graded)), key=lambda one: one.score)
    if best.score >= _CLEAR and best.fit >= TYPED_AT_LEAST:
        return False
    return ask.kind in TYPED and (best.fit < TYPED_AT_LEAST or len(ask.terms) > 3)


def _leading(
    ask: Ask, lead: Lead, graded: Grade, view: GradeView, *, instead: bool = False
) -> Grade:
    """The grade with the passage that leads on believed; the others are to be read again."""
    reason = f"it leads on to {lead.name}"
    told = PassageVerdict(
        passage_id=lead.passage_id, reason=reason, relevant="yes", quote=lead.quote, supports=True
    )
    verdicts = [
        told
        if one.passage_id == lead.passage_id
        else one.model_copy(update={"relevant": "unknown"})
        for one in graded.verdicts
    ]
    if not lead.question:
        return _told_whole(ask, lead, verdicts, view) or graded
    rest = decompose(lead.question) or [whole(lead.question)]
    hop = protocol.Lead(part=lead.part, answer=lead.name, rest=rest, instead=instead)
    return Grade(verdicts=verdicts, reason=reason, covered="no", lead=hop)


def _is_first_hop(view: GradeView) -> bool:
    """Whether a subgoal opens a plan that is one chain of hops."""
    parts = planned(view)
    chained = all(part.depends_on for part in parts[1:])
    return len(parts) > 1 and chained and view["subgoal"]["id"] == parts[0].id and not view["facts"]


def _leading_whole(original: Ask, found: Sequence[Lead], graded: Grade, view: GradeView) -> Grade:
    """The grade with a lead of the question as it was asked, where the plan leads nowhere."""
    asking = [one for one in found if one.question and one.score >= _SURE_LEAD]
    if not asking:
        return graded
    return _leading(original, asking[0], graded, view, instead=True)


def _told_whole(
    ask: Ask, lead: Lead, verdicts: list[PassageVerdict], view: GradeView
) -> Grade | None:
    """The grade where a sentence tells all that was asked; None where it lacks that."""
    answer, fit = extract(ask, lead.quote)
    near = f"{lead.quote} {lead.context} "
    if ask.kind not in TYPED or not all(
        mentions(near, one, ask) or is_soft(one, ask) for one in ask.anchors
    ):
        return None
    if ask.head and ask.kind in ("name", "place") and fit < SURE:
        if suits(Named(lead.name), ask.head) < 1:
            return None
        answer, fit = lead.name, 1.0
    events = ask.kind == "date" and bool(ask.relations)
    if fit < 0.6 or (events and not ask.relations & relations(near)):
        return None
    several = is_one_of_several(ask, lead.quote, answer)
    short = lead.quote if several or fit < SURE else answer
    if feeds(view):
        short = answer
    return Grade(
        verdicts=verdicts, reason="the sentence tells all of it", covered="yes", answer=short
    )
