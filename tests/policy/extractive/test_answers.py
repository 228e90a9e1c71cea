"""The short answer inside a sentence, a row or a title."""

from collections.abc import Callable
from typing import Any

import pytest

from policy.extractive.accents import accented
from policy.extractive.answers import extract, lacks_address
from policy.extractive.casing import cased
from policy.extractive.entities import subject_of
from policy.extractive.naming import holds_name
from policy.extractive.tables import Row, answer_cell
from policy.language.kinds import same_kind
from policy.language.questions import read

Make = Callable[..., dict[str, Any]]


@pytest.mark.parametrize(
    ("question", "sentence", "answer"),
    [
        ("Bàn số mấy là chỗ của Hà Kiều Vân?",
         "Hà Kiều Vân ngồi ở Văn phòng Huế, tầng 9, bàn H9-12.", "bàn H9-12"),
        ("Bàn làm việc số mấy là của Hà Kiều Vân?",
         "Hà Kiều Vân ngồi ở Văn phòng Huế, tầng 9, bàn H9-12.", "bàn H9-12"),
        ("Hà Kiều Vân ngồi tầng mấy?",
         "Hà Kiều Vân ngồi ở Văn phòng Huế, tầng 9, bàn H9-12.", "tầng 9"),
        ("Mô hình phải báo trước bao nhiêu tiếng?",
         "Mô hình cần báo trước ít nhất 48 giờ với tỷ lệ nhầm dưới 8%.", "48 giờ"),
        ("Người trực được phụ cấp mấy trăm nghìn một tuần?",
         "Người trực nhận 600.000 đồng mỗi tuần, 2 tuần một lần.", "600.000 đồng"),
        ("Phòng họp lớn nhất tên là gì?",
         "Phòng họp lớn nhất tên là phòng Thông Già, chứa được 40 người.", "phòng Thông Già"),
        ("What was the lecture called?",
         'The lecture, entitled "Light and dust", was given by Ann Lee.', "Light and dust"),
        ("Mã nhân viên của Trương Gia Bách là gì?",
         "Trương Gia Bách (E946) là trưởng nhóm Lưu trữ.", "E946"),
        ("Who runs the night service of Orion?",
         "Masts are the business of Karel Nowak, who runs the night service.", "Karel Nowak"),
        ("Mô hình được chạy thử ở đâu?", "Kho lạnh Đèo Gió là nơi chạy thử mô hình.",
         "Kho lạnh Đèo Gió"),
        ("Ai được vào phòng máy?", "Chỉ trưởng nhóm Lưu trữ và trưởng nhóm Mạng giữ thẻ.",
         "trưởng nhóm Lưu trữ và trưởng nhóm Mạng"),
        ("Which sensors stand on the masts?", "Each mast carries an LX-210 sensor.", "LX-210"),
        ("What yearly fee each farm has paid since 2020?",
         "Since 2020 the farms have paid a yearly fee of 190 euros each.", "190 euros"),
    ],
)  # fmt: skip
def test_what_is_asked_for_is_found_in_the_sentence(
    question: str, sentence: str, answer: str
) -> None:
    found, fit = extract(read(question), sentence)
    assert (found, fit >= 0.7) == (answer, True)


@pytest.mark.parametrize(
    ("question", "sentence", "title", "subject"),
    [
        ("Who chairs the Alliance?", "Since 2022 she has chaired the Alliance.", "Helena Stein",
         "Helena Stein"),
        ("Which lab is directed by Ann Lee?", "Ann Lee has directed it since 2021.", "Lab Omega",
         "Lab Omega"),
        ("Which lab does Ann Lee direct?", "Ann Lee became director in 2021.", "Lab Omega",
         "Lab Omega"),
        ("Which instrument was made by Lab Omega?", "It is manufactured by Lab Omega.",
         "LX-210 field instrument", "LX-210"),
        ("Dự án nào bắt đầu năm 2021?", "Dự án bắt đầu năm 2021.", "Dự án Sao Mai",
         "Dự án Sao Mai"),
        ("Ai lập ra nhóm?", "Năm 2021 bà lập ra nhóm đầu tiên.", "Hà Kiều Vân", "Hà Kiều Vân"),
        ("Who chairs the Alliance?", "Since 2022 she has chaired the Alliance.", "Lab Omega", ""),
        ("Who chairs Helena Stein's board?", "She has chaired the board.", "Helena Stein", ""),
        ("Which lab is directed by Ann Lee?", "Ann Lee was born in Hue.", "Lab Omega", ""),
    ],
)  # fmt: skip
def test_she_and_it_of_a_sentence_are_what_the_title_names(
    passage: Make, question: str, sentence: str, title: str, subject: str
) -> None:
    one: Any = passage(sentence, title)
    assert subject_of(read(question), sentence, one) == subject


def test_a_code_of_a_row_is_that_of_the_name_beside_it() -> None:
    ask = read("Mã nhân viên của Cao Xuân Bách là gì?")
    headers = ("Mã", "Họ tên", "Quản lý trực tiếp")
    assert answer_cell(ask, Row(headers, ("E24", "Cao Xuân Bách", "Lê Minh")))[0] == "E24"
    assert answer_cell(ask, Row(headers, ("E62", "Lê Minh", "Cao Xuân Bách")))[0] == ""


def test_where_somebody_works_is_the_column_of_a_place() -> None:
    ask = read("Tôn Nữ Hoài An phụ trách hành chính ở đâu?")
    row = Row(("Văn phòng", "Mở từ", "Hành chính"), ("Trụ sở Huế", "02/05/2012", "Tôn Nữ Hoài An"))
    assert answer_cell(ask, row)[0] == "Trụ sở Huế"


def test_a_year_behind_a_name_tells_which_edition_and_a_number_another_thing() -> None:
    assert holds_name("Applied Optics 2024", "Applied Optics")
    assert not holds_name("Halo II", "Halo")
    assert not holds_name("Dự án 2", "Dự án")
    assert holds_name("Hội nghị Huế 2024", "Hội nghị Huế")


def test_a_table_is_no_department_though_both_fold_to_ban() -> None:
    assert "phong" not in same_kind("bàn")
    assert "department" in same_kind("ban")


def test_words_typed_without_accents_are_read_as_passages_mostly_write_them() -> None:
    ask = read("tam ung luong duoc toi da bao nhieu phan tram")
    texts = ["Nhân viên được tạm ứng tối đa 40% lương tháng.", "Lương được trả ngày 5."]
    assert accented(ask, texts).text == "tạm ứng lương được tối đa bao nhiêu phần trăm"


def test_names_typed_without_capitals_are_read_as_passages_write_them() -> None:
    texts = ["Lab Theta > Visits\nLab Theta receives visitors. Halo is a light; a halo is round."]
    assert cased(read("on which day can one visit lab theta?"), texts).anchors == ("Lab Theta",)
    assert cased(read("what is halo?"), texts).anchors == ()
    assert cased(read("When did Ann visit lab theta?"), texts).anchors == ("Ann",)


@pytest.mark.parametrize(
    ("question", "answer", "lacks"),
    [
        ("Văn phòng của An có địa chỉ thế nào?", "Văn phòng Hà Nội", True),
        ("Văn phòng của An có địa chỉ thế nào?", "số 64 phố Cây Sấu", False),
        ("Thư lừa đảo báo về địa chỉ nào?", "anninh@vansam.example", False),
        ("An làm việc ở đâu?", "Văn phòng Hà Nội", False),
    ],
)
def test_the_name_of_an_office_is_no_address(question: str, answer: str, lacks: bool) -> None:
    assert lacks_address(read(question), answer) is lacks


def test_several_people_are_given_together_where_several_are_asked_for() -> None:
    sentence = "Hai người sáng lập là Lê Thị Vân và Đặng Quốc Khánh."
    assert extract(read("Công ty do những ai sáng lập?"), sentence)[0] == (
        "Lê Thị Vân và Đặng Quốc Khánh"
    )


@pytest.mark.parametrize(
    ("question", "sentence", "answer"),
    [
        ("Ở Huế gửi xe đạp chỗ nào?", "Văn phòng Huế có chỗ để xe đạp ở hầm B7.", "hầm B7"),
        ("Ai duyệt phiếu trực ở Xưởng Bắc Hà?", "Tại Xưởng Bắc Hà, Giám đốc Sản xuất duyệt phiếu.",
         "Giám đốc Sản xuất"),
        ("Chức danh nào duyệt mức giảm giá?", "Giám đốc Bán hàng duyệt mọi mức giảm giá.",
         "Giám đốc Bán hàng"),
        ("Xử lý ERR_70 thế nào?", "Cách xử lý ERR_70 là thay pin.", "thay pin"),
        ("Điểm đánh giá của Công ty Hừng Sáng là bao nhiêu?",
         "Năm 2025, Công ty Hừng Sáng đạt 83 điểm.", "83"),
        ("How many employees does Lab Tau have?",
         "Nine employees moved to the barge, which brought the staff of Tau to 52.", "52"),
        ("In which town does Lab Tau work?",
         "Tau belongs to Marrow University and has a campus in Port Alder.", "Port Alder"),
    ],
)  # fmt: skip
def test_places_posts_points_and_headcounts_are_found(
    question: str, sentence: str, answer: str
) -> None:
    assert extract(read(question), sentence)[0] == answer


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Muốn hỏi về hồ sơ bảo hiểm thì gọi số nào?", "Hồ sơ bảo hiểm gồm 3 tờ đơn."),
        ("How many passengers can the ferries carry?", "Three ferries take part in it."),
        ("Dự án Sao Mai kết thúc ngày nào?", "Báo cáo nộp vào thứ Sáu hằng tuần."),
    ],
)
def test_a_number_or_a_day_of_something_else_is_none(question: str, sentence: str) -> None:
    assert extract(read(question), sentence) == ("", 0.0)


def test_somebody_is_asked_for_and_a_place_or_a_unit_is_no_answer() -> None:
    row = Row(
        ("Phòng", "Trưởng phòng", "Cấp trên", "Nơi làm việc"),
        ("Bản đồ", "Lê Văn An (E901)", "Trần Thị Bình", "Huế"),
    )
    assert answer_cell(read("Lê Văn An làm việc dưới quyền ai?"), row)[0] == "Trần Thị Bình"
    assert answer_cell(read("Mã nhân viên của Lê Văn An là gì?"), row) == ("E901", 1.0)


def test_a_person_is_no_customer() -> None:
    row = Row(("Mã", "Họ tên", "Chức danh", "Quản lý trực tiếp"),
              ("E907", "Lục Bảo An", "Quản lý khách hàng", "Huỳnh Tấn Phát"))  # fmt: skip
    assert answer_cell(read("Lục Bảo An quản lý khách hàng nào?"), row)[0] != "Huỳnh Tấn Phát"


def test_words_in_capitals_keep_their_letters_when_accents_are_put_back() -> None:
    ask = accented(read("mat may thi bao cho IT trong may gio"), ["Bàn trợ giúp ít khi bận."])
    assert "IT" in ask.text


@pytest.mark.parametrize(
    ("question", "sentence", "answer"),
    [
        ("Khi cháy thì gọi số nào?", "Khi có cháy, gọi 0901234567 để báo bảo vệ.", "0901234567"),
        ("Số máy lẻ của phòng IT là bao nhiêu?", "Số máy lẻ của phòng IT là 105.", "105"),
        ("How many employees joined Tau in 2023?", "In 2023, 12 employees joined Tau.",
         "12 employees"),
        ("Ai duyệt đơn?", "Đơn do ban giám đốc của công ty duyệt.", "ban giám đốc của công ty"),
    ],
)  # fmt: skip
def test_numbers_to_call_and_people_who_moved_answer_where_they_are_asked_for(
    question: str, sentence: str, answer: str
) -> None:
    assert extract(read(question), sentence)[0] == answer


def test_a_year_is_no_place() -> None:
    sentence = "The pump was bought in early 2019 and is kept."
    assert extract(read("Where is the pump kept?"), sentence)[1] < 0.7
