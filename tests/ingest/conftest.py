"""Fixtures: a folder for documents, a knowledge base beside it, and an embedder without model."""

from collections.abc import Callable
from pathlib import Path

import pytest

from ingest.report import Report
from ingest.sync import sync
from retrieval.access import Identity, may_read
from retrieval.catalogue import Catalogue, Document, open_catalogue
from retrieval.dense import DenseIndex
from retrieval.embeddings.hashing import HashingEmbedder
from retrieval.lexical import load_lexical

Write = Callable[[str, str | bytes], Path]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder `tài liệu`, which is given to a sync."""
    path = tmp_path / "tài liệu"
    path.mkdir()
    return path


@pytest.fixture
def write(folder: Path) -> Write:
    """Writes a file below the folder."""

    def _write(name: str, content: str | bytes) -> Path:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return _write


class Base:
    """A knowledge base under test: synchronised, and read part by part."""

    def __init__(self, home: Path, folder: Path) -> None:
        self.home, self.folder = home, folder
        self.embedder = HashingEmbedder(32)

    def sync(self, *paths: Path, **options: object) -> Report:
        return sync(self.home, paths or (self.folder,), self.embedder, **options)  # type: ignore[arg-type]

    def catalogue(self) -> Catalogue:
        return open_catalogue(self.home / "catalogue.sqlite")

    def documents(self) -> dict[str, Document]:
        return {one.source: one for one in self.catalogue().documents()}

    def text(self, source: str) -> str:
        return self.catalogue().text(self.documents()[source].id)

    def chunk_ids(self) -> set[str]:
        return set(self.catalogue().chunk_documents())

    def vector_ids(self) -> set[str]:
        dense = DenseIndex(self.catalogue().vectors_folder(), self.embedder.name)
        try:
            return dense.ids()
        finally:
            dense.close()

    def nearest(self, *groups: str) -> list[tuple[str, float]]:
        """All chunks that members of the groups may see, with cosines to one question."""
        dense = DenseIndex(self.catalogue().vectors_folder(), self.embedder.name)
        try:
            vector = self.embedder.queries(["nội dung của mục giữ nguyên"])[0]
            found = dense.search(vector, 100)
        finally:
            dense.close()
        owners = self.catalogue().chunks([one for one, _ in found])
        asker = Identity("lan", frozenset(groups))
        return sorted(
            (one, round(cosine, 4))
            for one, cosine in found
            if may_read(asker, owners[one][1].access)
        )

    def lexical_ids(self) -> set[str]:
        return set(load_lexical(self.home / "lexical").chunk_ids)

    def assert_complete(self) -> None:
        """Every part holds the same chunks, and nothing is left to do."""
        catalogue = self.catalogue()
        assert self.vector_ids() == self.lexical_ids() == self.chunk_ids()
        assert catalogue.state().pending == 0
        assert load_lexical(self.home / "lexical").generation == catalogue.generation()


@pytest.fixture
def base(tmp_path: Path, folder: Path) -> Base:
    """A knowledge base that does not exist yet, in `.groundhop` beside the folder."""
    return Base(tmp_path / ".groundhop", folder)
