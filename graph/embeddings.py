"""The embedding model of the settings.

Apart from `graph.services`, so that a model that loads in a process of its own can be started
before everything else is imported.
"""

from graph.settings import Settings
from retrieval.embeddings.cache import cached
from retrieval.embeddings.open import open_embedder
from retrieval.embeddings.protocol import Embedder


def open_embeddings(settings: Settings) -> Embedder:
    """The embedding model of the settings, behind the cache of the data folder."""
    key = settings.embedding_api_key
    embedder = open_embedder(
        settings.embedding,
        base_url=settings.embedding_base_url,
        api_key=key.get_secret_value() if key else None,
    )
    return cached(embedder, settings.home / "embeddings.sqlite")
