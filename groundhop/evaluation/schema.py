"""Questions with their labels, passages, and what was wrong with a line."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

Answerable = Literal["yes", "partial", "no"]
Json = dict[str, Any]


@dataclass(frozen=True)
class Hop:
    """One step of the expected path; `document` is None where nothing answers it.

    A step that another tool than document search answers names it, and as its `document` the
    source that the tool's results have.
    """

    question: str
    document: str | None
    tool: str = ""


@dataclass(frozen=True)
class Question:
    """One case: what is asked, by whom, and what would be right.

    `answers` are accepted forms of the whole answer. `parts` lists, for each part that must be
    there, its accepted forms. `gold` lists the pieces of evidence, each as the documents (paths
    or ids) of which any one will do; `quotes` are verbatim sentences that prove the answer,
    where the set has them. An empty `parts` with answerable "yes" means that nobody wrote the
    answer down: then citing the evidence is what can be checked.
    """

    id: str
    question: str
    answers: tuple[str, ...] = ()
    parts: tuple[tuple[str, ...], ...] = ()
    gold: tuple[tuple[str, ...], ...] = ()
    quotes: tuple[str, ...] = ()
    answerable: Answerable = "yes"
    missing: str = ""
    type: str = "single"
    lang: str = ""
    hops: int = 1
    expected_path: tuple[Hop, ...] = ()
    split: str = ""
    user: str | None = None
    groups: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    """Answers known to be wrong (look-alikes): an answer that holds one is wrong."""
    asked_on: str = ""
    """The day from which "this year" counts; empty: the day on which it is asked."""
    outside: frozenset[str] = frozenset()
    """Sources among the evidence that are no documents: what a tool has read."""

    @property
    def documents(self) -> frozenset[str]:
        """Every document that is evidence for something."""
        return frozenset(one for piece in self.gold for one in piece)


@dataclass(frozen=True)
class Passage:
    """A passage that comes with a set; it becomes a document whose source is `id`."""

    id: str
    title: str
    text: str
    lang: str = ""


@dataclass(frozen=True)
class Problem:
    """Something that cannot be used, and where it stands: "questions.jsonl, line 12"."""

    where: str
    what: str

    def __str__(self) -> str:
        """One line for people."""
        return f"{self.where}: {self.what}"


@dataclass(frozen=True)
class Dataset:
    """Questions, and what they are about: passages, or a folder of documents.

    With neither, they are about the knowledge base that is there.
    """

    name: str
    questions: tuple[Question, ...]
    passages: tuple[Passage, ...] = ()
    documents: Path | None = None
    problems: tuple[Problem, ...] = ()
    origin: Json = field(default_factory=dict)
    """Path and sha256 of what was read; kept with the results."""

    @property
    def self_contained(self) -> bool:
        """Whether it is asked on a knowledge base of its own."""
        return bool(self.passages or self.documents)
