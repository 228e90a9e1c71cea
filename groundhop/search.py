"""`groundhop search`: what the knowledge base finds for a query, and why in this order."""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundhop import failures
from groundhop.printing import count, err, in_home, one_line, out, show, to_json

if TYPE_CHECKING:
    from retrieval.access import Identity
    from retrieval.filters import Filters
    from retrieval.knowledge_base import Hit, SearchResult

_STAGES = ("dense", "bm25", "fused", "reranked")


def search(
    query: str,
    home: Path | None,
    identity: "Identity",
    filters: "Filters",
    depth: int,
    explain: bool,
    as_json: bool,
) -> None:
    """Print the best passages; with `explain`, each stage's rank and score."""
    from graph.embeddings import open_embeddings
    from graph.searching import open_search
    from graph.settings import load_settings

    if not query.strip():
        failures.fail("The query is empty: say what to look for.", failures.USAGE)
    settings = load_settings(home)
    with (
        closing(open_embeddings(settings)) as embedder,
        closing(open_search(settings, embedder)) as knowledge_base,
    ):
        found = knowledge_base.search(query, identity, depth, filters)
    for sentence in found.degraded:
        show(err(), in_home(home, sentence))
    if as_json:
        out().print(to_json(_as_json(query, found)), soft_wrap=True)
        return
    for rank, hit in enumerate(found.hits, start=1):
        _print_hit(rank, hit, explain)
    show(out(), count(len(found.hits), "passage") + (_ranked_by(found) if found.hits else ""))


def _print_hit(rank: int, hit: "Hit", explain: bool) -> None:
    document, chunk = hit.document, hit.chunk
    where = [document.source, chunk.heading, f"page {chunk.page}" if chunk.page else ""]
    version = f"version {document.version}" if document.version else ""
    console = out()
    show(console, f"{rank}. {' · '.join(filter(None, [*where, version]))}")
    show(console, f"   {one_line(chunk.text, 240)}")
    if explain:
        show(console, f"   {explanation(hit)}")


def explanation(hit: "Hit") -> str:
    """Such as "dense 0.91 (rank 2) · bm25 8.89 (rank 5) · fused 0.92 (rank 1) · reranked 0.95"."""
    parts = []
    for stage in _STAGES:
        if stage in hit.scores:
            rank = hit.scores.get(f"{stage}_rank")
            placed = f" (rank {rank:.0f})" if rank else ""
            parts.append(f"{stage} {hit.scores[stage]:.3f}{placed}")
        elif stage != "reranked":
            parts.append(f"{stage} –")
    return " · ".join([*parts, f"placed by {hit.ranked_by}"])


def _ranked_by(found: "SearchResult") -> str:
    stages = list(dict.fromkeys(hit.ranked_by for hit in found.hits))
    return f", placed by {', then '.join(stages)}"


def _as_json(query: str, found: "SearchResult") -> dict[str, Any]:
    hits = [
        {
            "source": hit.document.source,
            "title": hit.document.title,
            "heading": hit.chunk.heading,
            "page": hit.chunk.page,
            "version": hit.document.version,
            "chunk_id": hit.chunk.id,
            "start": hit.chunk.start,
            "end": hit.chunk.end,
            "text": hit.chunk.text,
            "scores": hit.scores,
            "ranked_by": hit.ranked_by,
        }
        for hit in found.hits
    ]
    return {"query": query, "hits": hits, "degraded": found.degraded}
