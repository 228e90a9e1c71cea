"""What a sync tells while it runs, and at its end."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True)
class Progress:
    """A step of a sync.

    "discovered": `files` are known · "document": one more of them is done, `source` says which
    · "embedded": vectors of some more chunks are there · "indexing": the last step begins.
    `files_done` and `chunks` (embedded so far in this run) only grow.
    """

    event: Literal["discovered", "document", "embedded", "indexing"]
    files: int
    files_done: int = 0
    chunks: int = 0
    source: str = ""


OnProgress = Callable[[Progress], None]


@dataclass
class Report:
    """What a sync did: numbers of files, and (source, reason) of each that was not taken in.

    `moved` files have the content of one that is gone and are its document now. `notes` are
    (source, sentence) about files that were taken in all the same, and about rules. `documents`
    and `chunks` are what the knowledge base holds now. `other_kinds` counts the files left out
    by suffix (".zip"), `ignored` what an ignore file names; `seconds` is the time it took.
    """

    added: int = 0
    changed: int = 0
    moved: int = 0
    unchanged: int = 0
    removed: int = 0
    failed: list[tuple[str, str]] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)
    documents: int = 0
    chunks: int = 0
    seconds: float = 0.0
    other_kinds: dict[str, int] = field(default_factory=dict)
    ignored: int = 0

    def count(self, kind: Literal["added", "changed", "moved", "unchanged"]) -> None:
        """Count a file."""
        setattr(self, kind, getattr(self, kind) + 1)


@dataclass
class Plan:
    """What a sync would do: (source, what it was) of moved files, else the sources."""

    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    moved: list[tuple[str, str]] = field(default_factory=list)
    unchanged: int = 0
    removed: list[str] = field(default_factory=list)
    failed: list[tuple[str, str]] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)
    chunks: int = 0
    """How many chunks the added and changed files would have."""
