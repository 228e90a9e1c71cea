"""Text of others is printed as text: no escapes, no markup, wrapped to the window."""

import io
import json
import unicodedata

import pytest
from rich.console import Console

from groundhop.printing import command, one_line, printable, show, to_json


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("đỏ\x1b[31m thẫm\x1b[0m", "đỏ thẫm"),
        ("\x9b2Jxoá màn hình", "xoá màn hình"),
        ("\x1b]0;tiêu đề\x07văn bản", "văn bản"),
        ("\x1b]8;;http://x\x1b\\bấm\x1b]8;;\x1b\\", "bấm"),
        ("\x1b]0;không đóng", "]0;không đóng"),
        ("lùi\x08\x08\x00 lại\r", "lùi lại"),
        ("đảo \u202echiều\u202c", "đảo chiều"),
        ("dòng 1\r\ndòng 2\tcột", "dòng 1\ndòng 2\tcột"),
        ("lẻ \udcff", "lẻ ?"),
    ],
)
def test_what_would_steer_a_terminal_is_taken_out(hostile: str, shown: str) -> None:
    assert printable(hostile) == shown


def test_decomposed_vietnamese_and_joined_emoji_stay_as_they_are() -> None:
    text = unicodedata.normalize("NFD", "Hợp đồng") + " 👩‍🔬"
    assert printable(text) == text


def test_one_line_is_cut_with_an_ellipsis() -> None:
    assert one_line("một\n  hai ba", 8) == "một hai…"
    assert one_line("một\nhai") == "một hai"


def test_json_keeps_values_exact_and_holds_no_terminal_control() -> None:
    value = {"câu": "a\x9b2J\u202e\x1b[0m\udcff\u2028 [bold]đậm[/bold]"}
    text = to_json(value)
    assert json.loads(text) == value
    assert not set("\x9b\u202e\x1b\udcff\u2028") & set(text)
    assert "đậm" in text


def test_lines_are_wrapped_under_each_other_and_brackets_are_no_markup() -> None:
    target = io.StringIO()
    text = "[red]Nhân viên[/red] thử việc được nghỉ phép năm theo số tháng làm việc thực tế"
    show(Console(file=target, width=30, markup=False), text, lead="[1] ")
    lines = target.getvalue().splitlines()
    assert lines[0].startswith("[1] [red]Nhân viên[/red]")
    assert len(lines) > 2
    assert all(line.startswith("    ") and len(line) <= 30 for line in lines[1:])
    assert " ".join(target.getvalue().split()) == f"[1] {text}"


def test_a_command_is_quoted_for_the_shell() -> None:
    assert command(None, "trace", "hỏi đáp; rm -rf") == "groundhop trace 'hỏi đáp; rm -rf'"
