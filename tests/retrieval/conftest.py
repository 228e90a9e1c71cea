from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path

import pytest

from retrieval.access import Access
from retrieval.catalogue import Catalogue, Chunk, Document, open_catalogue, search_text
from retrieval.dense import DenseIndex
from retrieval.embeddings.hashing import HashingEmbedder
from retrieval.knowledge_base import KnowledgeBase, open_knowledge_base
from retrieval.lexical import LexicalIndex, load_lexical
from retrieval.lexical_build import build_lexical
from state.language import detect_language


def document(name: str, text: str, access: Access = None, version: str = "") -> Document:
    digest = sha256(text.encode()).hexdigest()
    return Document(name, f"{name}.md", name, text, digest, detect_language(text), version, access)


def whole(of: Document) -> list[Chunk]:
    return [Chunk(f"{of.id}-0", of.id, 0, of.text, 0, len(of.text))]


def write(home: Path, documents: Sequence[Document], removed: Sequence[str] = ()) -> None:
    """What an ingest does, in its order: catalogue, vectors, lexical index, markers."""
    embedder = HashingEmbedder(256)
    catalogue = open_catalogue(home / "catalogue.sqlite", create=True)
    catalogue.put_setting("embedding_model", embedder.name)
    for one in documents:
        catalogue.replace(one, whole(one))
    for name in removed:
        catalogue.remove(name)
    write_indexes(home, catalogue)
    catalogue.close()


def write_indexes(home: Path, catalogue: Catalogue) -> None:
    embedder, pending = HashingEmbedder(256), catalogue.pending()
    found = catalogue.chunks(pending.upsert)
    dense = DenseIndex(home / "vectors", embedder.name, create=True)
    dense.delete(pending.delete)
    chunks = [found[one] for one in pending.upsert]
    vectors = embedder.passages([search_text(chunk) for chunk, _ in chunks])
    dense.upsert([chunk.id for chunk, _ in chunks], vectors)
    dense.close()
    passages = ((chunk.id, search_text(chunk)) for chunk, _ in catalogue.all_chunks())
    build_lexical(home / "lexical", passages, catalogue.generation())
    catalogue.clear_pending([*pending.upsert, *pending.delete])


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def knowledge_base_of(home: Path) -> Iterator[Callable[..., KnowledgeBase]]:
    """A function that makes a knowledge base of documents: one chunk each, "NAME-0"."""
    opened = []

    def make(*documents: Document) -> KnowledgeBase:
        write(home, documents)
        opened.append(open_knowledge_base(home, HashingEmbedder(256)))
        return opened[-1]

    yield make
    for one in opened:
        one.close()


@pytest.fixture
def lexical_of(tmp_path: Path) -> Callable[..., LexicalIndex]:
    """A function that makes a lexical index of texts whose ids are "0", "1" and so on."""

    def make(*texts: str) -> LexicalIndex:
        build_lexical(tmp_path / "lexical", ((str(n), text) for n, text in enumerate(texts)), 1)
        return load_lexical(tmp_path / "lexical")

    return make
