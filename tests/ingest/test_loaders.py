import os
import unicodedata
from pathlib import Path

import pytest

from ingest.errors import RefusedError
from ingest.formats import registry
from ingest.formats.registry import Format
from ingest.loaders import load, read_bytes


def test_markdown_stays_character_for_character() -> None:
    written = "# Nghỉ phép\r\n\r\n  Ngày **phép**:\t15\u2028ngày \x0c hết.\r\n\n\n"
    assert load("a.md", written.encode()).text == written


def test_text_in_nfd_is_extracted_in_nfc() -> None:
    text = "Nhân viên chính thức được nghỉ phép năm."
    assert load("a.txt", unicodedata.normalize("NFD", text).encode()).text == text


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_is_dropped(encoding: str) -> None:
    assert load("a.md", "Điều 1. Phạm vi".encode(encoding)).text == "Điều 1. Phạm vi"


def test_utf16_of_the_other_byte_order_is_read() -> None:
    assert load("a.md", b"\xfe\xff" + "Điều 1".encode("utf-16-be")).text == "Điều 1"


@pytest.mark.parametrize(
    ("data", "position"),
    [("Điều ".encode() + b"\xe1\xbb", 8), (b"\xef\xbb\xbfab\xff", 5), (b"Ngh\xff phep", 3)],
)
def test_a_file_that_is_not_utf8_is_refused_with_the_position(data: bytes, position: int) -> None:
    with pytest.raises(RefusedError, match=f"not UTF-8 .*at position {position}\\)"):
        load("a.md", data)


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x00\x00", b"\xff\xfe\x00\x00a\x00\x00\x00"])
def test_a_binary_file_is_refused(data: bytes) -> None:
    with pytest.raises(RefusedError, match="binary file"):
        load("a.md", data)


@pytest.mark.parametrize("data", [b"", b" \n\t\n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_refused(data: bytes) -> None:
    with pytest.raises(RefusedError, match="it is empty"):
        load("a.md", data)


@pytest.mark.parametrize("text", ["---\ntitle: Chỉ có tiêu đề\n---\n", "***\n\n---\n"])
def test_a_file_without_a_letter_below_its_front_matter_is_refused(text: str) -> None:
    with pytest.raises(RefusedError, match="holds no text"):
        load("a.md", text.encode())


def test_a_file_that_is_too_large_is_refused_with_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(registry.FORMATS, ".md", Format("ingest.formats.plain:load_plain", 2**21))
    path = tmp_path / "lớn.md"
    path.write_bytes(b"x" * (5 * 1024**2))
    with pytest.raises(RefusedError, match=r"5 MB, the limit is 2 MB"):
        read_bytes(path)


def test_a_file_that_changes_while_it_is_read_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "đang ghi.md"
    path.write_text("cũ")
    fstat, calls = os.fstat, []

    def growing(number: int) -> os.stat_result:
        calls.append(number)
        if len(calls) == 2:  # between the first reading and the look after it
            path.write_text("bản mới hơn")
        return fstat(number)

    monkeypatch.setattr(os, "fstat", growing)
    assert read_bytes(path) == "bản mới hơn".encode()


def test_a_file_that_never_rests_is_not_taken_in_half(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "nhật ký.md"
    path.write_text("x")
    fstat = os.fstat

    def growing(number: int) -> os.stat_result:
        with path.open("a") as file:
            file.write("x")
        return fstat(number)

    monkeypatch.setattr(os, "fstat", growing)
    with pytest.raises(OSError, match="changes while it is read"):
        read_bytes(path)


@pytest.mark.parametrize(
    ("name", "text", "title"),
    [
        ("a.md", "---\ntitle: Quy chế\n---\n# Khác\n", "Quy chế"),
        ("a.md", "Mở đầu.\n\n## Điều 3: **Nghỉ** [phép](x.md)\n", "Điều 3: Nghỉ phép"),
        ("a.txt", "Lương\n=====\nx\n", "Lương"),
        ("nghỉ phép.txt", "Không có tiêu đề.", "nghỉ phép"),
        ("a.md", "```\n# không phải tiêu đề\n```\n\n# Thật\n", "Thật"),
        ("a.html", "<title>Trang &amp; tên</title><h1>Đầu</h1>x", "Trang & tên"),
        ("a.html", "<h1>Đầu <b>trang</b></h1>x", "Đầu trang"),
    ],
)
def test_the_title_is_that_of_front_matter_page_heading_or_name(
    name: str, text: str, title: str
) -> None:
    assert load(name, text.encode()).title == title


@pytest.mark.parametrize(
    ("name", "text", "version"),
    [
        ("nghi-phep-2025.md", "---\nversion: 1.10\n---\nx", "1.10"),
        ("nghi-phep-2025.md", "# Nghỉ phép năm 2026\n", "2026"),
        ("nghi-phep-2025.md", "# Nghỉ phép\n", "2025"),
        ("don-hang-120261.md", "# Đơn hàng 1999\n", ""),
    ],
)
def test_the_version_is_that_of_front_matter_or_a_year_in_title_or_name(
    name: str, text: str, version: str
) -> None:
    assert load(name, text.encode()).version == version


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Nhân viên được nghỉ phép mười lăm ngày.", "vi"),
        ("Employees have fifteen days of leave.", "en"),
        ("---\nlanguage: vi-VN\n---\nERR_4021", "vi"),
        ("---\nlanguage: tiếng Việt\n---\nEmployees have fifteen days of leave.", "en"),
    ],
)
def test_the_language_is_that_of_front_matter_or_detected(text: str, language: str) -> None:
    assert load("a.md", text.encode()).language == language
