"""The tools of the settings, opened."""

from collections.abc import Mapping
from contextlib import ExitStack

from graph.settings import Settings
from retrieval.filters import Filters
from retrieval.knowledge_base import KnowledgeBase
from retrieval.tools.documents import search_documents
from retrieval.tools.registry import Tool, registry


def open_tools(
    settings: Settings, knowledge_base: KnowledgeBase, opened: ExitStack
) -> Mapping[str, Tool]:
    """By name; what has to be closed again is left to `opened`."""
    in_collections = (
        search_documents(
            knowledge_base,
            Filters(collections=tuple(one.collections)),
            name=name,
            description=one.description,
        )
        for name, one in settings.tools.documents.items()
    )
    return registry(search_documents(knowledge_base), *in_collections)
