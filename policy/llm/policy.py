"""The policy behind which a model judges: any endpoint that speaks chat completions."""

import copy
import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import BaseModel

from policy.endpoints import THRESHOLD, Endpoint, Models
from policy.errors import OutOfAllowanceError, PolicyError
from policy.language.greetings import small_talk_reply
from policy.llm.chat import Chat, Message, Request, UnsupportedError
from policy.llm.costs import Meter
from policy.llm.drafts import completed, grounded, problems, read_draft
from policy.llm.grading import grade_by_reasons
from policy.llm.memory import Memory
from policy.llm.planning import lost_by, next_hop, parts_of_rewrite, plan_of, plan_prompt, unasked
from policy.llm.probability import grade_by_probability, probabilities
from policy.llm.prompting import load, messages, version_of_all
from policy.llm.schemas import Form, GradeReply, PlanReply, QuoteReply, RewriteReply
from policy.llm.structured import Structured, Unreadable, refused
from policy.llm.views import plan_sections, rewrite_sections, write_sections
from policy.protocol import (
    Allowance,
    Draft,
    Grade,
    GradeView,
    Plan,
    PlanView,
    Rewrite,
    RewriteView,
    Usage,
    WriteView,
)

Grading = Literal["auto", "json", "logprobs"]
Judgement = TypeVar("Judgement", bound=BaseModel)
Result = TypeVar("Result")
_PLAN, _REWRITE, _WRITE = 700, 350, 500
"""Tokens of a reply, at most."""


class LLM:
    """The four judgements by models; safe for threads."""

    def __init__(
        self,
        models: Models,
        *,
        grading: Grading = "auto",
        threshold: float = THRESHOLD,
        memory: Path | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """`memory` is the file that keeps what endpoints can do; `sleep` waits between tries.

        `grading` "auto" asks for the probability of yes where the endpoint returns it.
        """
        self.name = f"llm:{models.names}"
        self.version = f"{version_of_all()}-{grading}"
        self._models = models
        self._grading = grading
        self._threshold = threshold
        self._chat = Chat(sleep)
        self._memory = Memory(memory)
        self._structured = Structured(self._chat, self._memory)
        self._allowance = Allowance()

    def within(self, allowance: Allowance) -> "LLM":
        """The same policy for one call, which keeps within the allowance."""
        bounded = copy.copy(self)
        bounded._allowance = allowance
        return bounded

    def plan(self, view: PlanView) -> tuple[Plan, Usage]:
        """New subgoals, or known ones completed by what was found; that, and small talk whose
        every word is known, needs no model."""
        meter = Meter(self._allowance)
        if not view["subgoals"] and (reply := small_talk_reply(view["original_question"])):
            return Plan(reason="small talk", route="direct", reply=reply), meter.usage()
        if view["subgoals"] and (following := next_hop(view)):
            return following, meter.usage()
        said = messages(plan_prompt(view), plan_sections(view), view["original_question"])
        form = Form(PlanReply, without=unasked(view))
        planned = self._judge("plan", said, form, _PLAN, meter, lambda plan: lost_by(plan, view))
        if isinstance(planned, Unreadable):
            return Plan(reason=planned.reason, route="retrieve"), meter.usage()
        return plan_of(planned, view), meter.usage()

    def grade(self, view: GradeView) -> tuple[Grade, Usage]:
        """A verdict, reason and quote for each passage; what they say of the subgoal."""
        meter = Meter(self._allowance)

        def ask(said: list[Message], tokens: int, items: int) -> GradeReply | Unreadable:
            return self._judge("grade", said, Form(GradeReply, items), tokens, meter)

        def ask_quotes(said: list[Message], tokens: int, items: int) -> QuoteReply | Unreadable:
            return self._judge("grade", said, Form(QuoteReply, items), tokens, meter)

        def by(endpoint: Endpoint) -> Grade:
            offered = self._memory.of(endpoint).logprobs
            wanted = self._grading == "logprobs" or (
                self._grading == "auto" and offered is not False
            )
            judged = (
                probabilities(view, self._chat, self._memory, endpoint, meter) if wanted else None
            )
            if judged is None:
                return grade_by_reasons(view, view["passages"], ask)
            return grade_by_probability(view, judged, self._threshold, ask, ask_quotes)

        return self._first("grade", meter, by), meter.usage()

    def rewrite(self, view: RewriteView) -> tuple[Rewrite, Usage]:
        """Another search for a subgoal, from the grader's reason."""
        meter = Meter(self._allowance)
        said = messages(load("rewrite"), rewrite_sections(view), view["original_question"])
        reply = self._judge("rewrite", said, Form(RewriteReply), _REWRITE, meter)
        if isinstance(reply, Unreadable):
            return Rewrite(reason=reply.reason, strategy="expand"), meter.usage()
        parts = parts_of_rewrite(reply.subgoals, view["subgoal"]["id"], view["tools"])
        proposal = Rewrite(
            reason=reply.reason,
            strategy=reply.strategy,
            query=reply.query,
            subgoals=parts if reply.strategy == "decompose" else [],
            abstraction=reply.strategy == "abstract",
        )
        return proposal, meter.usage()

    def write(self, view: WriteView) -> tuple[Draft, Usage]:
        """The answer from evidence; one repair where code finds a sentence without support."""
        meter = Meter(self._allowance)
        said = messages(load("write"), write_sections(view), view["original_question"])
        draft = Draft(sentences=[])
        try:
            for streamed in (True, False):
                text = self._first("write", meter, self._writer(said, meter, streamed))
                fresh = grounded(read_draft(text), view["facts"])
                draft = fresh if fresh.sentences else draft
                wrong = problems(fresh, view)
                if not wrong:
                    break
                said = [*said, *_correction(text, wrong)]
        except OutOfAllowanceError:
            pass
        return completed(draft, view), meter.usage()

    def _writer(
        self, said: list[Message], meter: Meter, streamed: bool
    ) -> Callable[[Endpoint], str]:
        def write(endpoint: Endpoint) -> str:
            body = {"temperature": 0} if self._memory.of(endpoint).temperature else {}
            try:
                reply = self._chat.complete(
                    endpoint, Request(said, _WRITE, body, stream=streamed), meter
                )
            except UnsupportedError:  # streams, or a temperature: the barest request may do
                try:
                    reply = self._chat.complete(endpoint, Request(said, _WRITE), meter)
                except UnsupportedError as error:
                    raise PolicyError(str(error)) from None
            if reply.refusal:
                raise PolicyError(refused(endpoint, reply))
            return reply.text

        return write

    def _judge(
        self,
        role: str,
        said: list[Message],
        form: Form[Judgement],
        tokens: int,
        meter: Meter,
        check: Callable[[Judgement], str | None] = lambda judgement: None,
    ) -> Judgement | Unreadable:
        def ask(endpoint: Endpoint) -> Judgement | Unreadable:
            return self._structured.ask(endpoint, said, form, tokens, meter, check)

        try:
            return self._first(role, meter, ask)
        except OutOfAllowanceError as error:
            if role == "grade":
                raise
            return Unreadable(str(error))

    def _first(self, role: str, meter: Meter, ask: Callable[[Endpoint], Result]) -> Result:
        """The result of the first endpoint of a role that works."""
        failures: list[str] = []
        for endpoint in self._models.chain(role):
            try:
                return ask(endpoint)
            except PolicyError as error:
                failures.append(str(error))
        raise PolicyError(" ".join(dict.fromkeys(failures)), meter.usage())


def _correction(text: str, wrong: list[str]) -> list[Message]:
    listed = "\n".join(f"- {one}" for one in wrong[:6])
    order = f"Write it again, complete and in the same form, without these faults:\n{listed}"
    return [
        {"role": "assistant", "content": text[:2000] or "(nothing)"},
        {"role": "user", "content": order},
    ]
