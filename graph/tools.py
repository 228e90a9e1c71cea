"""The tools of the settings, opened."""

from collections.abc import Iterable, Mapping
from contextlib import ExitStack

from graph.external_tools import external_tools
from graph.settings import Settings
from retrieval.errors import UsageError
from retrieval.filters import Filters
from retrieval.knowledge_base import KnowledgeBase
from retrieval.tools.database import query_database
from retrieval.tools.database_reading import Reader
from retrieval.tools.documents import search_documents
from retrieval.tools.keywords import search_keywords
from retrieval.tools.registry import Tool, registry


def open_tools(
    settings: Settings,
    knowledge_base: KnowledgeBase,
    opened: ExitStack,
    given: Iterable[Tool] = (),
) -> Mapping[str, Tool]:
    """By name, with those that are `given` in code; `opened` closes what has to be closed.

    Raises UsageError for tools that cannot be, and for two of one name.
    """
    tools = [search_documents(knowledge_base), search_keywords(knowledge_base)]
    tools += _in_collections(settings, knowledge_base)
    if readers := database_readers(settings):
        for reader in readers:
            opened.callback(reader.close)
        tools.append(query_database(readers))
    tools += [*external_tools(settings), *given]
    try:
        return registry(*tools)
    except ValueError as error:
        raise UsageError(f"{error}. Change one of them in [tools] of groundhop.toml.") from None


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
    return [Reader(one, settings.folder()) for one in settings.tools.databases]
