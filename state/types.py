"""What a run knows: plain JSON values only, so that any checkpointer can keep them.

Names of fields are a format: a thread of an older version must resume under a newer one.
`SCHEMA_VERSION` counts incompatible changes.
"""

from typing import Annotated, Any, Literal, NotRequired

from typing_extensions import TypedDict

from state.reducers import (
    append,
    append_bounded,
    keep_first_by_id,
    merge_budget,
    merge_by_id,
    merge_seen,
)

SCHEMA_VERSION = 1

Use = Literal["USE", "SUPPLEMENT", "DISCARD"]
"""What evidence counts for: it carries the answer; it goes with it; it is not cited."""
SubgoalStatus = Literal["pending", "solved", "unanswerable"]
Status = Literal["running", "paused", "answered", "partial", "gave_up", "failed", "cancelled"]
Json = dict[str, Any]


class Subgoal(TypedDict, total=False):
    """One verifiable part of the question."""

    id: str
    question: str
    """May hold `{s1}`: the answer of another subgoal, filled in once that one is solved."""
    query: str
    """What to search for next; empty once it was searched."""
    tool: str
    arguments: Json
    """What the tool is called with, where that is more than a query; texts may hold `{s1}`."""
    template: str
    """The question before answers were put into its placeholders, where it had any."""
    status: SubgoalStatus
    required: bool
    important: bool
    """Whether one source is not enough: two independent ones have to say so."""
    claim: str
    """The answer that too few independent sources have given so far."""
    depends_on: list[str]
    answer: str
    reason: str
    """Why it is solved, or why not yet: the grader's words, which a rewrite starts from."""
    evidence_ids: list[str]
    rewrites: int


class Candidate(TypedDict, total=False):
    """A passage that was retrieved and not yet graded.

    `page` is that of its first character; at each offset of `page_breaks` (in the document's
    text, like `start`) the next page begins. `columns` is the header row above a later piece of
    a table.

    `kind` is that of the evidence it may become. Rows of a database bring the statement and
    its parameters, the rows as they were read, and `answer`, the short form of what they say.
    `authority` (0 to 1) is how much its source counts; a tool gives what the source states.
    It is in force from `effective_from` to `effective_to`: ISO dates, or "" (no limit).
    """

    id: str
    kind: Literal["passage", "rows", "external"]
    answer: str
    authority: float
    statement: str
    parameters: Json
    rows: list[Json]
    subgoal_id: str
    query: str
    tool: str
    document_id: str
    chunk_id: str
    source: str
    title: str
    heading: str
    page: int | None
    page_breaks: list[int]
    text: str
    columns: str
    start: int
    end: int
    sha256: str
    version: str
    effective_from: str
    effective_to: str
    language: str
    scores: dict[str, float]
    retrieved_at: str


class Evidence(TypedDict, total=False):
    """An accepted quote and where it stands.

    `start` and `end` count characters of the extracted text that the catalogue keeps, whose
    hash is `sha256`; ``text[start:end] == quote`` there. Of `rows` (of a database) and
    `external` (what another system replied) they count characters of the text that was read at
    `retrieved_at`, which nobody keeps. `use` is what it counts for, judged anew with every
    piece that is accepted for the same subgoal, and `use_reason` why.
    """

    id: str
    kind: Literal["passage", "rows", "external"]
    authority: float
    quote: str
    document_id: str
    chunk_id: str
    source: str
    title: str
    heading: str
    page: int | None
    start: int
    end: int
    sha256: str
    version: str
    query: str
    subgoal_id: str
    tool: str
    scores: dict[str, float]
    reason: str
    contradicts: list[str]
    retrieved_at: str
    effective_from: str
    effective_to: str
    supports: bool
    """Whether the grader says that the quote states (part of) the answer."""
    sketch: str
    """Hashes of the passage's shingles, by which copies are told; see `state.independence`."""
    use: Use
    use_reason: str
    stale: str
    """Why it is no longer believed: its document changed, vanished, or a person said so."""
    statement: str
    parameters: Json
    rows: list[Json]


class SeenQuery(TypedDict):
    """A query that was sent to a tool, and how much it found."""

    normal: str
    query: str
    subgoal_id: str
    tool: str
    hits: int


class QueuedSearch(TypedDict):
    """One tool call of the next round."""

    subgoal_id: str
    query: str
    tool: str
    arguments: NotRequired[Json]
    """What the tool is called with; without them `{"query": query}`."""


class Spent(TypedDict, total=False):
    """What was used up; `seconds` is time inside tool and policy calls."""

    steps: int
    tool_calls: int
    model_calls: int
    one_token_calls: int
    """Model calls for a single token, which are not among `model_calls`."""
    tokens: int
    seconds: float
    money: float


class Limits(TypedDict, total=False):
    """What one question may use; see `state.budget.DEFAULT_LIMITS`."""

    steps: int
    tool_calls: int
    model_calls: int
    tokens: int
    seconds: float
    money: float
    rewrites: int
    barren_rounds: int
    independent: int
    """Independent sources that a required part needs; 1 where it is not set."""


class Budget(TypedDict, total=False):
    """Limits and what is spent of them."""

    limits: Limits
    spent: Spent


class Citation(TypedDict):
    """A numbered reference of the answer: `[number]` in its text."""

    number: int
    evidence_id: str
    source: str
    title: str
    heading: str
    page: int | None
    start: int
    end: int
    quote: str
    version: str
    kind: NotRequired[Literal["rows", "external"]]
    """Where it is no passage of a document; `heading` is then the name of what was asked."""
    statement: NotRequired[str]
    parameters: NotRequired[Json]
    rows: NotRequired[list[Json]]
    retrieved_at: NotRequired[str]


class Answer(TypedDict, total=False):
    """What the asker gets."""

    text: str
    short: str
    """The bare fact asked for, where there is one ("Minh Tran")."""
    citations: list[Citation]
    missing: list[str]
    denied: list[str]
    """Those of the missing parts that the asker's rights do not reach."""
    coverage: float
    dropped: list[str]
    """Sentences that code took out because nothing supported them."""
    report: Json
    """For a refusal: what was found, searched, turned down, and which rule stopped the run."""


class Turn(TypedDict):
    """An earlier question of the thread with its answer."""

    question: str
    answer: str


class RunInput(TypedDict):
    """What starts a run."""

    question: str
    """The question to answer. On an old thread it starts clean but knows the conversation."""


class RunState(TypedDict, total=False):
    """Everything a run knows. Studio shows these fields; each says what it is for."""

    question: str
    """A new question, until `decide` has taken it up; empty from then on."""
    original_question: str
    """The question as asked. Never rewritten; every policy call sees it."""
    resolved_question: str
    """The same question made self-contained where it referred to the conversation."""
    asked_as: Json
    """The identity (user and groups) that asked; only that one may resume the run."""
    asked_on: str
    """The day of asking (2026-02-28), from which "this year" counts; kept when resumed."""
    question_number: int
    """1 for the first question of the thread; part of every ledger key."""
    conversation: Annotated[list[Turn], append_bounded]
    """Earlier questions and answers of this thread, for follow-ups."""
    subgoals: Annotated[list[Subgoal], merge_by_id]
    """The parts of the question: pending, solved or unanswerable."""
    queue: list[QueuedSearch]
    """The tool calls of the next round, reserved in the budget."""
    candidates: Annotated[list[Candidate], merge_by_id]
    """Passages waiting to be graded; empty after `grade`."""
    evidence: Annotated[list[Evidence], keep_first_by_id]
    """Accepted quotes with their provenance; `use` and `use_reason` say what each counts for."""
    seen_queries: Annotated[list[SeenQuery], merge_seen]
    """What was searched already, so that no search is paid for twice."""
    history: Annotated[list[Json], append]
    """The audit trail: what each node did, decided and why."""
    budget: Annotated[Budget, merge_budget]
    """Limits, and what is spent of them."""
    status: Status
    """running, paused, answered, partial, gave_up, failed or cancelled."""
    stop_reason: str
    """Which stop rule ended the run."""
    answer: Answer
    """Text, citations, missing parts and coverage."""
    schema_version: int
    """The version of this format that wrote the thread."""


class RunOutput(TypedDict, total=False):
    """What a finished run hands to its caller; kept small, because servers repeat it."""

    original_question: str
    status: Status
    stop_reason: str
    answer: Answer
