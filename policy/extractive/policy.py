"""The policy that needs no model: grammar, word tables and calibrated sentence support.

It routes, takes questions of common shapes apart, judges passages sentence by sentence and
answers by quoting, in Vietnamese and English.
"""

import re

from policy.extractive.accents import accented
from policy.extractive.answer_names import name_answer
from policy.extractive.calibration import SURE
from policy.extractive.casing import cased
from policy.extractive.followups import resolve
from policy.extractive.grading import judge
from policy.extractive.holders import repeated, through_holder
from policy.extractive.leading import led_on
from policy.extractive.objections import headings_of
from policy.extractive.rewriting import official, rewrite_view
from policy.extractive.routing import call_for, with_calls
from policy.extractive.row_answers import of_rows
from policy.extractive.verdicts import graded, planned_parts
from policy.extractive.writing import write_view
from policy.language.decompose import search_text, self_contained
from policy.language.greetings import small_talk_reply
from policy.language.questions import read
from policy.language.wording import language_of, typed_bare
from policy.language.years import with_years
from policy.protocol import (
    NO_USAGE,
    Draft,
    Grade,
    GradeView,
    Plan,
    PlannedSubgoal,
    PlanView,
    Rewrite,
    RewriteView,
    Usage,
    WriteView,
)
from policy.support import SupportScorer
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
        subgoals = with_calls(question, view["tools"], self._scorer, planned_parts)
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
        passages = view["passages"]
        texts = [f"{headings_of(one)}\n{one['text']}" for one in passages]
        ask = cased(accented(read(question), texts), texts)
        supports = self._scorer(ask.text, [(headings_of(one), one["text"]) for one in passages])
        findings = judge(ask, passages, supports)
        grade = graded(ask, findings, view)
        return led_on(ask, grade, findings, view, self._scorer), NO_USAGE

    def rewrite(self, view: RewriteView) -> tuple[Rewrite, Usage]:
        """Another wording, chosen by the grader's reason; a call with arguments has none."""
        if view["subgoal"].get("arguments"):
            return Rewrite(reason="no row is there", strategy="expand"), NO_USAGE
        return rewrite_view(view), NO_USAGE

    def write(self, view: WriteView) -> tuple[Draft, Usage]:
        """The bare facts and the quotes that they stand in."""
        return write_view(view), NO_USAGE


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
