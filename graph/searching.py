"""The knowledge base of the settings, with the reranker that they name."""

from graph.settings import Settings
from retrieval.embeddings.protocol import Embedder
from retrieval.errors import UsageError
from retrieval.knowledge_base import KnowledgeBase, open_knowledge_base
from retrieval.ranking import Tuning
from retrieval.rerank import Reranker

_CROSS_ENCODER = "cross-encoder:"


def open_search(settings: Settings, embedder: Embedder) -> KnowledgeBase:
    """The knowledge base for reading; raises as `open_knowledge_base`, and `UsageError`."""
    return open_knowledge_base(
        settings.home,
        embedder,
        settings.server_url(),
        tuning=Tuning(rerank=settings.reranker != "none"),
        reranker=_reranker(settings),
    )


def _reranker(settings: Settings) -> Reranker | None:
    name = settings.reranker
    if name in ("best-sentence", "none"):
        return None
    if not name.startswith(_CROSS_ENCODER):
        raise UsageError(
            f"There is no reranker {name!r}: set GROUNDHOP_RERANKER to best-sentence, none, or "
            f"{_CROSS_ENCODER}<name or folder>."
        )
    from retrieval.cross_encoder import CrossEncoderReranker

    return CrossEncoderReranker(name.removeprefix(_CROSS_ENCODER), settings.reranker_device)
