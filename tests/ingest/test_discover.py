import os
import unicodedata
from pathlib import Path

import pytest

from ingest.discover import discover
from tests.ingest.conftest import Write


def sources(*paths: Path) -> list[str]:
    return [file.source for file in discover(paths).files]


def test_files_of_a_folder_are_named_below_its_name_and_sorted(write: Write, folder: Path) -> None:
    write("b.md", "b")
    write("nhân sự/a.txt", "a")
    write("c.HTML", "c")
    assert sources(folder) == ["tài liệu/b.md", "tài liệu/c.HTML", "tài liệu/nhân sự/a.txt"]


def test_a_single_file_is_named_by_its_name(write: Write) -> None:
    assert sources(write("nội quy lao động.md", "x")) == ["nội quy lao động.md"]


def test_names_in_nfd_are_shown_in_nfc(write: Write, folder: Path) -> None:
    write(unicodedata.normalize("NFD", "nghỉ phép.md"), "x")
    assert sources(folder) == ["tài liệu/nghỉ phép.md"]


def test_a_name_that_is_not_utf8_is_still_found(write: Write, folder: Path) -> None:
    try:
        Path(os.fsdecode(os.fsencode(folder) + b"/b\xe1ng.md")).write_text("x")
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    assert sources(folder) == ["tài liệu/b?ng.md"]


def test_hidden_files_and_folders_are_left_out(write: Write, folder: Path) -> None:
    write(".ẩn.md", "x")
    write(".git/a.md", "x")
    write("thấy.md", "x")
    assert sources(folder) == ["tài liệu/thấy.md"]


def test_a_hidden_folder_that_is_given_is_looked_into(write: Write, folder: Path) -> None:
    write(".kho/a.md", "x")
    assert sources(folder / ".kho") == [".kho/a.md"]


def test_files_of_other_kinds_are_counted(write: Write, folder: Path) -> None:
    for name in ("a.zip", "b.ZIP", "c.png", "Makefile", "d.md"):
        write(name, "x")
    found = discover([folder])
    assert found.other_kinds == {".zip": 2, ".png": 1, "no suffix": 1}
    assert not found.failed


def test_a_file_of_another_kind_that_is_given_by_name_is_reported(write: Write) -> None:
    [(source, reason)] = discover([write("hợp đồng.zip", "x")]).failed
    assert source == "hợp đồng.zip"
    assert ".md" in reason


def test_a_path_that_does_not_exist_is_one_line_and_no_root(folder: Path) -> None:
    found = discover([folder / "không có", folder / "không có.md"])
    assert [reason for _, reason in found.failed] == ["there is no such file or folder"] * 2
    assert found.roots == []


def test_an_empty_folder_is_one_line(folder: Path) -> None:
    [(source, reason)] = discover([folder]).failed
    assert source == str(folder)
    assert "no file in this folder that can be read (.md, " in reason


def test_a_folder_that_cannot_be_read_is_one_line_and_unread(
    write: Write, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("mật/a.md", "x")
    write("b.md", "x")
    listdir = os.listdir

    def refuse(path: Path) -> list[str]:
        if Path(path).name == "mật":
            raise PermissionError(13, "Permission denied")
        return listdir(path)

    monkeypatch.setattr(os, "listdir", refuse)
    found = discover([folder])
    assert [file.source for file in found.files] == ["tài liệu/b.md"]
    assert found.failed == [("tài liệu/mật", "the folder cannot be read (permission denied)")]
    assert found.unread == [folder / "mật"]


def test_a_link_to_a_folder_above_is_reported_once(write: Write, folder: Path) -> None:
    write("sâu/a.md", "x")
    (folder / "sâu" / "vòng").symlink_to(folder)
    found = discover([folder])
    assert [file.source for file in found.files] == ["tài liệu/sâu/a.md"]
    [(source, reason)] = found.failed
    assert source == "tài liệu/sâu/vòng"
    assert "leads back" in reason


def test_a_link_to_a_folder_elsewhere_is_followed(
    write: Write, folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "khác").mkdir()
    (tmp_path / "khác" / "a.md").write_text("x")
    (folder / "nối").symlink_to(tmp_path / "khác")
    assert sources(folder) == ["tài liệu/nối/a.md"]


def test_a_file_that_links_and_paths_lead_to_is_taken_once(write: Write, folder: Path) -> None:
    path = write("z.md", "x")
    (folder / "a.md").symlink_to(path)
    assert sources(folder, path) == ["tài liệu/z.md"]


def test_a_link_that_leads_nowhere_or_to_itself_is_one_line(folder: Path) -> None:
    (folder / "hỏng.md").symlink_to(folder / "không có.md")
    (folder / "vòng.md").symlink_to(folder / "vòng.md")
    found = discover([folder])
    assert found.files == []
    assert [source for source, _ in found.failed] == ["tài liệu/hỏng.md", "tài liệu/vòng.md"]


def test_a_pipe_that_is_called_markdown_is_not_opened(folder: Path) -> None:
    os.mkfifo(folder / "ống.md")
    assert discover([folder]).failed == [("tài liệu/ống.md", "it is not a regular file")]


def test_an_ignore_file_leaves_out_what_it_names(write: Write, folder: Path) -> None:
    write(".groundhopignore", "# nháp\n*.txt\n/cũ/\n!giữ.txt\nnháp/**/x.md\n")
    for name in ("a.md", "b.txt", "giữ.txt", "cũ/a.md", "sâu/cũ/a.md", "nháp/một/x.md"):
        write(name, "x")
    found = discover([folder])
    assert [file.source for file in found.files] == [
        "tài liệu/a.md",
        "tài liệu/giữ.txt",
        "tài liệu/sâu/cũ/a.md",
    ]
    assert found.ignored == 3
    assert found.watched == [folder / ".groundhopignore"]


def test_an_ignore_file_below_counts_before_one_above(write: Write, folder: Path) -> None:
    write(".groundhopignore", "*.txt\n")
    write("nhân sự/.groundhopignore", "!*.txt\nbản nháp.md\n")
    for name in ("a.txt", "nhân sự/b.txt", "nhân sự/bản nháp.md"):
        write(name, "x")
    assert sources(folder) == ["tài liệu/nhân sự/b.txt"]


def test_a_folder_whose_ignore_file_cannot_be_read_is_not_looked_into(
    write: Write, folder: Path
) -> None:
    write(".groundhopignore", b"\xff\xfe\xfa")
    write("a.md", "x")
    found = discover([folder])
    assert found.files == []
    [(source, reason)] = found.failed
    assert (source, ".groundhopignore" in reason) == ("tài liệu", True)
    assert found.unread == [folder]


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("*.md", ["a.md"]),
        ("**/*.md", ["a.md", "nhân sự/b.md"]),
        ("nhân*/*", ["nhân sự/b.md", "nhân sự/c.txt"]),
        ("[xyz]*.md", []),
    ],
)
def test_a_pattern_takes_what_it_covers(
    write: Write, folder: Path, pattern: str, names: list[str]
) -> None:
    for name in ("a.md", "nhân sự/b.md", "nhân sự/c.txt"):
        write(name, "x")
    found = discover([folder / pattern])
    assert [file.source for file in found.files] == [f"tài liệu/{name}" for name in names]
    assert [reason for _, reason in found.failed] == (
        [] if names else ["no file that can be read matches this pattern"]
    )


def test_a_file_whose_name_looks_like_a_pattern_is_taken(write: Write) -> None:
    assert sources(write("báo cáo [2026].md", "x")) == ["báo cáo [2026].md"]
