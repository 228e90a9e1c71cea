import os
from pathlib import Path

from ingest.planning import plan
from ingest.rules import read_rules
from tests.ingest.conftest import Base, Write

PHEP = "# Nghỉ phép\n\nNhân viên được nghỉ 15 ngày.\n"


def everything(home: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}


def test_a_plan_names_what_a_sync_would_do(base: Base, write: Write) -> None:
    for name in ("giữ", "đổi", "xoá", "chuyển"):
        write(f"{name}.md", f"# {name}\n\nNội dung của {name}.\n")
    base.sync()
    write("đổi.md", PHEP)
    (base.folder / "xoá.md").unlink()
    (base.folder / "chuyển.md").rename(base.folder / "đã chuyển.md")
    write("mới.md", PHEP + "Thêm.")
    write("hỏng.pdf", "x")
    planned = plan(base.home, [base.folder], base.embedder)
    assert planned.added == ["tài liệu/mới.md"]
    assert planned.changed == ["tài liệu/đổi.md"]
    assert planned.moved == [("tài liệu/đã chuyển.md", "tài liệu/chuyển.md")]
    assert planned.removed == ["tài liệu/xoá.md"]
    assert (planned.unchanged, planned.chunks) == (1, 2)
    assert [source for source, _ in planned.failed] == ["tài liệu/hỏng.pdf"]
    report = base.sync()
    assert (report.added, report.changed, report.moved, report.removed) == (1, 1, 1, 1)


def test_a_plan_writes_nothing(base: Base, write: Write) -> None:
    write("phép.md", PHEP)
    assert plan(base.home, [base.folder], base.embedder).added == ["tài liệu/phép.md"]
    assert not base.home.exists()
    base.sync()
    write("phép.md", PHEP + "Thêm.")
    before = base.catalogue().state()
    plan(base.home, [base.folder], base.embedder)
    assert base.catalogue().state() == before
    assert base.text("tài liệu/phép.md") == PHEP


def test_a_plan_knows_the_rules(base: Base, write: Write) -> None:
    write("phép.md", PHEP)
    base.sync()
    rules = read_rules([{"match": "*.md", "version": "2"}], base.folder)
    assert plan(base.home, [base.folder], base.embedder, rules=rules).changed
    assert os.listdir(base.folder) == ["phép.md"]
