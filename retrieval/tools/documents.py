"""Search in the documents of the knowledge base, as a tool."""

from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from retrieval.access import Identity
from retrieval.errors import ToolError
from retrieval.filters import EVERYTHING, Filters, narrowed
from retrieval.knowledge_base import Hit, KnowledgeBase, SearchResult
from retrieval.tools.registry import Tool, ToolResult

NAME = "search_documents"
_DESCRIPTION = (
    "Finds passages of the documents by meaning and by words. For rules, descriptions and facts "
    "that somebody wrote down; not for figures that change from day to day."
)
_PARAMETERS = {
    "type": "object",
    "properties": {"query": {"type": "string", "description": "What to look for, in words."}},
    "required": ["query"],
    "additionalProperties": False,
}


def search_documents(
    knowledge_base: KnowledgeBase,
    filters: Filters = EVERYTHING,
    *,
    name: str = NAME,
    description: str = _DESCRIPTION,
) -> Tool:
    """The tool that finds passages by meaning and by words, in what the filters let through."""

    def run(arguments: dict[str, Any], identity: Identity, top_k: int) -> ToolResult:
        query = query_of(name, arguments)
        return passages_of(knowledge_base.search(query, identity, top_k, filters))

    def filtered(further: Filters) -> Tool:
        within = narrowed(filters, further)
        return search_documents(knowledge_base, within, name=name, description=description)

    return Tool(
        name, description, _PARAMETERS, run, private=True, version=_version(filters),
        filtered=filtered,
    )  # fmt: skip


def _version(filters: Filters) -> str:
    """Changes with what a tool is limited to, so that no result of a wider one is replayed."""
    return "" if filters == EVERYTHING else sha256(repr(filters).encode()).hexdigest()[:16]


def query_of(name: str, arguments: dict[str, Any]) -> str:
    """The query that the tool `name` is called with; `ToolError` for an empty one."""
    query = str(arguments["query"]).strip()
    if not query:
        raise ToolError(f"The query of {name} is empty.")
    return query


def passages_of(found: SearchResult) -> ToolResult:
    """What a search found, as passages that were read now."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return ToolResult([passage(hit, now) for hit in found.hits], found.degraded)


def passage(hit: Hit, retrieved_at: str) -> dict[str, Any]:
    """A hit as a run keeps it; `id` is that of the chunk."""
    chunk, document = hit.chunk, hit.document
    return {
        "id": chunk.id,
        "document_id": document.id,
        "chunk_id": chunk.id,
        "source": document.source,
        "title": document.title,
        "heading": chunk.heading,
        "page": chunk.page,
        "page_breaks": list(chunk.page_breaks),
        "text": chunk.text,
        "columns": columns(chunk.prefix),
        "start": chunk.start,
        "end": chunk.end,
        "sha256": document.sha256,
        "version": document.version,
        "effective_from": document.effective_from,
        "effective_to": document.effective_to,
        "authority": document.authority,
        "language": document.language,
        "scores": hit.scores,
        "retrieved_at": retrieved_at,
    }


def columns(prefix: str) -> str:
    """The header row that a chunk's prefix repeats for a piece of a table, or ""."""
    return next((line for line in prefix.splitlines() if line.lstrip().startswith("|")), "")
