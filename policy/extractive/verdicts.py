"""The grade of a subgoal: which findings are believed, and what the answer is."""

from collections.abc import Sequence
from dataclasses import replace

from policy.extractive.answer_names import is_vague_title, name_answer
from policy.extractive.answers import extract, has_rival
from policy.extractive.calibration import (
    ACCEPT,
    CLOSE_AT_LEAST,
    HARDLY,
    LACKING,
    LIKELY,
    LIKELY_NAME,
    LIKELY_THERE,
    PRESENT,
    SURE,
    TYPED_AT_LEAST,
    WEAK,
)
from policy.extractive.doubts import of_other_part
from policy.extractive.grading import SPEAK_FOR, Finding, comparable_answer
from policy.extractive.holders import with_holder
from policy.language.decompose import comparison_in, decompose
from policy.language.kinds import is_kind
from policy.language.questions import TYPED, Ask
from policy.language.values import parse_value
from policy.language.years import by_year
from policy.protocol import Fact, Grade, GradeView, PassageVerdict, PlannedSubgoal
from state.text import comparable

_NEVER = 2.0


def planned_parts(question: str, beside: str = "") -> list[PlannedSubgoal]:
    """The subgoals of a question, with the holder of a post where a name is asked for."""
    return with_holder(by_year(decompose(question) or [whole(question)], beside), question)


def planned(view: GradeView) -> list[PlannedSubgoal]:
    """The parts of the question as the plan has them, where the view shows them."""
    if "parts" in view:
        return [PlannedSubgoal.model_validate(part) for part in view["parts"]]
    return planned_parts(view["original_question"])


def whole(question: str) -> PlannedSubgoal:
    """The question as its own and only subgoal."""
    return PlannedSubgoal(id="s1", question=question, query=question)


def graded(ask: Ask, findings: Sequence[Finding], view: GradeView) -> Grade:
    """The verdicts on the passages, and the answer where the best finding is sure enough."""
    findings = _own_part(findings, view)
    ranked = sorted(findings, key=lambda one: (one.score, one.version), reverse=True)
    if not ranked:
        return Grade(verdicts=[], reason="no passage was found", covered="no")
    ranked = _typed_first(ask, ranked)
    best = ranked[0]
    covered = _is_believed(ask, best)
    if covered and feeds(view) and not _leads_on(ask, best):
        verdicts = [_verdict(ask, one, False, view) for one in findings]
        reason = "no sentence states one sure name that the next part could ask about"
        return Grade(verdicts=verdicts, reason=reason, covered="no")
    accepted = _accepted(ask, ranked) if covered else []
    verdicts = [_verdict(ask, one, one in accepted, view) for one in findings]
    if not covered:
        return Grade(verdicts=verdicts, reason=_why_not(best), covered="no")
    needs_value = feeds(view) or bool(comparison_in(view["original_question"]))
    doubtful = best.fit < SURE or (
        not needs_value
        and (
            (best.score < LIKELY[ask.language] and _stands_in(best))
            or is_one_of_several(ask, best.quote, best.answer)
        )
    )
    asked_about = feeds(view) and _is_likely_name(best)
    answer = best.quote if doubtful and not asked_about else best.answer
    return Grade(verdicts=verdicts, reason=best.reason, covered="yes", answer=answer)


def _stands_in(finding: Finding) -> bool:
    """Whether an answer stands in its sentence: that of a row or a title needs to be said."""
    return not finding.quote.startswith("|") and comparable(finding.answer) in comparable(
        finding.quote
    )


def is_one_of_several(ask: Ask, quote: str, answer: str) -> bool:
    """Whether a sentence holds another number or place that fits, so that it is given whole."""
    return (
        ask.kind in ("number", "place")
        and not quote.startswith("|")
        and has_rival(ask, quote, answer)
    )


def _is_believed(ask: Ask, best: Finding) -> bool:
    """Whether a sentence is likely enough; of long ones all that were found together decide.

    Not so for a row, and where something speaks against the sentence.
    """
    bar = _bar(ask, best)
    if best.presence is None or best.quote.startswith("|") or best.doubted:
        return best.score >= bar
    if best.nameless:
        return best.score >= bar and best.presence >= WEAK
    alone = 0.0 if best.fit >= SURE else HARDLY
    return best.score > alone and best.presence >= (
        PRESENT if bar <= CLOSE_AT_LEAST else LIKELY_THERE
    )


def _bar(ask: Ask, best: Finding) -> float:
    """The probability that a sentence needs: more where it is unsure what in it answers.

    A "which" of a common noun ("which colour") may be answered by any word.
    """
    if ask.kind == "cause" and best.fit < SURE:
        return WEAK
    if ask.kind == "yesno" and best.unrelated and ask.language == "en":
        return WEAK  # Vietnamese asks so in words that the table of relations seldom has.
    if ask.kind == "thing" and best.fit < SURE:
        return max(ACCEPT[ask.language], CLOSE_AT_LEAST)
    common = bool(ask.head) and not is_kind(ask.head.split()[-1].lower())
    if ask.kind not in TYPED or (common and ask.kind == "name"):
        return ACCEPT[ask.language]
    if best.doubted:
        return _NEVER
    if best.nameless:
        return WEAK
    if best.fit < TYPED_AT_LEAST:
        return LACKING[ask.language]
    return ACCEPT[ask.language]


def _own_part(findings: Sequence[Finding], view: GradeView) -> list[Finding]:
    """The findings, those left out of account that state what a part beside this one asks for."""
    own = view["subgoal"]
    beside = [
        part.question
        for part in planned(view)
        if not part.depends_on and part.id != own["id"] and not own.get("depends_on")
    ]
    question = own.get("question", "")
    other = [any(of_other_part(one.quote, question, part) for part in beside) for one in findings]
    if not any(other):
        return list(findings)
    # What they come to together was reckoned with those sentences as well.
    return [
        replace(
            one,
            score=0.0,
            presence=None,
            reason="the sentence is about another part of the question",
        )
        if set_aside
        else replace(one, presence=None)
        for one, set_aside in zip(findings, other, strict=True)
    ]


def _typed_first(ask: Ask, ranked: Sequence[Finding]) -> list[Finding]:
    """The findings, one that states the asked type before a likelier one that does not."""
    best = ranked[0]
    if ask.kind not in TYPED or best.fit >= SURE:
        return list(ranked)
    least = max(best.score / 2, ACCEPT[ask.language] + 0.1)
    typed = [one for one in ranked if one.fit >= SURE and one.score >= least][:1]
    return [*typed, *(one for one in ranked if one not in typed)]


def feeds(view: GradeView) -> bool:
    """Whether a later part of the question asks about the answer of this one."""
    own = view["subgoal"]["id"]
    return any(own in part.depends_on for part in planned(view))


def _leads_on(ask: Ask, best: Finding) -> bool:
    """Whether an answer can be asked about: a wrong or vague one makes a wrong next answer."""
    if ask.kind not in ("name", "place"):
        return True
    if best.fit >= SURE:
        return not is_vague_title(best.answer)
    name, fit = name_answer(ask, best.quote)
    return (bool(name) and fit >= SURE) or _is_likely_name(best)


def _is_likely_name(best: Finding) -> bool:
    """Whether a name that may be the wrong one of a long sentence is good enough to ask about.

    What is asked about it has to be believed as well, so that a wrong one mostly ends there.
    """
    return (
        bool(best.answer)
        and best.fit >= LIKELY_NAME
        and best.score >= CLOSE_AT_LEAST
        and best.presence is not None
        and best.presence >= LIKELY_THERE
    )


def _accepted(ask: Ask, ranked: Sequence[Finding]) -> list[Finding]:
    """The best finding with those that state the same, or with the next one if it is unsure."""
    best = ranked[0]
    others = [one for one in ranked[1:] if one.score >= ACCEPT[ask.language]]
    if best.fit < SURE:
        return [best, *others[:1]]
    answer = comparable_answer(best.answer)
    return [best, *(one for one in others if comparable_answer(one.answer) == answer)]


def _verdict(ask: Ask, finding: Finding, accepted: bool, view: GradeView) -> PassageVerdict:
    if accepted:
        return PassageVerdict(
            passage_id=finding.passage_id, reason=finding.reason, relevant="yes", supports=True,
            quote=finding.quote,
            contradicts=_contradicted(finding, view["facts"], view["subgoal"]["id"], ask),
        )  # fmt: skip
    # That the answer is among all of them says nothing for each of the others.
    if finding.score < _bar(ask, finding) or not _is_believed(ask, finding):
        return PassageVerdict(
            passage_id=finding.passage_id, reason=_why_not(finding), relevant="no",
            quote=finding.quote,
        )  # fmt: skip
    return PassageVerdict(
        passage_id=finding.passage_id, reason="another passage states it more directly",
        relevant="unknown", quote=finding.quote,
    )  # fmt: skip


def _why_not(finding: Finding) -> str:
    """What speaks against a sentence; what only speaks for it was not enough."""
    return "it is close, but states too little" if finding.reason in SPEAK_FOR else finding.reason


def _contradicted(finding: Finding, facts: list[Fact], subgoal_id: str, ask: Ask) -> list[str]:
    """Accepted facts of the same subgoal and version that state another value."""
    value = parse_value(finding.answer) if ask.kind in ("number", "date") else None
    ids = []
    for fact in facts:
        if fact["subgoal_id"] != subgoal_id or fact["version"] != finding.version or value is None:
            continue
        other = parse_value(extract(ask, fact["quote"])[0])
        if other and other.measure == value.measure and other.amount != value.amount:
            ids.append(fact["id"])
    return ids
