"""What is compared: `closed` (no documents), `single` (one search, then answer), `agent`.

All three are the policy of the settings. `single` goes through the same graph with the same
judge, but with one subgoal (the question as it was asked), one search and no rewrite: what
differs is the hopping alone.
"""

import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundhop.evaluation.integrity import Lookup, checked
from groundhop.evaluation.recording import Record, WatchedLedger, record
from groundhop.evaluation.schema import Json, Question
from groundhop.evaluation.single import SingleShot
from retrieval.errors import GroundhopError, UsageError
from state.budget import DEFAULT_LIMITS

if TYPE_CHECKING:
    from graph.context import Context
    from graph.settings import Settings
    from nodes.services import Services
    from retrieval.embeddings.protocol import Embedder

KINDS = ("closed", "single", "agent")
Ask = Callable[[Question], Record]


@dataclass(frozen=True)
class System:
    """One column of the comparison: a kind, the settings file that it runs with, if any, and the
    seconds that a question may take."""

    name: str
    kind: str
    file: Path | None = None
    seconds: float = DEFAULT_LIMITS["seconds"]

    @property
    def needs_support(self) -> bool:
        """Whether a right answer must cite its evidence; without documents it cannot."""
        return self.kind != "closed"


def parse(text: str) -> System:
    """A system from the command line: a kind, "kind:settings.toml", or a settings file alone."""
    kind, _, file = text.partition(":")
    if kind in KINDS and not file:
        return System(kind, kind)
    if kind not in KINDS:
        kind, file = "agent", text
    path = Path(file)
    if not path.is_file():
        raise UsageError(
            f"There is no system {text!r}: name closed, single, agent, or a settings file "
            f"(agent:FILE.toml), or a saved run (run:NAME)."
        )
    return System(f"{kind}:{path.stem}", kind, path)


@contextmanager
def opened(
    systems: Sequence[System], home: Path, embedder: "Embedder", *, own_home: bool
) -> Iterator[Mapping[str, tuple[Ask, Json]]]:
    """The systems over the knowledge base in `home`: how to ask each, and what it is made of.

    `own_home` says that the knowledge base was made for a data set, so that runs stay in it too.
    """
    found: dict[str, tuple[Ask, Json]] = {}
    with ExitStack() as stack:
        lookup = stack.enter_context(_documents(home))
        for system in systems:
            settings = _settings(system, home, own_home)
            found[system.name] = stack.enter_context(_open(system, settings, embedder, lookup))
        yield found


@contextmanager
def _open(
    system: System, settings: "Settings", embedder: "Embedder", lookup: Lookup
) -> Iterator[tuple[Ask, Json]]:
    if system.kind == "closed":
        from groundhop.evaluation.closed import ask_closed

        asker, made_of = ask_closed(settings)
        yield asker, made_of
        return
    from graph.agent import Agent
    from graph.services import open_services
    from graph.store import store_of

    with ExitStack() as stack:
        store = store_of(settings)
        stack.callback(store.close)
        services = open_services(settings, _Shared(embedder), lambda: store)
        stack.callback(services.close)
        watched = WatchedLedger(services.ledger)
        single = system.kind == "single"
        policy = SingleShot(services.policy) if single else services.policy
        used = replace(services, policy=policy, ledger=watched)
        agent = Agent(used, store)
        stack.callback(agent.close)
        yield _asker(agent, watched, lookup, system), _made_of(used, settings)


def _asker(agent: Any, watched: WatchedLedger, lookup: Lookup, system: System) -> Ask:
    def ask(question: Question) -> Record:
        thread = f"eval-{uuid.uuid4()}"
        begun = time.perf_counter()
        try:
            result = agent.ask(question.question, thread=thread, context=_context(question, system))
        except GroundhopError as error:
            watched.take(thread)
            seconds = round(time.perf_counter() - begun, 4)
            return Record("failed", "error", seconds=seconds, thread=thread, error=str(error))
        seconds = time.perf_counter() - begun
        return checked(record(result, watched.take(thread), seconds), question, lookup)

    return ask


def _context(question: Question, system: System) -> "Context":
    from graph.context import Context

    context = Context(
        user=question.user,
        groups=list(question.groups),
        today=question.asked_on,
        seconds=system.seconds,
    )
    return context.model_copy(update={"rewrites": 0}) if system.kind == "single" else context


def _made_of(services: "Services", settings: "Settings") -> Json:
    return {
        "policy": services.policy.name,
        "version": services.policy.version,
        "embedding": settings.embedding,
        "generation": services.generation(),
        "home": str(settings.home),
    }


def _settings(system: System, home: Path, own_home: bool) -> "Settings":
    """The settings of a system; those of a file stand above `groundhop.toml`."""
    from graph.settings import Settings, load_settings

    if system.file is None:
        settings = load_settings(home)
    else:
        config = {**Settings.model_config, "toml_file": system.file}
        chosen: type[Settings] = type("Settings", (Settings,), {"model_config": config})
        try:
            settings = chosen(home=home)
        except ValueError as error:
            raise UsageError(f"{system.file} cannot be used: {error}") from None
    return settings.model_copy(update={"database_url": None}) if own_home else settings


@contextmanager
def _documents(home: Path) -> Iterator[Lookup]:
    from functools import lru_cache

    from retrieval.catalogue import open_catalogue
    from retrieval.errors import KnowledgeBaseError
    from retrieval.knowledge_base import CATALOGUE

    catalogue = open_catalogue(home / CATALOGUE)

    @lru_cache(maxsize=4096)
    def lookup(identifier: str) -> Any:
        try:
            found = catalogue.document(identifier)
            return found and (found.text, found.access)
        except KnowledgeBaseError:
            return None

    try:
        yield lookup
    finally:
        catalogue.close()


class _Shared:
    """An embedder that several systems use; who opened it closes it."""

    def __init__(self, embedder: "Embedder") -> None:
        self._embedder = embedder

    def __getattr__(self, name: str) -> Any:
        return getattr(self._embedder, name)

    def close(self) -> None:
        """Nothing: others go on using it."""
