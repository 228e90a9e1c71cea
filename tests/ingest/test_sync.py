import os
import shutil
import stat
import unicodedata
from pathlib import Path

import pytest

from ingest.report import Progress
from ingest.rules import read_rules
from retrieval.access import Identity
from retrieval.embeddings.cache import cached
from retrieval.embeddings.hashing import HashingEmbedder
from retrieval.errors import KnowledgeBaseError
from retrieval.knowledge_base import open_knowledge_base
from state.sentences import sentences
from tests.ingest.conftest import Base, Write

PHEP = "# Nghỉ phép 2026\n\nNhân viên chính thức được nghỉ 15 ngày. Đơn gửi trước 2 ngày.\n"
LUONG = "---\naccess: [kế toán]\n---\n# Lương\n\nLương trả vào ngày 5 hằng tháng.\n"


def found_sources(base: Base, query: str, *groups: str) -> list[str]:
    knowledge_base = open_knowledge_base(base.home, base.embedder)
    identity = Identity("lan", frozenset(groups))
    result = knowledge_base.search(query, identity, 10)
    knowledge_base.close()
    assert result.degraded == []
    return [hit.document.source for hit in result.hits]


def test_files_are_taken_in_and_found(base: Base, write: Write) -> None:
    write("phép.md", PHEP)
    write("lương.md", LUONG)
    report = base.sync()
    assert (report.added, report.documents, report.chunks, report.failed) == (2, 2, 2, [])
    base.assert_complete()
    document = base.documents()["tài liệu/phép.md"]
    assert (document.title, document.version, document.language) == ("Nghỉ phép 2026", "2026", "vi")
    assert base.text("tài liệu/phép.md") == PHEP
    assert found_sources(base, "nghỉ bao nhiêu ngày")[0] == "tài liệu/phép.md"


def test_a_restricted_file_is_found_by_its_readers_only(base: Base, write: Write) -> None:
    write("phép.md", PHEP)
    write("lương.md", LUONG)
    base.sync()
    assert "tài liệu/lương.md" not in found_sources(base, "lương trả ngày nào")
    assert found_sources(base, "lương trả ngày nào", "kế toán")[0] == "tài liệu/lương.md"


def test_unchanged_files_are_not_embedded_again(
    base: Base, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("phép.md", PHEP)
    base.sync()
    generation = base.catalogue().generation()
    monkeypatch.setattr(HashingEmbedder, "passages", None)
    report = base.sync()
    assert (report.unchanged, report.added, report.changed) == (1, 0, 0)
    assert base.catalogue().generation() == generation


def test_a_changed_file_replaces_what_it_said(base: Base, write: Write) -> None:
    write("phép.md", PHEP + "\n## Cũ\n\nQuy định cũ về voi.\n")
    base.sync()
    write("phép.md", PHEP)
    assert base.sync().changed == 1
    base.assert_complete()
    assert base.catalogue().state().pending == 0
    assert base.text("tài liệu/phép.md") == PHEP


def test_a_deleted_file_vanishes_from_every_index(base: Base, write: Write) -> None:
    path = write("phép.md", PHEP)
    write("lương.md", LUONG)
    base.sync()
    path.unlink()
    assert base.sync().removed == 1
    base.assert_complete()
    assert list(base.documents()) == ["tài liệu/lương.md"]


def test_only_documents_below_the_given_folders_are_removed(base: Base, write: Write) -> None:
    write("a/phép.md", PHEP)
    write("b/lương.md", LUONG)
    base.sync()
    shutil.rmtree(base.folder / "b")
    assert base.sync(base.folder / "a").removed == 0
    assert base.sync(base.folder / "b").removed == 0
    assert set(base.documents()) == {"tài liệu/a/phép.md", "tài liệu/b/lương.md"}
    assert base.sync().removed == 1


def test_a_renamed_file_keeps_its_document_and_is_not_embedded_again(
    base: Base, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write("phép.md", PHEP)
    write("lương.md", LUONG)
    base.sync()
    before, chunks = base.documents()["tài liệu/phép.md"], base.chunk_ids()
    (base.folder / "nhân sự").mkdir()
    path.rename(base.folder / "nhân sự" / "nghỉ.md")
    monkeypatch.setattr(HashingEmbedder, "passages", None)
    report = base.sync()
    assert (report.moved, report.added, report.changed, report.removed) == (1, 0, 0, 0)
    assert base.documents()["tài liệu/nhân sự/nghỉ.md"].id == before.id
    assert base.chunk_ids() == chunks
    monkeypatch.undo()
    base.assert_complete()
    assert found_sources(base, "nghỉ bao nhiêu ngày")[0] == "tài liệu/nhân sự/nghỉ.md"


def test_a_new_file_at_the_old_name_of_a_moved_one_is_another_document(
    base: Base, write: Write
) -> None:
    path = write("phép.md", PHEP)
    base.sync()
    path.rename(path.with_name("phép cũ.md"))
    write("phép.md", "# Nghỉ phép 2027\n\nNhân viên được nghỉ 16 ngày.\n")
    report = base.sync()
    assert report.documents == 2
    assert base.text("tài liệu/phép cũ.md") == PHEP
    base.assert_complete()
    path.unlink()
    assert base.sync().removed == 1
    assert list(base.documents()) == ["tài liệu/phép cũ.md"]


def test_a_copy_is_a_document_of_its_own(base: Base, write: Write) -> None:
    write("phép.md", PHEP)
    base.sync()
    write("bản sao.md", PHEP)
    report = base.sync()
    assert (report.added, report.moved, report.unchanged) == (1, 0, 1)
    base.assert_complete()


def test_a_moved_file_comes_under_the_rules_of_its_new_place(base: Base, write: Write) -> None:
    path = write("phép.md", PHEP)
    rules = read_rules([{"match": "mật/**", "access": ["giám đốc"]}], base.folder)
    base.sync(rules=rules)
    (base.folder / "mật").mkdir()
    path.rename(base.folder / "mật" / "phép.md")
    assert base.sync(rules=rules).moved == 1
    assert base.documents()["tài liệu/mật/phép.md"].access == ("giám đốc",)
    assert found_sources(base, "nghỉ phép") == []


def test_a_known_file_keeps_its_name_whichever_folder_is_given(base: Base, write: Write) -> None:
    path = write("nhân sự/phép.md", PHEP)
    base.sync()
    for given in (path, path.parent, base.folder.parent):
        assert base.sync(given).unchanged == 1
    assert list(base.documents()) == ["tài liệu/nhân sự/phép.md"]


def test_two_folders_of_the_same_name_live_side_by_side(base: Base, write: Write) -> None:
    write("vi/docs/a.md", PHEP)
    write("en/docs/a.md", LUONG)
    base.sync(base.folder / "vi" / "docs")
    report = base.sync(base.folder / "en" / "docs")
    assert (report.added, report.removed, report.failed) == (1, 0, [])
    assert set(base.documents()) == {"docs/a.md", "en/docs/a.md"}
    assert base.sync(base.folder / "en" / "docs").unchanged == 1


def test_a_project_that_is_moved_as_a_whole_is_unchanged(
    base: Base, write: Write, tmp_path: Path
) -> None:
    write("phép.md", PHEP)
    base.sync()
    (tmp_path / "mới").mkdir()
    for path in (base.home, base.folder):
        path.rename(tmp_path / "mới" / path.name)
    moved = Base(tmp_path / "mới" / base.home.name, tmp_path / "mới" / base.folder.name)
    report = moved.sync()
    assert (report.unchanged, report.added, report.removed) == (1, 0, 0)


def test_a_folder_that_is_moved_takes_its_documents_along(
    base: Base, write: Write, tmp_path: Path
) -> None:
    write("phép.md", PHEP)
    base.sync()
    (tmp_path / "kho").mkdir()
    moved = base.folder.rename(tmp_path / "kho" / base.folder.name)
    assert base.sync(moved).unchanged == 1
    (moved / "phép.md").unlink()
    assert base.sync(moved).removed == 1


def test_two_names_that_are_spelt_alike_are_both_taken_in(base: Base, write: Write) -> None:
    write("phép.md", PHEP)
    write(unicodedata.normalize("NFD", "phép.md"), LUONG)
    if len(os.listdir(base.folder)) < 2:
        pytest.skip("this file system takes both spellings for one")
    for _ in range(2):
        base.sync()
        longer = f"{base.folder.parent.name}/tài liệu/phép.md"
        assert set(base.documents()) == {"tài liệu/phép.md", longer}


def test_a_name_whose_spelling_changes_is_still_taken_in(base: Base, write: Write) -> None:
    path = write(unicodedata.normalize("NFD", "phép.md"), PHEP)
    base.sync()
    path.rename(path.with_name("phép.md"))
    base.sync()
    assert list(base.documents()) == ["tài liệu/phép.md"]
    base.assert_complete()


def test_bad_files_are_one_line_each_and_the_rest_goes_on(base: Base, write: Write) -> None:
    write("nhị phân.md", b"\x00\x01")
    write("mã cũ.txt", "Điều".encode("utf-16-le")[:-1] + b"\xff")
    write("rỗng.md", "")
    write("lỗi.md", "---\naccess: [hr\n---\nBảng lương")
    write("phép.md", PHEP)
    report = base.sync()
    assert (report.added, report.documents) == (1, 1)
    assert [source for source, _ in report.failed] == [
        "tài liệu/lỗi.md",
        "tài liệu/mã cũ.txt",
        "tài liệu/nhị phân.md",
        "tài liệu/rỗng.md",
    ]
    assert all("\n" not in reason for _, reason in report.failed)
    base.assert_complete()


def test_a_file_that_is_spoilt_later_is_taken_out(base: Base, write: Write) -> None:
    write("phép.md", PHEP)
    base.sync()
    write("phép.md", "---\naccess: nhân sự\n---\n" + PHEP)
    [(_, reason)] = base.sync().failed
    assert reason.endswith("what an earlier run took from it was taken out")
    assert base.documents() == {}
    base.assert_complete()


def test_a_file_that_cannot_be_opened_stays_as_it_was(
    base: Base, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("phép.md", PHEP)
    base.sync()

    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("ingest.documents.read_bytes", refuse)
    report = base.sync()
    assert report.failed == [
        (
            "tài liệu/phép.md",
            "it cannot be read (permission denied); what an earlier run took from it stays",
        )
    ]
    assert list(base.documents()) == ["tài liệu/phép.md"]


def test_documents_of_a_folder_that_cannot_be_read_stay(
    base: Base, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("mật/phép.md", PHEP)
    base.sync()
    listdir = os.listdir

    def refuse(path: Path) -> list[str]:
        if Path(path).name == "mật":
            raise PermissionError(13, "Permission denied")
        return listdir(path)

    monkeypatch.setattr(os, "listdir", refuse)
    report = base.sync()
    assert (report.removed, len(report.failed)) == (0, 1)
    assert list(base.documents()) == ["tài liệu/mật/phép.md"]


def test_sentences_are_embedded_into_the_cache(base: Base, write: Write) -> None:
    write("phép.md", PHEP)
    base.sync()

    class Forgetful(HashingEmbedder):
        def passages(self, texts: object) -> None:  # type: ignore[override]
            raise AssertionError(texts)

    cache = cached(Forgetful(32), base.home / "embeddings.sqlite")
    texts = [one.text for one in sentences(PHEP)]
    assert len(texts) == 3
    assert cache.passages(texts).shape == (3, 32)


def test_progress_counts_files_and_chunks(base: Base, write: Write) -> None:
    write("lương.md", LUONG)
    write("phép.md", PHEP)
    seen: list[Progress] = []
    base.sync(progress=seen.append)
    assert [(one.event, one.files_done, one.chunks) for one in seen] == [
        ("discovered", 0, 0),
        ("embedded", 0, 2),
        ("document", 1, 2),
        ("document", 2, 2),
        ("indexing", 2, 2),
    ]
    assert {one.files for one in seen} == {2}


def test_an_empty_folder_makes_an_empty_knowledge_base(base: Base) -> None:
    report = base.sync()
    assert (report.documents, len(report.failed)) == (0, 1)
    base.assert_complete()


def test_everything_is_readable_by_its_owner_alone(base: Base, write: Write) -> None:
    write("phép.md", PHEP)
    base.sync()
    for path in (base.home, *base.home.rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path


def test_a_text_of_a_rule_that_changed_is_read_anew(base: Base, write: Write) -> None:
    write("phép.md", PHEP)
    for version in ("2025", "2026"):
        rules = read_rules([{"match": "*.md", "version": version}], base.folder)
        report = base.sync(rules=rules)
        assert base.documents()["tài liệu/phép.md"].version == version
    assert (report.changed, report.unchanged) == (1, 0)
    assert base.sync(rules=rules).unchanged == 1


def test_lost_vectors_are_made_up_for(base: Base, write: Write) -> None:
    write("phép.md", PHEP)
    base.sync()
    shutil.rmtree(base.home / "vectors")
    base.sync()
    base.assert_complete()


def test_a_lost_lexical_index_is_made_up_for(base: Base, write: Write) -> None:
    write("phép.md", PHEP)
    base.sync()
    shutil.rmtree(base.home / "lexical")
    base.sync()
    base.assert_complete()


def test_damaged_vectors_are_named_with_the_command_that_makes_them_anew(
    base: Base, write: Write
) -> None:
    write("phép.md", PHEP)
    base.sync()
    (base.home / "vectors" / "chroma.sqlite3").write_bytes(b"hong" * 5000)
    with pytest.raises(KnowledgeBaseError, match="groundhop ingest --rebuild"):
        base.sync()
    base.sync(rebuild=True)
    base.assert_complete()


def test_a_rebuild_makes_a_damaged_lexical_index_anew(base: Base, write: Write) -> None:
    write("phép.md", PHEP)
    base.sync()
    for path in (base.home / "lexical").rglob("*.json"):
        path.write_bytes(b"hong")
    base.sync(base.folder / "phép.md", rebuild=True)
    base.assert_complete()


def test_two_ingests_at_once_are_refused(base: Base, write: Write) -> None:
    write("phép.md", PHEP)

    def second(event: Progress) -> None:
        if event.event == "discovered":
            with pytest.raises(KnowledgeBaseError, match="Another ingest is at work"):
                base.sync()

    assert base.sync(progress=second).added == 1


def test_a_home_that_cannot_be_written_is_one_sentence(base: Base, write: Write) -> None:
    write("phép.md", PHEP)
    base.home.write_text("đây là một tệp")
    with pytest.raises(KnowledgeBaseError, match=r"cannot be written .* the same command"):
        base.sync()


def test_a_full_disk_is_one_sentence(
    base: Base, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("phép.md", PHEP)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ingest.sync.build_lexical", full)
    with pytest.raises(KnowledgeBaseError, match="no space left on device"):
        base.sync()
    monkeypatch.undo()
    base.sync()
    base.assert_complete()


def test_a_pattern_removes_only_what_it_would_have_covered(base: Base, write: Write) -> None:
    for name in ("a.md", "b.md", "c.txt"):
        write(name, PHEP + name)
    base.sync()
    for name in ("b.md", "c.txt"):
        (base.folder / name).unlink()
    assert base.sync(base.folder / "*.md").removed == 1
    assert set(base.documents()) == {"tài liệu/a.md", "tài liệu/c.txt"}


def test_a_file_that_is_ignored_later_is_taken_out(base: Base, write: Write) -> None:
    write("phép.md", PHEP)
    write("nháp.md", LUONG)
    base.sync()
    write(".groundhopignore", "nháp.md\n")
    report = base.sync()
    assert (report.removed, report.ignored) == (1, 1)
    base.assert_complete()
