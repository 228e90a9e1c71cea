"""The tools of the settings, opened."""

from collections.abc import Mapping
from contextlib import ExitStack

from graph.settings import Settings, settings_file
from retrieval.filters import Filters
from retrieval.knowledge_base import KnowledgeBase
from retrieval.tools.database import query_database
from retrieval.tools.database_reading import Reader
from retrieval.tools.documents import search_documents
from retrieval.tools.registry import Tool, registry


def open_tools(
    settings: Settings, knowledge_base: KnowledgeBase, opened: ExitStack
) -> Mapping[str, Tool]:
    """By name; what has to be closed again is left to `opened`."""
    tools = [search_documents(knowledge_base), *_in_collections(settings, knowledge_base)]
    if readers := database_readers(settings):
        for reader in readers:
            opened.callback(reader.close)
        tools.append(query_database(readers))
    return registry(*tools)


def _in_collections(settings: Settings, knowledge_base: KnowledgeBase) -> list[Tool]:
    return [
        search_documents(
            knowledge_base,
            Filters(collections=tuple(one.collections)),
            name=name,
            description=one.description,
        )
        for name, one in settings.tools.documents.items()
    ]


def database_readers(settings: Settings) -> list[Reader]:
    """The databases of the settings; none is connected to before it is read."""
    folder = settings_file(settings.home).parent
    return [Reader(one, folder) for one in settings.tools.databases]
