"""Another embedding model, a model that fails for a text, a model that is down."""

from collections.abc import Sequence

import pytest

from ingest.report import Progress
from ingest.sync import sync
from retrieval.access import Identity
from retrieval.embeddings.hashing import HashingEmbedder
from retrieval.embeddings.protocol import UnembeddableTextError, Vectors
from retrieval.errors import EmbeddingError, KnowledgeBaseError
from retrieval.knowledge_base import open_knowledge_base
from tests.ingest.conftest import Base, Write


class Picky(HashingEmbedder):
    """Has no vector for texts with the word "voi"; answers for nothing once it is `down`."""

    down = False

    def passages(self, texts: Sequence[str]) -> Vectors:
        if self.down:
            raise EmbeddingError("The model does not answer.")
        for index, text in enumerate(texts):
            if "voi" in text:
                raise UnembeddableTextError(f"The text {text!r} has no vector.", index)
        return super().passages(texts)


@pytest.fixture
def picky(base: Base) -> Picky:
    base.embedder = Picky(32)
    return base.embedder


def test_another_model_is_refused_with_both_names_and_the_command(base: Base, write: Write) -> None:
    write("phép.md", "Nghỉ phép 15 ngày.")
    base.sync()
    base.embedder = HashingEmbedder(48)
    with pytest.raises(KnowledgeBaseError) as refusal:
        base.sync()
    for part in ("hashing-32", "hashing-48", "groundhop ingest --rebuild"):
        assert part in str(refusal.value)


def test_a_rebuild_makes_all_vectors_anew_without_the_files(base: Base, write: Write) -> None:
    path = write("phép.md", "Nghỉ phép 15 ngày.")
    base.sync()
    path.unlink()
    base.embedder = HashingEmbedder(48)
    report = base.sync(base.folder / "không có", rebuild=True)
    assert report.documents == 1
    base.assert_complete()
    assert base.sync(base.folder / "không có").documents == 1


def test_a_rebuild_reads_the_given_files_anew(base: Base, write: Write) -> None:
    write("phép.md", "Nghỉ phép 15 ngày.")
    base.sync()
    base.embedder = HashingEmbedder(48)
    report = base.sync(rebuild=True)
    assert (report.unchanged, report.changed, report.added) == (1, 0, 0)
    base.assert_complete()


def test_a_text_without_vector_fails_its_document_only(
    base: Base, write: Write, picky: Picky
) -> None:
    for number in range(5):
        write(f"voi {number}.md", "Con voi.")
    write("phép.md", "Nghỉ phép 15 ngày.")
    report = base.sync()
    assert (report.added, len(report.failed)) == (1, 5)
    assert "has no vector" in report.failed[0][1]
    base.assert_complete()


def test_a_change_without_vector_leaves_what_was_there(
    base: Base, write: Write, picky: Picky
) -> None:
    write("phép.md", "Nghỉ phép 15 ngày.")
    base.sync()
    write("phép.md", "Con voi.")
    [(_, reason)] = base.sync().failed
    assert reason.endswith("What an earlier run took from it stays.")
    assert base.text("tài liệu/phép.md") == "Nghỉ phép 15 ngày."
    base.assert_complete()


def test_a_change_of_readers_without_vector_takes_out_what_was_there(
    base: Base, write: Write, picky: Picky
) -> None:
    write("phép.md", "Nghỉ phép 15 ngày.")
    base.sync()
    write("phép.md", "---\naccess: [nhân sự]\n---\nCon voi.")
    [(_, reason)] = base.sync().failed
    assert "readers have changed" in reason
    assert base.documents() == {}
    base.assert_complete()


def test_a_model_that_is_down_stops_the_run_and_keeps_what_was_done(
    base: Base, write: Write, picky: Picky
) -> None:
    write("a.md", "Nghỉ phép 15 ngày.")
    base.sync()
    for number in range(5):
        write(f"b{number}.md", f"Điều {number}.")
    picky.down = True
    with pytest.raises(EmbeddingError, match=r"does not answer.*run it again"):
        base.sync()
    base.assert_complete()
    picky.down = False
    assert base.sync().added == 5


def test_a_rebuild_that_fails_for_a_text_is_completed_later(base: Base, write: Write) -> None:
    write("phép.md", "Nghỉ phép 15 ngày.")
    write("voi.md", "Con voi.")
    base.sync()
    base.embedder = Picky(48)
    report = base.sync(base.folder / "phép.md", rebuild=True)
    assert [source for source, _ in report.failed] == ["tài liệu/voi.md"]
    base.embedder = HashingEmbedder(48)
    assert base.sync(base.folder / "phép.md").failed == []
    base.assert_complete()


def test_a_reader_goes_on_with_the_old_vectors_until_a_rebuild_ends(
    base: Base, write: Write
) -> None:
    write("phép.md", "Nghỉ phép 15 ngày.")
    write("lương.md", "Lương trả ngày 5.")
    base.sync()
    reader = open_knowledge_base(base.home, base.embedder)
    asked: list[list[str]] = []

    def ask(step: Progress) -> None:
        if step.event == "embedded":
            result = reader.search("nghỉ phép", Identity(), 5)
            assert result.degraded == []
            asked.append([hit.document.source for hit in result.hits])

    base.sync(rebuild=True, progress=ask)
    assert asked
    assert all(found[0] == "tài liệu/phép.md" for found in asked)
    after = reader.search("nghỉ phép", Identity(), 5)
    reader.close()
    assert (after.hits[0].document.source, after.degraded) == ("tài liệu/phép.md", [])
    base.assert_complete()


def test_a_reader_of_the_old_model_is_told_after_the_switch(base: Base, write: Write) -> None:
    write("phép.md", "Nghỉ phép 15 ngày.")
    base.sync()
    reader = open_knowledge_base(base.home, base.embedder)
    base.embedder = HashingEmbedder(48)
    base.sync(rebuild=True)
    with pytest.raises(KnowledgeBaseError, match="hashing-48"):
        reader.search("nghỉ phép", Identity(), 5)
    reader.close()


def test_a_rebuild_that_is_cut_short_leaves_the_old_model_in_use(
    base: Base, write: Write, picky: Picky
) -> None:
    base.embedder = HashingEmbedder(32)
    write("phép.md", "Nghỉ phép 15 ngày.")
    base.sync()
    broken = Picky(48)
    broken.down = True
    with pytest.raises(EmbeddingError):
        sync(base.home, [base.folder], broken, rebuild=True)
    assert base.sync().unchanged == 1
    base.assert_complete()
    folders = [path.name for path in base.home.glob("vectors*") if path.is_dir()]
    assert folders == ["vectors"]
