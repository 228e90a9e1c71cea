import shutil

import pytest

from ingest.removal import remove, restore
from retrieval.dense import DenseIndex
from retrieval.errors import NothingIngestedError, UsageError
from tests.ingest.conftest import Base, Write


@pytest.fixture
def filled(base: Base, write: Write) -> Base:
    for name in ("phép", "nhân sự/lương", "nhân sự/thưởng"):
        write(f"{name}.md", f"# {name}\n\nNội dung của {name}.\n")
    base.sync()
    return base


def test_a_document_is_taken_out_of_every_index(filled: Base) -> None:
    [gone] = remove(filled.home, ["tài liệu/phép.md"])
    assert gone.source == "tài liệu/phép.md"
    assert set(filled.documents()) == {"tài liệu/nhân sự/lương.md", "tài liệu/nhân sự/thưởng.md"}
    filled.assert_complete()


def test_a_folder_is_taken_out_as_a_whole(filled: Base) -> None:
    assert len(remove(filled.home, ["tài liệu/nhân sự/"])) == 2
    assert list(filled.documents()) == ["tài liệu/phép.md"]


def test_a_name_that_is_not_there_removes_nothing(filled: Base) -> None:
    with pytest.raises(UsageError, match=r"'tài liệu/khác.md'.*groundhop sources"):
        remove(filled.home, ["tài liệu/phép.md", "tài liệu/khác.md"])
    assert len(filled.documents()) == 3


def test_what_was_removed_comes_back_with_the_next_ingest(filled: Base) -> None:
    remove(filled.home, ["tài liệu/phép.md"])
    assert filled.sync().added == 1


def test_missing_and_left_over_vectors_are_restored(filled: Base) -> None:
    dense = DenseIndex(filled.catalogue().vectors_folder(), filled.embedder.name, create=True)
    dense.delete(sorted(dense.ids())[:1])
    dense.upsert(["ma"], filled.embedder.passages(["ma"]))
    dense.close()
    restore(filled.home, filled.embedder)
    filled.assert_complete()


@pytest.mark.parametrize("lost", ["vectors", "lexical", "both", "broken"])
def test_lost_and_damaged_indexes_are_restored_from_the_catalogue(filled: Base, lost: str) -> None:
    vectors = filled.catalogue().vectors_folder()
    if lost in ("vectors", "both"):
        shutil.rmtree(vectors)
    if lost in ("lexical", "both"):
        shutil.rmtree(filled.home / "lexical")
    if lost == "broken":
        (vectors / "chroma.sqlite3").write_bytes(b"hong" * 5000)
        for path in (filled.home / "lexical").rglob("*.json"):
            path.write_bytes(b"hong")
    shutil.rmtree(filled.folder)
    report = restore(filled.home, filled.embedder)
    assert (report.documents, report.failed) == (3, [])
    filled.assert_complete()


def test_nothing_can_be_restored_where_nothing_was_ingested(base: Base) -> None:
    with pytest.raises(NothingIngestedError):
        restore(base.home, base.embedder)
