"""The catalogue on PostgreSQL: the same promises, seen from several machines."""

from pathlib import Path

import pytest

from ingest.sync import sync
from retrieval.access import Identity
from retrieval.catalogue import open_catalogue
from retrieval.embeddings.open import open_embedder
from retrieval.errors import KnowledgeBaseError, NothingIngestedError
from retrieval.knowledge_base import CATALOGUE, open_knowledge_base
from tests.graph.conftest import postgres_url

__all__ = ["postgres_url"]

TEXT = "# Nghỉ phép\n\nNhân viên thử việc được nghỉ 6 ngày mỗi năm.\n"


def write(folder: Path, **texts: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.md").write_text(text)
    return folder


def test_documents_are_ingested_searched_changed_and_removed(
    tmp_path: Path, postgres_url: str
) -> None:
    home, embedder = tmp_path / "home", open_embedder("hashing:64")
    with pytest.raises(NothingIngestedError, match="Nothing has been ingested in postgresql"):
        open_knowledge_base(home, embedder, postgres_url)
    files = write(tmp_path / "files", phep=TEXT, luong="# Lương\n\nLương trả ngày 5.\n")
    report = sync(home, [files], embedder, catalogue_url=postgres_url)
    assert (report.added, report.failed) == (2, [])
    assert not (home / CATALOGUE).exists()

    base = open_knowledge_base(home, embedder, postgres_url)
    found = base.search("thử việc được nghỉ mấy ngày", Identity(), 3)
    assert "6 ngày" in found.hits[0].chunk.text
    document = found.hits[0].document
    assert base.hashes([document.id, "không có"], Identity()) == {document.id: document.sha256}

    write(files, phep=TEXT.replace("6 ngày", "8 ngày"))
    (files / "luong.md").unlink()
    report = sync(home, [files], embedder, catalogue_url=postgres_url)
    assert (report.changed, report.removed) == (1, 1)
    assert "8 ngày" in base.search("thử việc", Identity(), 3).hits[0].chunk.text
    assert base.hashes([document.id], Identity()) != {document.id: document.sha256}
    base.close()
    embedder.close()


def test_of_two_machines_that_ingest_one_is_told_to_wait(tmp_path: Path, postgres_url: str) -> None:
    files, embedder = write(tmp_path / "files", phep=TEXT), open_embedder("hashing:64")
    catalogue = open_catalogue(tmp_path / CATALOGUE, create=True, url=postgres_url)
    with (
        catalogue.held(),
        pytest.raises(KnowledgeBaseError, match="Another machine is ingesting into postgresql"),
    ):
        sync(tmp_path / "other", [files], embedder, catalogue_url=postgres_url)
    assert sync(tmp_path / "home", [files], embedder, catalogue_url=postgres_url).failed == []
    catalogue.close()
    embedder.close()


def test_a_server_that_does_not_answer_is_one_sentence_without_the_password(
    tmp_path: Path, postgres_url: str
) -> None:
    url = "postgresql://user:bimat@127.0.0.1:1/none"
    with pytest.raises(KnowledgeBaseError, match="cannot be used") as caught:
        open_catalogue(tmp_path / CATALOGUE, url=url)
    assert "bimat" not in str(caught.value)


def test_a_second_machine_derives_its_own_indexes_from_the_same_catalogue(
    tmp_path: Path, postgres_url: str
) -> None:
    files, embedder = write(tmp_path / "files", phep=TEXT), open_embedder("hashing:64")
    for home in (tmp_path / "first", tmp_path / "second"):
        assert sync(home, [files], embedder, catalogue_url=postgres_url).failed == []
    for home in (tmp_path / "first", tmp_path / "second"):
        base = open_knowledge_base(home, embedder, postgres_url)
        found = base.search("thử việc", Identity(), 3)
        assert found.degraded == []
        assert "6 ngày" in found.hits[0].chunk.text
        base.close()
    embedder.close()
