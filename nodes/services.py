"""What the nodes are given: a policy, tools, a ledger. Passed in when the graph is built."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from policy.protocol import Policy
from retrieval.access import Identity
from retrieval.filters import Filters
from retrieval.tools.registry import Tool
from state.types import Limits

Json = dict[str, Any]


@dataclass(frozen=True)
class Entry:
    """What the ledger says of one call.

    `result` is None and `error` a sentence where the call failed. `attempts` counts how often
    it was begun, `seconds` and `tokens` and `money` add up over all attempts, `replayed` tells
    that nothing was run because an earlier process had finished it.
    """

    result: Json | None
    error: str | None
    attempts: int
    seconds: float
    tokens: int
    money: float
    replayed: bool


class Ledger(Protocol):
    """Runs a call once: a finished one is answered from the record."""

    def call(self, key: Json, work: Callable[[], Json]) -> Entry:
        """Look `key` up; else run `work`, commit its result, and return it.

        A `GroundhopError` or other exception of a tool is recorded and returned as `error`
        where the key's kind is "tool", and raised again where it is "policy".
        """
        ...

    def settle(self, thread: str) -> None:
        """Wait until no call of a thread is running in this process."""
        ...


@dataclass(frozen=True)
class Services:
    """Everything a node may use beside the state."""

    policy: Policy
    tools: Mapping[str, Tool]
    ledger: Ledger
    generation: Callable[[], int]
    """The generation of the index, part of every ledger key."""
    hashes: Callable[[Sequence[str], Identity], dict[str, str]] | None = None
    """The hash of the text of each document (by id) that is there and that the asker may read,
    to tell evidence that no longer stands; None where nothing can be looked up."""
    authority: Mapping[str, float] = field(default_factory=dict)
    """How much sources count (0 to 1), by the name that documents state, or that of a tool."""
    allow: frozenset[str] = frozenset()
    """Tools that may reach outside beside private data and untrusted content."""
    close: Callable[[], None] = lambda: None
    """Closes what was opened for the services."""


class RunContext(Protocol):
    """Who asks and with which limits; the graph's context schema provides it."""

    user: str | None
    groups: list[str]
    depth: int
    pause: bool
    web: bool
    as_of: str
    today: str

    def limits(self) -> Limits:
        """The budget's limits."""
        ...

    def filters(self) -> Filters:
        """What a document must be for the run's searches to find it."""
        ...
