import io
import zipfile
from typing import Any

import pytest

from ingest.errors import RefusedError
from ingest.formats import archives, sheets
from ingest.formats.protocol import Fields, Loaded
from ingest.formats.sheets import load_csv, load_workbook
from ingest.formats.slides import load_slides
from ingest.formats.word import load_word


def saved(made: Any) -> bytes:
    """What a document of any library is as a file."""
    target = io.BytesIO()
    made.save(target)
    return target.getvalue()


def word(data: bytes) -> Loaded:
    return load_word(data, Fields())


def test_a_word_file_keeps_headings_lists_and_tables_in_order() -> None:
    import docx

    made = docx.Document()
    made.core_properties.title = "Sổ tay"
    made.add_heading("Sổ tay nhân viên", 0)
    made.add_heading("Nghỉ phép", 1)
    made.add_paragraph("Nhân viên được nghỉ 15 ngày.")
    made.add_paragraph("Đơn xin nghỉ", style="List Bullet")
    made.add_paragraph("Giấy của bác sĩ", style="List Bullet")
    table = made.add_table(2, 2)
    for place, text in enumerate(["Cấp", "Ngày", "A|B", "15"]):
        table.cell(place // 2, place % 2).text = text
    made.add_paragraph("Hết.")
    found = word(saved(made))
    assert found.title == "Sổ tay"
    assert found.text == (
        "# Sổ tay nhân viên\n\n# Nghỉ phép\n\nNhân viên được nghỉ 15 ngày.\n\n"
        "- Đơn xin nghỉ\n- Giấy của bác sĩ\n\n"
        "| Cấp | Ngày |\n| --- | --- |\n| A\\|B | 15 |\n\nHết.\n"
    )


def test_a_word_file_reads_as_with_its_changes_accepted() -> None:
    import docx
    from docx.oxml import parse_xml

    made = docx.Document()
    w = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    made.add_paragraph("Nghỉ ")._p.append(
        parse_xml(
            f'<w:ins xmlns:w="{w}" w:id="1" w:author="L"><w:r><w:t>16 ngày</w:t></w:r></w:ins>'
        )
    )
    made.paragraphs[0]._p.append(
        parse_xml(
            f'<w:del xmlns:w="{w}" w:id="2" w:author="L"><w:r><w:delText>15 ngày</w:delText>'
            "</w:r></w:del>"
        )
    )
    assert word(saved(made)).text == "Nghỉ 16 ngày\n"


def test_a_merged_cell_stands_once() -> None:
    import docx

    made = docx.Document()
    table = made.add_table(2, 3)
    table.cell(0, 0).merge(table.cell(0, 1)).text = "Thời gian"
    for row, column, text in ((0, 2, "Ngày"), (1, 0, "Từ"), (1, 1, "Đến"), (1, 2, "15")):
        table.cell(row, column).text = text
    assert word(saved(made)).text.startswith("| Thời gian |  | Ngày |\n")


def test_each_slide_is_a_page_with_its_title_text_table_and_notes() -> None:
    import pptx
    from pptx.util import Inches

    made = pptx.Presentation()
    slide = made.slides.add_slide(made.slide_layouts[1])
    slide.shapes.title.text = "Nghỉ phép"
    slide.placeholders[1].text = "Mười lăm ngày\nGửi đơn trước"
    slide.notes_slide.notes_text_frame.text = "Nhắc về thâm niên."
    second = made.slides.add_slide(made.slide_layouts[5])
    second.shapes.title.text = "Lương"
    table = second.shapes.add_table(2, 2, *[Inches(one) for one in (1, 2, 4, 1)]).table
    for place, text in enumerate(["Cấp", "Mức", "A", "10"]):
        table.cell(place // 2, place % 2).text = text
    found = load_slides(saved(made), Fields())
    assert found.text == (
        "## Nghỉ phép\n\n- Mười lăm ngày\n- Gửi đơn trước\n\nNhắc về thâm niên.\n\n"
        "## Lương\n\n| Cấp | Mức |\n| --- | --- |\n| A | 10 |\n"
    )
    assert found.page_starts == (0, found.text.index("## Lương"))


def test_sheets_become_tables_with_values_as_they_are_shown() -> None:
    from datetime import date, datetime

    import openpyxl

    made = openpyxl.Workbook()
    sheet = made.active
    sheet.title = "Doanh thu"
    sheet.append(["Bảng doanh thu năm 2026"])
    sheet.append(["Quý", "Tỷ lệ", "Ngày", "Tổng"])
    sheet.append(["Q1", 0.125, date(2026, 3, 31), 3.0])
    sheet["B3"].number_format = "0.0%"
    sheet.append([])
    sheet.append(["Ghi chú"])
    sheet.append(["Số liệu tạm tính"])
    made.create_sheet("Trống")
    hidden = made.create_sheet("Ẩn")
    hidden.append(["bí mật", datetime(2026, 1, 1)])
    hidden.sheet_state = "hidden"
    assert load_workbook(saved(made), Fields()).text == (
        "## Doanh thu\n\nBảng doanh thu năm 2026\n\n"
        "| Quý | Tỷ lệ | Ngày | Tổng |\n| --- | --- | --- | --- |\n| Q1 | 12.5% | 2026-03-31 | 3 |"
        "\n\nGhi chú\n\nSố liệu tạm tính\n"
    )


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_fields_of_csv_are_told_apart_by_what_separates_them(separator: str) -> None:
    data = f'Mã{separator}Tên\n1{separator}"Huế{separator} Việt Nam"\n'.encode("utf-8-sig")
    cell = f"Huế{separator} Việt Nam".replace("|", "\\|").replace("\t", " ").replace("  ", " ")
    assert load_csv(data, Fields()).text == f"| Mã | Tên |\n| --- | --- |\n| 1 | {cell} |\n"


def test_a_line_break_in_a_field_does_not_end_the_row() -> None:
    data = 'Mã,Ghi chú\n1,"dòng một\ndòng hai"\n'.encode()
    assert "| 1 | dòng một dòng hai |" in load_csv(data, Fields()).text


def test_a_table_of_too_many_rows_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheets, "MOST_ROWS", 10)
    with pytest.raises(RefusedError, match="more than 10 rows"):
        load_csv(b"a,b\n" * 11, Fields())


@pytest.mark.parametrize("load", [load_word, load_slides, load_workbook])
@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 99, "encrypted, or in the old binary"),
        (b"PK\x03\x04 cut off", "damaged"),
        (b"plain text", "damaged, or no"),
    ],
)
def test_a_file_that_is_no_archive_is_refused(load: Any, data: bytes, reason: str) -> None:
    with pytest.raises(RefusedError, match=reason):
        load(data, Fields())


@pytest.mark.parametrize("load", [load_word, load_slides, load_workbook])
def test_another_archive_under_the_name_of_an_office_file_is_refused(load: Any) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("a.txt", "x")
    with pytest.raises(RefusedError, match="another kind of file"):
        load(made.getvalue(), Fields())


def test_an_archive_that_unpacks_to_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "_LARGEST", 10_000_000)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b"0" * 20_000_000)
    assert len(made.getvalue()) < 100_000
    with pytest.raises(RefusedError, match="unpacked it would take"):
        word(made.getvalue())


def test_a_document_whose_xml_is_damaged_is_refused() -> None:
    import docx

    made, broken = io.BytesIO(saved(docx.Document())), io.BytesIO()
    with zipfile.ZipFile(made) as whole, zipfile.ZipFile(broken, "w") as archive:
        for name in whole.namelist():
            content = whole.read(name)
            archive.writestr(name, content[:200] if name == "word/document.xml" else content)
    with pytest.raises(RefusedError, match="it is damaged"):
        word(broken.getvalue())
