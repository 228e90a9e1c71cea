"""Building what the nodes need from the settings."""

from pathlib import Path

from graph.database import runs_path
from graph.ledger import SqliteLedger
from graph.settings import Settings
from nodes.services import Services
from policy.extractive import Extractive
from retrieval.embeddings.cache import cached
from retrieval.embeddings.open import open_embedder
from retrieval.embeddings.protocol import Embedder
from retrieval.knowledge_base import KnowledgeBase, open_knowledge_base
from retrieval.support import support_scorer
from retrieval.tools.documents import search_documents


def open_embeddings(settings: Settings) -> Embedder:
    """The embedding model of the settings, behind the cache of the data folder."""
    key = settings.embedding_api_key
    embedder = open_embedder(
        settings.embedding,
        base_url=settings.embedding_base_url,
        api_key=key.get_secret_value() if key else None,
    )
    return cached(embedder, settings.home / "embeddings.sqlite")


def open_services(settings: Settings) -> Services:
    """Everything a run needs; raises KnowledgeBaseError where nothing was ingested."""
    embedder = open_embeddings(settings)
    try:
        knowledge_base = open_knowledge_base(settings.home, embedder)
    except BaseException:
        embedder.close()
        raise
    return services_for(knowledge_base, settings.home)


def services_for(knowledge_base: KnowledgeBase, home: Path) -> Services:
    """The services of an open knowledge base: the policy without a model, and document search."""
    tool = search_documents(knowledge_base)
    return Services(
        policy=Extractive(support_scorer(knowledge_base)),
        tools={tool.name: tool},
        ledger=SqliteLedger(runs_path(home)),
        generation=knowledge_base.generation,
        close=knowledge_base.close,
    )
