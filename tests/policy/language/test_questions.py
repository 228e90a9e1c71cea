"""What kind of answer a question asks for."""

import pytest

from policy.language.questions import read


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Nhân viên chính thức được nghỉ phép năm mấy ngày?", "number"),
        ("Nhân viên được nghỉ phép năm bao nhiêu ngày?", "number"),
        ("nghi phep nam bao nhieu ngay", "number"),
        ("Lương tháng bao nhiêu triệu?", "number"),
        ("Lễ khai trương vào ngày mấy tháng 5?", "date"),
        ("Công ty được thành lập năm nào?", "date"),
        ("Công ty thành lập năm mấy?", "date"),
        ("Hợp đồng ký ngày mấy?", "date"),
        ("Hop ngay may thang may", "date"),
    ],
)
def test_how_many_days_is_no_question_of_a_date(question: str, kind: str) -> None:
    assert read(question).kind == kind
