"""The policy that needs no model: grammar, word tables and calibrated sentence support.

It routes, takes questions of common shapes apart, judges passages sentence by sentence and
answers by quoting, in Vietnamese and English.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from policy.answer_names import is_vague_title, name_answer
from policy.answers import extract
from policy.calibration import ACCEPT, SURE
from policy.decompose import decompose, search_text, self_contained
from policy.doubts import of_other_part
from policy.followups import resolve
from policy.grading import Finding, comparable_answer, judge
from policy.greetings import small_talk_reply
from policy.holders import repeated, through_holder, with_holder
from policy.protocol import (
    NO_USAGE,
    Draft,
    Fact,
    Grade,
    GradeView,
    PassageVerdict,
    Plan,
    PlannedSubgoal,
    PlanView,
    Rewrite,
    RewriteView,
    Usage,
    WriteView,
)
from policy.questions import Ask, read
from policy.rewriting import official, rewrite_view
from policy.routing import call_for, with_calls
from policy.row_answers import of_rows
from policy.support import SupportScorer
from policy.values import parse_value
from policy.wording import language_of, typed_bare
from policy.writing import write_view
from policy.years import by_year, with_years
from state.coverage import PLACEHOLDER, fill_in, open_placeholders, ready
from state.text import fold_accents
from state.types import Subgoal

LIMITS = (
    "This policy uses no language model. It sees missing evidence, not altered questions: a "
    "passage that names the right things and states something slightly different can pass. It "
    "takes apart nested, compared and joined questions of common grammar in Vietnamese and "
    "English, and answers with quotes rather than in its own words."
)
_IN_BRACKETS = re.compile(r" \([^\W\d_]+[-_]?\d+\)$")
"""A code behind a name, which other passages need not repeat."""
_LONGEST_NAME = 9
"""Words that the name of a thing has at most."""


class Extractive:
    """The four judgements without a model; `scorer` says how well sentences support a question."""

    name = "extractive"
    version = "1"

    def __init__(self, scorer: SupportScorer) -> None:
        self._scorer = scorer

    def plan(self, view: PlanView) -> tuple[Plan, Usage]:
        """Small talk is answered at once; else new subgoals, or known ones made concrete."""
        if view["subgoals"]:
            return _next_hop(view, self._scorer), NO_USAGE
        reply = small_talk_reply(view["original_question"])
        if reply is not None:
            return Plan(
                reason="small talk, no source needed", route="direct", reply=reply
            ), NO_USAGE
        question = resolve(view["original_question"], view["conversation"])
        question = with_years(question, view.get("today", ""))
        subgoals = with_calls(question, view["tools"], self._scorer, _parts)
        reason = "one search" if len(subgoals) == 1 else f"{len(subgoals)} parts, by grammar"
        return Plan(reason=reason, route="retrieve", question=question, subgoals=subgoals), NO_USAGE

    def grade(self, view: GradeView) -> tuple[Grade, Usage]:
        """Each passage by its best sentence; the subgoal is covered where one states the answer."""
        if rows := [one for one in view["passages"] if one.get("kind") == "rows"]:
            return of_rows(view["subgoal"], rows), NO_USAGE
        question = view["subgoal"].get("question") or view["original_question"]
        question = self_contained(question)
        if language_of(question) == "vi":
            question = official(question, "vi")
        ask = read(question)
        passages = view["passages"]
        supports = self._scorer(
            ask.text, [(f"{one['title']} > {one['heading']}", one["text"]) for one in passages]
        )
        return _graded(ask, judge(ask, passages, supports), view), NO_USAGE

    def rewrite(self, view: RewriteView) -> tuple[Rewrite, Usage]:
        """Another wording, chosen by the grader's reason; a call with arguments has none."""
        if view["subgoal"].get("arguments"):
            return Rewrite(reason="no row is there", strategy="expand"), NO_USAGE
        return rewrite_view(view), NO_USAGE

    def write(self, view: WriteView) -> tuple[Draft, Usage]:
        """The bare facts and the quotes that they stand in."""
        return write_view(view), NO_USAGE


def _parts(question: str, beside: str = "") -> list[PlannedSubgoal]:
    return with_holder(by_year(decompose(question) or [_whole(question)], beside), question)


def _whole(question: str) -> PlannedSubgoal:
    return PlannedSubgoal(id="s1", question=question, query=question)


def _next_hop(view: PlanView, scorer: SupportScorer) -> Plan:
    """The subgoals whose dependencies are solved, with the answers filled in."""
    planned = []
    known = [_named(subgoal) for subgoal in view["subgoals"]]
    for subgoal in ready(view["subgoals"]):
        through = through_holder(subgoal, known)
        if through:
            planned += through
            continue
        question = _filled(repeated(subgoal, known), known)
        if open_placeholders(question):
            continue
        part = PlannedSubgoal(
            id=subgoal["id"],
            question=question,
            query=search_text(question),
            tool=subgoal.get("tool") or "search_documents",
            arguments=subgoal.get("arguments", {}),
            depends_on=subgoal.get("depends_on", []),
            required=subgoal.get("required", True),
        )
        planned.append(call_for(part, view["tools"], scorer))
    return Plan(reason="what was found is filled in", route="retrieve", subgoals=planned)


def _filled(question: str, known: list[Subgoal]) -> str:
    """The question with the answers in it, without accents where it was typed without any."""
    filled = fill_in(question, known)
    bare = language_of(question) == "vi" and typed_bare(PLACEHOLDER.sub(" ", question))
    return fold_accents(filled) if bare else filled


def _named(subgoal: Subgoal) -> Subgoal:
    """The subgoal with the name that a sentence given as its answer holds, if it holds one.

    A hop is asked about a name; a whole sentence in its place would be no question.
    """
    answer = _IN_BRACKETS.sub("", subgoal.get("answer", ""))
    subgoal = {**subgoal, "answer": answer}
    if len(answer.split()) <= _LONGEST_NAME:
        return subgoal
    name, fit = name_answer(read(subgoal.get("question", "")), answer)
    sure = fit >= SURE and 0 < len(name.split()) <= _LONGEST_NAME
    return {**subgoal, "answer": name if sure else ""}


def _graded(ask: Ask, findings: Sequence[Finding], view: GradeView) -> Grade:
    findings = _own_part(findings, view)
    ranked = sorted(findings, key=lambda one: (one.score, one.version), reverse=True)
    if not ranked:
        return Grade(verdicts=[], reason="no passage was found", covered="no")
    ranked = _typed_first(ask, ranked)
    best = ranked[0]
    covered = best.score >= ACCEPT[ask.language]
    if covered and _feeds(view) and not _leads_on(ask, best):
        verdicts = [_verdict(ask, one, False, view) for one in findings]
        reason = "no sentence states one sure name that the next part could ask about"
        return Grade(verdicts=verdicts, reason=reason, covered="no")
    accepted = _accepted(ask, ranked) if covered else []
    verdicts = [_verdict(ask, one, one in accepted, view) for one in findings]
    if not covered:
        return Grade(verdicts=verdicts, reason=best.reason, covered="no")
    answer = best.answer if best.fit >= SURE else best.quote
    return Grade(verdicts=verdicts, reason=best.reason, covered="yes", answer=answer)


def _own_part(findings: Sequence[Finding], view: GradeView) -> list[Finding]:
    """The findings, those left out of account that state what a part beside this one asks for."""
    own = view["subgoal"]
    beside = [
        part.question
        for part in _planned(view)
        if not part.depends_on and part.id != own["id"] and not own.get("depends_on")
    ]
    question = own.get("question", "")
    return [
        replace(one, score=0.0, reason="the sentence is about another part of the question")
        if any(of_other_part(one.quote, question, other) for other in beside)
        else one
        for one in findings
    ]


def _typed_first(ask: Ask, ranked: Sequence[Finding]) -> list[Finding]:
    """The findings, one that states the asked type before a likelier one that does not."""
    best = ranked[0]
    if ask.kind not in ("name", "place", "date", "number") or best.fit >= SURE:
        return list(ranked)
    least = max(best.score / 2, ACCEPT[ask.language] + 0.1)
    typed = [one for one in ranked if one.fit >= SURE and one.score >= least][:1]
    return [*typed, *(one for one in ranked if one not in typed)]


def _feeds(view: GradeView) -> bool:
    """Whether a later part of the question asks about the answer of this one."""
    own = view["subgoal"]["id"]
    return any(own in part.depends_on for part in _planned(view))


def _planned(view: GradeView) -> list[PlannedSubgoal]:
    """The parts of the question as the plan has them, where the view shows them."""
    if "parts" in view:
        return [PlannedSubgoal.model_validate(part) for part in view["parts"]]
    return _parts(view["original_question"])


def _leads_on(ask: Ask, best: Finding) -> bool:
    """Whether an answer can be asked about: a wrong or vague one makes a wrong next answer."""
    if ask.kind not in ("name", "place"):
        return True
    if best.fit >= SURE:
        return not is_vague_title(best.answer)
    name, fit = name_answer(ask, best.quote)
    return bool(name) and fit >= SURE


def _accepted(ask: Ask, ranked: Sequence[Finding]) -> list[Finding]:
    """The best finding with those that state the same, or with the next one if it is unsure."""
    best, *others = [one for one in ranked if one.score >= ACCEPT[ask.language]]
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
    if finding.score < ACCEPT[ask.language]:
        return PassageVerdict(
            passage_id=finding.passage_id, reason=finding.reason, relevant="no",
            quote=finding.quote,
        )  # fmt: skip
    return PassageVerdict(
        passage_id=finding.passage_id, reason="another passage states it more directly",
        relevant="unknown", quote=finding.quote,
    )  # fmt: skip


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
