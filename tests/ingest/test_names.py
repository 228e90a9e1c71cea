from pathlib import Path

from ingest.discover import SourceFile
from ingest.names import Names
from retrieval.catalogue import Document


def test_a_file_without_a_free_name_has_none(tmp_path: Path) -> None:
    path = tmp_path / "phép.md"
    path.write_text("x")
    names = Names(tmp_path / "home", [])
    file = SourceFile(Path("/phép.md"), "phép.md")
    whole = [Document("d", name, "", "", "", "vi", origin="../phép.md") for name in ("phép.md",)]
    assert names.claim(file) == ("phép.md", None)
    assert Names(tmp_path / "home", whole).claim(file) is None


def test_a_document_that_came_from_no_file_is_never_gone(tmp_path: Path) -> None:
    from ingest.discover import Discovery

    names = Names(tmp_path / "home", [Document("d", "a", "", "", "", "vi")])
    assert names.gone(Discovery(roots=[tmp_path])) == []
