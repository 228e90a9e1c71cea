"""Judgement behind one protocol: what a policy is asked, and what it may answer.

A *view* is all that a policy sees of a run: small, plain JSON, without the transcript. A
*judgement* is a validated reply. Whatever it says about language is taken; whatever follows
from it (budget, routes, offsets, access) is decided elsewhere, in code.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NotRequired, Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from state.types import Json, Subgoal, Turn

Verdict = Literal["yes", "no", "unknown"]
Strategy = Literal["expand", "decompose", "abstract", "specify", "hypothetical"]


class Fact(TypedDict):
    """Accepted evidence as a policy sees it."""

    id: str
    subgoal_id: str
    quote: str
    title: str
    source: str
    version: str


class PassageView(TypedDict):
    """A candidate passage as a policy sees it.

    `columns` is the header row of the table that the text is a later piece of, as written.
    """

    id: str
    text: str
    title: str
    heading: str
    source: str
    version: str
    language: str
    columns: NotRequired[str]
    kind: NotRequired[Literal["rows", "external"]]
    """Where it is no passage of a document."""
    answer: NotRequired[str]
    """The short form of what the rows of a database say, as their query words it."""


class ReadyCall(TypedDict):
    """A call of a tool that was prepared for a kind of question, such as a named query.

    `arguments` are those of the call as it stands; those in `parameters` (JSON schemas by name)
    are put under its key "parameters". `own` says that it is about the asker, whom code names.
    """

    name: str
    description: str
    asks: list[str]
    """Questions that it answers, as people ask them."""
    arguments: Json
    parameters: dict[str, Json]
    own: bool


class ToolView(TypedDict):
    """A tool that a subgoal may name."""

    name: str
    description: str
    parameters: NotRequired[Json]
    """The JSON schema of its arguments, where they are more than a query."""
    ready: NotRequired[list[ReadyCall]]


class PlanView(TypedDict):
    """Asked before the first search and before every hop."""

    original_question: str
    conversation: list[Turn]
    subgoals: list[Subgoal]
    facts: list[Fact]
    tried: list[str]
    tools: list[ToolView]
    may_ask: NotRequired[bool]
    """Whether a person waits who can choose among the readings of `clarify`."""
    today: NotRequired[str]
    """The day of asking (2026-02-28), from which "this year" counts."""
    clarified: NotRequired[str]
    """What the asker meant, chosen from the readings of an earlier plan's `clarify`."""


class Part(TypedDict):
    """A subgoal beside the one that is graded."""

    id: str
    question: str
    depends_on: list[str]


class GradeView(TypedDict):
    """Asked once per subgoal and round, about all of its new passages."""

    original_question: str
    subgoal: Subgoal
    passages: list[PassageView]
    facts: list[Fact]
    parts: NotRequired[list[Part]]
    """All parts of the question, where a tool with arguments of its own is called for one."""


class RewriteView(TypedDict):
    """Asked when nothing found solves a subgoal; `reason` is the grader's."""

    original_question: str
    subgoal: Subgoal
    reason: str
    tried: list[str]
    turned_down: list[str]
    """Titles of the passages that were turned down."""
    tools: list[ToolView]


class WriteView(TypedDict):
    """Asked once the search has ended with something solved."""

    original_question: str
    subgoals: list[Subgoal]
    facts: list[Fact]
    missing: list[str]
    """Questions of the required subgoals that stayed unsolved."""


class _Judgement(BaseModel):
    model_config = ConfigDict(extra="ignore")


class PlannedSubgoal(_Judgement):
    """A verifiable part of the question; `{s1}` in it stands for the answer of subgoal s1."""

    id: str
    question: str
    query: str = ""
    """The search for it; empty means the question itself."""
    tool: str = "search_documents"
    arguments: Json = Field(default_factory=dict)
    """What the tool is called with, where that is more than a query; texts may hold `{s1}`."""
    depends_on: list[str] = Field(default_factory=list)
    required: bool = True
    important: bool = False
    """Whether two independent sources have to give the answer."""


class Plan(_Judgement):
    """What to do next: answer at once (small talk only), or which subgoals to search."""

    reason: str
    route: Literal["direct", "retrieve"]
    reply: str = ""
    question: str = ""
    """The question made self-contained, where it referred to the conversation."""
    subgoals: list[PlannedSubgoal] = Field(default_factory=list)
    """New subgoals, and known ones (same id) made concrete by what was found."""
    clarify: list[str] = Field(default_factory=list)
    """Where the question can be read in ways that need different searches: those readings."""


class PassageVerdict(_Judgement):
    """One passage: first the reason, then the verdict, then the verbatim quote."""

    passage_id: str
    reason: str
    relevant: Verdict
    quote: str = ""
    """Copied from the passage, character for character."""
    supports: bool = False
    """Whether the quote states (part of) the answer to the subgoal."""
    contradicts: list[str] = Field(default_factory=list)
    """Ids of facts, or of passages graded with it, that this passage disagrees with."""


class Lead(_Judgement):
    """A passage tells a part of a subgoal, and with it what to ask next."""

    part: str
    """The part of the subgoal's question that is told: "the founder of Lab Delta"."""
    answer: str
    """Whom or what the passage names for it."""
    rest: list[PlannedSubgoal]
    """What is left to ask with the answer in it; the last one takes the subgoal's place."""
    instead: bool = False
    """Whether it takes the place of all open parts, because the plan led nowhere."""


class Grade(_Judgement):
    """The passages of one subgoal, and whether they cover it."""

    verdicts: list[PassageVerdict]
    reason: str
    covered: Verdict
    answer: str = ""
    """The short answer to the subgoal: what the next hop is built from."""
    lead: Lead | None = None
    """Where nothing covers the subgoal: the next hop that a supporting passage leads to."""


class Rewrite(_Judgement):
    """Another way to ask for a subgoal."""

    reason: str
    strategy: Strategy
    query: str = ""
    subgoals: list[PlannedSubgoal] = Field(default_factory=list)
    """For "decompose": parts that must be solved before the subgoal can be."""
    abstraction: bool = False
    """Whether an anchor was dropped on purpose."""


class DraftSentence(_Judgement):
    """One sentence of the answer and the evidence that it rests on."""

    text: str
    evidence_ids: list[str] = Field(default_factory=list)


class Draft(_Judgement):
    """The answer before code has checked it."""

    sentences: list[DraftSentence]
    short: str = ""
    unaddressed: list[str] = Field(default_factory=list)
    """Parts of the original question that no subgoal covered."""


class Usage(TypedDict):
    """What one policy call cost; `estimated` where the endpoint did not say."""

    input_tokens: int
    output_tokens: int
    money: float
    estimated: bool
    calls: NotRequired[int]
    """Requests that were answered, repairs included; 1 where it is not given."""
    one_token_calls: NotRequired[int]
    """Requests for a single token, counted apart from `calls`."""
    model: NotRequired[str]
    """The model that answered in the end, where there is one."""


NO_USAGE: Usage = {"input_tokens": 0, "output_tokens": 0, "money": 0.0, "estimated": False}


@dataclass(frozen=True)
class Allowance:
    """What one policy call may use at most, and where it may say what it is writing."""

    tokens: float = float("inf")
    calls: float = float("inf")
    seconds: float = float("inf")
    money: float = float("inf")
    say: Callable[[str], None] | None = None
    """Gets the pieces of an answer while it is written, before code has checked it."""


class Policy(Protocol):
    """Four judgements. `name` and `version` go into the history and the ledger's keys."""

    name: str
    version: str

    def plan(self, view: PlanView) -> tuple[Plan, Usage]:
        """Which parts the question has, and which of them can be searched now."""
        ...

    def grade(self, view: GradeView) -> tuple[Grade, Usage]:
        """Which passages support a subgoal, and whether it is covered."""
        ...

    def rewrite(self, view: RewriteView) -> tuple[Rewrite, Usage]:
        """Another way to search for a subgoal."""
        ...

    def write(self, view: WriteView) -> tuple[Draft, Usage]:
        """The answer, each sentence with the evidence that it rests on."""
        ...


@runtime_checkable
class Bounded(Protocol):
    """A policy whose calls cost something, and that can be told how much is left."""

    def within(self, allowance: Allowance) -> Policy:
        """The same policy for one call, which keeps within the allowance."""
        ...
