"""Groundhop: answers over documents, hop by hop, with evidence that can be checked.

    from groundhop import Agent, Context

    with Agent.open() as agent:
        print(agent.ask("Ai sáng lập Lab Delta?", context=Context(steps=4)).text)

The names are imported when they are first used, because the graph takes a second to import.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graph.agent import Agent, Result
    from graph.build import build_graph
    from graph.context import Context
    from graph.services import open_services
    from retrieval.errors import GroundhopError

__all__ = ["Agent", "Context", "GroundhopError", "Result", "build_graph", "open_services"]

_HOMES = {
    "Agent": "graph.agent",
    "Result": "graph.agent",
    "Context": "graph.context",
    "GroundhopError": "retrieval.errors",
    "build_graph": "graph.build",
    "open_services": "graph.services",
}


def __getattr__(name: str) -> Any:
    """A public name, from the module that defines it."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """What `dir` and completion show."""
    return [*globals(), *_HOMES]
