from pathlib import Path

from ingest.discover import Discovery, SourceFile
from ingest.names import Names
from retrieval.catalogue import Document


def document(source: str, origin: str = "") -> Document:
    return Document("d", source, "", "", "", "vi", origin=origin)


def test_a_file_without_a_free_name_has_none(tmp_path: Path) -> None:
    (tmp_path / "phép.md").write_text("x")
    names = Names(tmp_path / "home", [document("phép.md", "../phép.md")])
    assert names.claim(SourceFile(Path("/phép.md"), "phép.md")) is None


def test_a_document_whose_file_is_gone_gives_its_name_to_the_next(tmp_path: Path) -> None:
    earlier = document("phép.md", "../phép.md")
    names = Names(tmp_path / "home", [earlier])
    assert names.claim(SourceFile(Path("/phép.md"), "phép.md")) == ("phép.md", earlier)


def test_a_document_that_came_from_no_file_is_never_gone(tmp_path: Path) -> None:
    names = Names(tmp_path / "home", [document("ghi chú")])
    assert names.gone(Discovery(roots=[tmp_path])) == []
