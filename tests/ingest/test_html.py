import pytest

from ingest.errors import RefusedError
from ingest.formats.html import html_to_markdown
from ingest.loaders import load

PAGE = """<!DOCTYPE html><html><head><title>Văn phòng</title><style>p {color: red}</style></head>
<body><nav><a href="/">Trang chủ</a></nav><script>alert("x")</script><!-- ghi chú -->
<h2>Giờ mở cửa</h2><p>Mở từ&nbsp;<b>7 giờ</b> đến <a href="x.html">19 giờ</a>, mã ERR_4021 *.</p>
<ul><li>Một</li><li>Hai</li></ul><p><img src="data:image/png;base64,AAAA" alt="Sơ đồ tầng"></p>
<table><tr><th>Nơi</th><th>Số</th></tr><tr><td>Huế</td><td>2</td></tr></table></body></html>"""


def test_headings_lists_and_tables_become_markdown() -> None:
    text, title = html_to_markdown(PAGE)
    assert title == "Văn phòng"
    assert "## Giờ mở cửa" in text
    assert "- Một\n- Hai" in text
    assert "| Nơi | Số |\n| --- | --- |\n| Huế | 2 |" in text


def test_a_quote_reads_as_on_the_page() -> None:
    text, _ = html_to_markdown(PAGE)
    assert "Mở từ 7 giờ đến 19 giờ, mã ERR_4021 *." in text
    assert "Sơ đồ tầng" in text


def test_what_nobody_reads_is_left_out() -> None:
    text, _ = html_to_markdown(PAGE)
    for unread in ("Trang chủ", "alert", "color", "ghi chú", "base64", "x.html"):
        assert unread not in text


def test_the_first_row_of_a_table_without_header_cells_is_its_header() -> None:
    text, _ = html_to_markdown("<table><tr><td>Mã</td></tr><tr><td>E1</td></tr></table>")
    assert text.strip() == "| Mã |\n| --- |\n| E1 |"


def test_front_matter_above_a_page_is_read_and_stays_in_the_text() -> None:
    found = load("a.html", "---\naccess: [nhân sự]\n---\n<h1>Bảng lương</h1>".encode())
    assert found.stated.access == ("nhân sự",)
    assert found.text.startswith("---\naccess")
    assert found.text[found.body :].strip() == "# Bảng lương"


def test_a_page_that_is_nested_too_deeply_is_refused() -> None:
    with pytest.raises(RefusedError, match="nested too deeply"):
        html_to_markdown("<div>" * 20_000 + "x")


def test_markup_that_is_not_closed_costs_no_text() -> None:
    text, _ = html_to_markdown("<p>Điều 1</p><![n>Phạm vi<p>Điều 2")
    assert "Điều 1" in text
    assert "Điều 2" in text


def test_a_malformed_page_is_read_in_time() -> None:
    text, _ = html_to_markdown("<p>Điều 1</p>" + "<a <b " * 200_000)
    assert text.startswith("Điều 1")
