import pytest

from ingest.errors import RefusedError
from ingest.formats.pdf import load_pdf
from ingest.formats.protocol import Fields, Loaded
from tests.ingest.formats.making import both, drawn, lines, ruled, vietnamese_font

PROSE = (
    "Regular staff are entitled to fifteen days of paid leave a year, and requests",
    "are sent to the direct manager at least two working days before the first day,",
    "except in cases of sudden illness.",
)


def load(data: bytes) -> Loaded:
    return load_pdf(data, Fields())


def test_vietnamese_text_keeps_its_accents_and_its_page() -> None:
    font = vietnamese_font()
    found = load(
        drawn(
            lines("Nhân viên được nghỉ mười lăm ngày phép.", font=font),
            lines("Lương trả vào ngày mồng năm hằng tháng.", font=font),
        )
    )
    assert found.text == (
        "Nhân viên được nghỉ mười lăm ngày phép.\n\nLương trả vào ngày mồng năm hằng tháng.\n"
    )
    assert found.page_starts == (0, found.text.index("Lương"))


def test_lines_of_a_paragraph_become_one() -> None:
    assert load(drawn(lines(*PROSE))).text == " ".join(PROSE) + "\n"


def test_a_paragraph_that_goes_on_over_the_page_end_stays_one() -> None:
    found = load(drawn(lines(*PROSE[:2]), lines(PROSE[2])))
    assert found.text == " ".join(PROSE) + "\n"
    assert found.page_starts == (0, found.text.index("except"))


def test_a_word_that_is_cut_at_a_line_end_is_whole_again() -> None:
    found = load(
        drawn(lines("The regulations of the com-", "pany hold for part-", "time staff: part-time."))
    )
    assert "of the company hold for part-time staff" in found.text


def test_larger_letters_are_headings_by_their_size() -> None:
    page = both(
        lines("Staff handbook", size=20),
        lines("Leave", size=14, top=740),
        lines(*PROSE, top=715),
        lines("Pay", size=14, top=650),
        lines("Pay day is the fifth.", top=625),
    )
    text = load(drawn(page)).text
    assert text.startswith("# Staff handbook\n\n## Leave\n\nRegular staff")
    assert "\n\n## Pay\n\nPay day" in text


def test_headings_are_those_of_the_outline_where_there_is_one() -> None:
    def page(canvas):
        canvas.bookmarkPage("a")
        canvas.addOutlineEntry("Article 1. Scope", "a", 0)
        canvas.bookmarkPage("b")
        canvas.addOutlineEntry("Definitions", "b", 1)
        lines("Article 1. Scope", "", "Definitions", "", "Staff means all who are paid.")(canvas)
        lines("NOT A HEADING", size=20, top=600)(canvas)

    text = load(drawn(page)).text
    assert text.startswith("# Article 1. Scope\n\n## Definitions\n\nStaff means")
    assert "# NOT" not in text


def test_a_table_is_a_table_and_its_words_stand_there_only() -> None:
    rows = [["Grade", "Days"], ["A", "15"], ["B", "12 | 13"]]
    text = load(drawn(both(lines("Leave by grade:"), ruled(rows), lines("End.", top=500)))).text
    assert text == (
        "Leave by grade:\n\n"
        "| Grade | Days |\n| --- | --- |\n| A | 15 |\n| B | 12 \\| 13 |\n\nEnd.\n"
    )


@pytest.mark.parametrize("repeated", [True, False])
def test_a_table_over_two_pages_is_one_table(repeated: bool) -> None:
    header = ["Grade", "Days"]
    first = ruled([header, ["A", "15"]])
    second = ruled([*([header] if repeated else []), ["B", "12"]])
    furniture = lines("Company regulations", top=820, size=8)
    found = load(drawn(both(furniture, first), both(furniture, second), furniture, furniture))
    table = "| Grade | Days |\n| --- | --- |\n| A | 15 |\n| B | 12 |"
    assert table in found.text
    assert found.page_starts[1] == found.text.index("| B |")


def test_tables_of_different_width_on_two_pages_stay_two() -> None:
    found = load(drawn(ruled([["a", "b"], ["c", "d"]]), ruled([["e", "f", "g"], ["h", "i", "j"]])))
    assert "| c | d |\n\n| e | f | g |" in found.text


def test_what_every_page_repeats_is_left_out() -> None:
    pages = [
        both(
            lines("Company regulations", top=820, size=8),
            lines(f"Article {number} holds for grade {number}."),
            lines(f"Page {number}", top=30, size=8),
        )
        for number in range(1, 6)
    ]
    text = load(drawn(*pages)).text
    assert "Company" not in text
    assert "Page" not in text
    assert text.count("Article") == 5


def test_two_columns_are_read_one_after_the_other() -> None:
    left = [f"left number {number} and some words here" for number in range(15)]
    right = [f"right number {number} and some words here" for number in range(15)]
    page = both(lines(*left), lines(*right, left=320))
    text = " ".join(load(drawn(page)).text.split())
    assert text.index("left number 14") < text.index("right number 0")


def test_a_pdf_without_text_is_reported_as_scanned() -> None:
    with pytest.raises(RefusedError, match=r"none of its 2 pages holds text.*scanned.*OCR"):
        load(drawn(lambda canvas: canvas.rect(9, 9, 9, 9), lambda canvas: canvas.rect(9, 9, 9, 9)))


def test_pages_without_text_among_others_are_named() -> None:
    found = load(drawn(lines("One."), lines(), lines("Three.")))
    assert "these hold no text (blank or scanned): 2" in found.note
    assert found.page_starts == (0, found.text.index("Three"), found.text.index("Three"))


def test_an_encrypted_pdf_is_reported_as_such() -> None:
    with pytest.raises(RefusedError, match="it is encrypted"):
        load(drawn(lines("Secret."), encrypt="mật khẩu"))


def test_a_pdf_that_anybody_may_open_but_not_print_is_read() -> None:
    from reportlab.lib.pdfencrypt import StandardEncryption

    locked = StandardEncryption("", "owner", canPrint=0)
    assert load(drawn(lines("Open to read."), encrypt=locked)).text == "Open to read.\n"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"%PDF-1.7\nkaputt", "it is damaged"),
        (b"PK\x03\x04 no pdf", "another kind of file"),
        (drawn(lines("Whole."))[:300], "it is damaged"),
    ],
)
def test_a_damaged_or_misnamed_pdf_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(RefusedError, match=reason):
        load(data)


def test_the_title_is_that_of_the_file_unless_a_program_made_it_up() -> None:
    def titled(title: str) -> str:
        def page(canvas):
            canvas.setTitle(title)
            lines("Text.")(canvas)

        return load(drawn(page)).title

    assert titled("Leave policy 2026") == "Leave policy 2026"
    assert titled("Microsoft Word - final.docx") == ""
