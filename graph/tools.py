"""The tools of the settings, opened."""

from collections.abc import Mapping
from contextlib import ExitStack

from graph.settings import Settings
from retrieval.knowledge_base import KnowledgeBase
from retrieval.tools.documents import search_documents
from retrieval.tools.registry import Tool, registry


def open_tools(
    settings: Settings, knowledge_base: KnowledgeBase, opened: ExitStack
) -> Mapping[str, Tool]:
    """By name; what has to be closed again is left to `opened`."""
    return registry(search_documents(knowledge_base))
