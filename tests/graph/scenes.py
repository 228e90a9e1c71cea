"""Agents over a scripted policy and scripted searches, with documents that can change."""

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from graph.agent import Agent
from graph.ledger import Ledger
from graph.store import SqliteStore, Store
from nodes.services import Services
from retrieval.access import Identity
from retrieval.tools.registry import Tool
from tests.nodes.scripting import Script, Search, honest, passage, planned

QUESTION = "Ai sáng lập Lab Delta?"
TEXT = "Lab Delta do Minh Tran sáng lập năm 2019."
ANSWER = "Minh Tran"


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


class Documents:
    """Documents by id, as search finds them and as the catalogue knows them."""

    def __init__(self, **texts: str) -> None:
        self.texts = texts
        self.changes = 1

    def put(self, name: str, text: str | None) -> None:
        self.changes += 1
        if text is None:
            del self.texts[name]
        else:
            self.texts[name] = text

    def found(self, query: str) -> list[dict[str, Any]]:
        return [
            passage(text, name, document_id=name, sha256=digest(text))
            for name, text in self.texts.items()
        ]

    def hashes(self, ids: Sequence[str], identity: Identity) -> dict[str, str]:
        return {one: digest(self.texts[one]) for one in ids if one in self.texts}


def honest_script(**roles: Any) -> Script:
    """Asks the question itself, and believes the passage that names the founder."""
    return Script(
        **{
            "plan": lambda view: planned(view["original_question"]),
            "grade": honest({TEXT: ANSWER}),
            **roles,
        }
    )


def agent_on(
    store: Store | Path,
    policy: Any = None,
    *tools: Tool,
    documents: Documents | None = None,
) -> Agent:
    """An agent on a run store whose tools find the documents."""
    opened = SqliteStore(store / "runs.sqlite") if isinstance(store, Path) else store
    documents = documents or Documents(d=TEXT)
    tools = tools or (Search(documents.found).tool(),)
    services = Services(
        policy=policy or honest_script(),
        tools={tool.name: tool for tool in tools},
        ledger=Ledger(opened),
        generation=lambda: documents.changes,
        hashes=documents.hashes,
        close=opened.close if isinstance(store, Path) else lambda: None,
    )
    return Agent(services, opened)


class Crash(BaseException):
    """What ends a process in the middle of a call, as far as a run can tell."""


def crashing_once(judgement: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A role that dies the first time that it is asked."""
    asked = []

    def role(view: Any) -> Any:
        asked.append(view)
        if len(asked) == 1:
            raise Crash
        return judgement(view)

    return role
