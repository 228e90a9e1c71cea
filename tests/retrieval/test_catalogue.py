import sqlite3
import stat
import subprocess
import sys

import pytest

from retrieval.catalogue import Chunk, Pending, open_catalogue
from retrieval.errors import KnowledgeBaseError
from tests.retrieval.conftest import document, whole

TEXT = "Nhân viên được nghỉ 12 ngày.\n\nĐơn gửi trước 3 ngày."


@pytest.fixture
def path(home):
    return home / "catalogue.sqlite"


@pytest.fixture
def catalogue(path):
    opened = open_catalogue(path, create=True)
    yield opened
    opened.close()


def test_what_was_put_in_comes_out_character_for_character(catalogue):
    leave = document("nghỉ-phép", TEXT, access=("kế toán",), version="2026")
    second = Chunk("c2", leave.id, 1, TEXT[30:], 30, len(TEXT), "Nghỉ phép > Đơn", 3, "Nghỉ phép")
    catalogue.replace(leave, [Chunk("c1", leave.id, 0, TEXT[:28], 0, 28), second])
    assert catalogue.document(leave.id) == leave
    assert catalogue.text(leave.id) == TEXT
    chunk, owner = catalogue.chunks(["c2", "unknown"])["c2"]
    assert chunk == second
    assert owner.text == ""
    assert owner.access == ("kế toán",)
    assert [one.id for one, _ in catalogue.all_chunks()] == ["c1", "c2"]


@pytest.mark.parametrize("access", [None, (), ("lan", "it")])
def test_everybody_nobody_and_some_readers_stay_apart(catalogue, access):
    catalogue.replace(document("d", "văn bản", access), [])
    assert catalogue.documents()[0].access == access


def test_a_chunk_that_is_not_where_it_says_is_refused_and_nothing_changes(catalogue):
    with pytest.raises(ValueError, match="c1"):
        catalogue.replace(document("d", TEXT), [Chunk("c1", "d", 0, "nghỉ", 0, 4)])
    assert catalogue.documents() == []
    assert catalogue.generation() == 0


def test_an_edited_document_replaces_the_old_text_and_marks_both(catalogue):
    catalogue.replace(document("d", "cũ"), [Chunk("old", "d", 0, "cũ", 0, 2)])
    catalogue.clear_pending(["old"])
    catalogue.replace(document("d", "mới"), [Chunk("new", "d", 0, "mới", 0, 3)])
    assert catalogue.chunk_documents() == {"new": "d"}
    assert catalogue.pending() == Pending(["new"], ["old"])


def test_a_chunk_that_keeps_its_id_is_marked_for_writing_only(catalogue):
    catalogue.replace(document("d", "cũ"), [Chunk("same", "d", 0, "cũ", 0, 2)])
    catalogue.replace(document("d", "mới"), [Chunk("same", "d", 0, "mới", 0, 3)])
    assert catalogue.pending() == Pending(["same"], [])


def test_a_removed_document_takes_its_chunks_with_it(catalogue):
    one = document("d", TEXT)
    catalogue.replace(one, whole(one))
    catalogue.remove("d")
    assert catalogue.chunk_documents() == {}
    assert catalogue.document("d") is None
    assert catalogue.pending() == Pending([], ["d-0"])
    with pytest.raises(KnowledgeBaseError, match="removed or never ingested"):
        catalogue.text("d")


def test_every_change_and_every_written_vector_is_noticed(catalogue):
    before = catalogue.state()
    catalogue.replace(document("d", TEXT), whole(document("d", TEXT)))
    changed = catalogue.state()
    assert (changed.generation, changed.pending) == (before.generation + 1, 1)
    catalogue.clear_pending(["d-0"])
    assert catalogue.state() == (changed.generation, changed.vectors_generation + 1, 0)


def test_all_chunks_can_be_marked_for_another_model(catalogue):
    catalogue.replace(document("d", TEXT), whole(document("d", TEXT)))
    catalogue.clear_pending(["d-0"])
    catalogue.mark_all_pending()
    assert catalogue.pending().upsert == ["d-0"]


def test_settings_survive_closing(catalogue, path):
    catalogue.put_setting("embedding_model", "một")
    catalogue.put_setting("embedding_model", "hai")
    catalogue.close()
    assert open_catalogue(path).get_setting("embedding_model") == "hai"


def test_more_chunks_than_one_statement_holds_are_looked_up(catalogue):
    text = "a" * 1200
    chunks = [Chunk(f"c{n}", "d", n, "a", n, n + 1) for n in range(1200)]
    catalogue.replace(document("d", text), chunks)
    assert len(catalogue.chunks([chunk.id for chunk in chunks])) == 1200
    catalogue.clear_pending([chunk.id for chunk in chunks])
    assert catalogue.state().pending == 0


def test_files_are_for_their_owner_alone(catalogue, path):
    catalogue.replace(document("d", TEXT), [])
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    modes = {stat.S_IMODE(one.stat().st_mode) for one in path.parent.iterdir()}
    assert modes == {0o600}


def test_a_missing_catalogue_names_the_command_to_run(path):
    with pytest.raises(KnowledgeBaseError, match="run `groundhop ingest PATH`"):
        open_catalogue(path)
    assert not path.parent.exists()


@pytest.mark.parametrize("create", [False, True])
def test_a_damaged_file_is_one_sentence(path, create):
    path.parent.mkdir()
    path.write_bytes(b"not a database at all " * 100)
    with pytest.raises(KnowledgeBaseError, match="is damaged"):
        open_catalogue(path, create=create)


@pytest.mark.parametrize("create", [False, True])
def test_the_database_of_another_program_is_left_alone(path, create):
    path.parent.mkdir()
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE settings (name TEXT)")
    with pytest.raises(KnowledgeBaseError, match="not a Groundhop catalogue"):
        open_catalogue(path, create=create)


def test_a_catalogue_of_another_schema_version_is_refused(catalogue, path):
    catalogue.put_setting("schema_version", "99")
    catalogue.close()
    with pytest.raises(KnowledgeBaseError, match="schema version 99"):
        open_catalogue(path)


def test_a_reader_sees_the_old_state_until_a_write_is_complete(catalogue, path):
    catalogue.replace(document("d", TEXT), whole(document("d", TEXT)))
    reader = open_catalogue(path)
    with sqlite3.connect(path) as writer:
        writer.execute("DELETE FROM chunks")
        assert reader.chunk_documents() == {"d-0": "d"}
    assert reader.chunk_documents() == {}
    reader.close()


def test_two_processes_can_write_one_after_the_other(catalogue, path):
    program = (
        "import sys; from pathlib import Path; from retrieval.catalogue import *\n"
        "c = open_catalogue(Path(sys.argv[1]))\n"
        "for n in range(20): c.replace(Document(sys.argv[2], sys.argv[2], '', '', '', 'vi'), [])\n"
    )
    arguments = [sys.executable, "-c", program, str(path)]
    running = [subprocess.Popen([*arguments, name]) for name in ("a", "b")]
    assert [one.wait() for one in running] == [0, 0]
    assert catalogue.generation() == 40
