"""Files as they should not be: a line for each, the rest goes on, nothing is half indexed."""

import io
import sqlite3
import unicodedata
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from ingest.formats.registry import FORMATS
from retrieval.dense import DenseIndex
from retrieval.errors import KnowledgeBaseError
from tests.ingest.conftest import Base, Write
from tests.ingest.formats.making import drawn, lines

GOOD = "# Nghỉ phép\n\nNhân viên được nghỉ 15 ngày.\n"


def archive(name: str, content: bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(name, content)
    return made.getvalue()


BAD: dict[str, tuple[bytes, str]] = {
    "cắt cụt.pdf": (drawn(lines("x"))[:200], "it is damaged"),
    "khoá.pdf": (drawn(lines("x"), encrypt="mật"), "it is encrypted"),
    "quét.pdf": (drawn(lambda canvas: canvas.rect(9, 9, 9, 9)), "scanned"),
    "đổi tên.pdf": (GOOD.encode(), "another kind of file"),
    "đổi tên.md": (drawn(lines("x")), "its content is a PDF"),
    "đổi tên.docx": (archive("xl/workbook.xml", b"<a/>"), "another kind of file"),
    "cũ.docx": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "old binary format"),
    "hỏng.docx": (archive("word/document.xml", b"<w:document"), "it is damaged"),
    "hỏng.pptx": (archive("ppt/presentation.xml", b"<"), "it is damaged"),
    "hỏng.xlsx": (archive("xl/workbook.xml", b"<"), "it is damaged"),
    "cắt cụt.xlsx": (archive("xl/workbook.xml", b"<a/>")[:40], "it is damaged"),
    "hỏng.json": (b'{"a": ', "not JSON"),
    "hỏng.jsonl": (b'{"a": 1}\n{', "line 2 is not JSON"),
    "mã cũ.csv": ("Mã;Tên\n1;Hà".encode("latin-1"), "not UTF-8"),
    "không phải.eml": (b"hello", "no e-mail"),
    "sâu.html": (b"<div>" * 20_000 + b"x", "nested too deeply"),
    "nhị phân.txt": (bytes(range(256)), "binary file"),
    "trắng.txt": (b" \n\n", "it is empty"),
    "siêu dữ liệu.md": (b"---\neffective_from: soon\n---\nx", "must be a date"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_one_line_and_the_rest_goes_on(base: Base, write: Write, name: str) -> None:
    content, reason = BAD[name]
    write(name, content)
    write("phép.md", GOOD)
    report = base.sync()
    [(source, said)] = report.failed
    assert source == f"tài liệu/{name}"
    assert reason in said
    assert "\n" not in said
    assert report.added == 1
    base.assert_complete()


@pytest.mark.parametrize("suffix", FORMATS)
def test_an_empty_file_of_every_kind_is_called_empty(base: Base, write: Write, suffix: str) -> None:
    write(f"rỗng{suffix}", b"")
    assert [reason for _, reason in base.sync().failed] == ["it is empty"]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_names_in_any_form_and_with_spaces_are_taken_in(
    base: Base, write: Write, form: str
) -> None:
    write(unicodedata.normalize(form, "hợp đồng lao động.pdf"), drawn(lines("Text.")))
    assert base.sync().failed == []
    assert list(base.documents()) == ["tài liệu/hợp đồng lao động.pdf"]
    assert base.sync().unchanged == 1


def test_six_thousand_chunks_in_one_file_are_taken_in(base: Base, write: Write) -> None:
    row = "một hai ba bốn năm sáu bảy tám chín mười " * 20
    write("lớn.csv", "Mã,Nội dung\n" + "".join(f"{one},{row}\n" for one in range(6000)))
    report = base.sync()
    assert (report.failed, report.chunks) == ([], 6000)
    base.assert_complete()


@pytest.mark.parametrize(
    "full",
    [
        lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")),
        lambda *_: (_ for _ in ()).throw(sqlite3.OperationalError("database or disk is full")),
    ],
)
def test_a_disk_that_fills_up_in_the_middle_leaves_what_the_next_run_completes(
    base: Base, write: Write, monkeypatch: pytest.MonkeyPatch, full: Callable[..., None]
) -> None:
    write("phép.md", GOOD)
    base.sync()
    write("lương.md", "# Lương\n\nTrả ngày 5.\n")
    monkeypatch.setattr(DenseIndex, "upsert", full)
    with pytest.raises(KnowledgeBaseError, match=r"(space|full).*run the same command again"):
        base.sync()
    monkeypatch.undo()
    assert base.sync().failed == []
    base.assert_complete()
    assert set(base.documents()) == {"tài liệu/lương.md", "tài liệu/phép.md"}


def test_a_file_that_vanishes_between_listing_and_reading_is_one_line(
    base: Base, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ingest import documents

    write("phép.md", GOOD)
    path = write("tạm.md", "x")
    read = documents.read_bytes

    def slow(given: Path) -> bytes:
        path.unlink(missing_ok=True)
        return read(given)

    monkeypatch.setattr(documents, "read_bytes", slow)
    report = base.sync()
    assert report.added == 1
    assert [source for source, _ in report.failed] == ["tài liệu/tạm.md"]
