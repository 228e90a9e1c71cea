"""Search for exact words in the documents of the knowledge base, as a tool."""

from typing import Any

from retrieval.access import Identity
from retrieval.filters import EVERYTHING, Filters, narrowed
from retrieval.knowledge_base import KnowledgeBase
from retrieval.tools.documents import passages_of, query_of
from retrieval.tools.registry import Tool, ToolResult

NAME = "search_keywords"
_DESCRIPTION = (
    'Finds passages that hold exact words: a code (ERR_4021), a name, a number, a "phrase in '
    'quotes". Not for questions in other words than those of the documents.'
)
_PARAMETERS = {
    "type": "object",
    "properties": {
        "query": {
            "type": "string",
            "description": "The words; a phrase that must stand as it is in double quotes.",
        }
    },
    "required": ["query"],
    "additionalProperties": False,
}


def search_keywords(knowledge_base: KnowledgeBase, filters: Filters = EVERYTHING) -> Tool:
    """The tool that finds passages by their words alone, in what the filters let through."""

    def run(arguments: dict[str, Any], identity: Identity, top_k: int) -> ToolResult:
        query = query_of(NAME, arguments)
        return passages_of(knowledge_base.search_words(query, identity, top_k, filters))

    def filtered(further: Filters) -> Tool:
        return search_keywords(knowledge_base, narrowed(filters, further))

    return Tool(NAME, _DESCRIPTION, _PARAMETERS, run, private=True, filtered=filtered)
