"""Plans of questions as people type them: what is taken apart, and what is left whole."""

import pytest

from policy.language.decompose import decompose


def plan(question: str) -> list[str]:
    return [part.question for part in decompose(question)]


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("Trưởng cái nhóm phải xử lý ERR_7001 đang phụ trách dự án nào?",
         ["Nhóm nào xử lý ERR_7001?", "Ai là trưởng nhóm của {s1}?",
          "{s2} đang phụ trách dự án nào?"]),
        ("Sếp trực tiếp của bạn nhận hồ sơ thầu là ai?",
         ["Ai nhận hồ sơ thầu?", "Sếp trực tiếp của {s1} là ai?"]),
        ("Cái người phụ trách Dự án Sao Mai, mã nhân viên bao nhiêu?",
         ["Ai phụ trách Dự án Sao Mai?", "{s1}, mã nhân viên bao nhiêu?"]),
    ],
)  # fmt: skip
def test_a_colloquial_description_of_somebody_is_a_question_of_its_own(
    question: str, parts: list[str]
) -> None:
    assert plan(question) == parts


@pytest.mark.parametrize(
    "question",
    [
        "Kỹ sư trực đêm cuối tuần được phụ cấp mấy trăm nghìn?",
        "Nhân viên làm thêm buổi tối được trả bao nhiêu?",
        "Khách hàng ký hợp đồng ba năm có được giảm giá không?",
        "Under the rules that have applied since May 2024, how many copies must be kept?",
        "How wide is the gate at Lab Theta, the one that opens at night?",
        "What is the most that we can spend on a trip?",
    ],
)
def test_a_rule_for_anybody_or_an_apposition_is_not_looked_up_first(question: str) -> None:
    assert len(plan(question)) == 1


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("Lab Theta belongs to a university. Its rector's name, please?",
         ["Lab Theta belongs to which university?", "Who is the rector of {s1}?"]),
        ("We have to carry one of the sensors that stand on the Orion masts. How heavy is it?",
         ["Which sensors stand on the Orion masts?", "How heavy is {s1}?"]),
    ],
)  # fmt: skip
def test_it_of_a_second_sentence_is_the_one_thing_without_a_name(
    question: str, parts: list[str]
) -> None:
    assert plan(question) == parts


def test_she_is_not_the_thing_without_a_name() -> None:
    assert len(plan("Anna Lee works at a laboratory. When was she born?")) == 1


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("Đơn nghỉ năm 2021 do ai ký, còn sang năm 2022 thì ai ký?",
         ["Đơn nghỉ năm 2021 do ai ký?", "Đơn nghỉ năm 2022 do ai ký?"]),
        ("Lab Theta và Lab Omega hiện do ai điều hành?",
         ["Lab Theta hiện do ai điều hành?", "Lab Omega hiện do ai điều hành?"]),
        ("Bảo hiểm trả tối đa bao nhiêu cho răng và cho mắt?",
         ["Bảo hiểm trả tối đa bao nhiêu cho răng?", "Bảo hiểm trả tối đa bao nhiêu cho mắt?"]),
        ("Làm ca vào thứ Bảy và vào Chủ nhật được trả bao nhiêu?",
         ["Làm ca vào thứ Bảy được trả bao nhiêu?", "Làm ca vào Chủ nhật được trả bao nhiêu?"]),
    ],
)  # fmt: skip
def test_what_and_joins_is_asked_one_after_the_other(question: str, parts: list[str]) -> None:
    assert plan(question) == parts


def test_two_things_that_are_asked_about_together_stay_together() -> None:
    assert len(plan("Lab Theta và Lab Omega có chung bao nhiêu phòng?")) == 1


def test_the_smaller_staff_is_a_comparison_of_two_head_counts() -> None:
    assert plan("Does Lab Theta or Lab Omega have the smaller staff?") == [
        "How many employees does Lab Theta have?",
        "How many employees does Lab Omega have?",
    ]


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("Dự án Sao Mai chạy từ ngày nào đến ngày nào?",
         ["Dự án Sao Mai bắt đầu ngày nào?", "Dự án Sao Mai kết thúc ngày nào?"]),
        ("Năm 2021 Công ty An Phát được chấm mấy điểm, còn Công ty Bình Minh thì sao?",
         ["Năm 2021 Công ty An Phát được chấm mấy điểm?",
          "Năm 2021 Công ty Bình Minh được chấm mấy điểm?"]),
        ("Ngân sách của Dự án Sao Mai cũng như tên người phụ trách dự án này",
         ["Ngân sách của Dự án Sao Mai?", "tên người phụ trách Dự án Sao Mai?"]),
        ("Giai đoạn học việc dài bao lâu, và trong giai đoạn đó được hưởng bao nhiêu lương?",
         ["Giai đoạn học việc dài bao lâu?",
          "trong giai đoạn học việc được hưởng bao nhiêu lương?"]),
    ],
)  # fmt: skip
def test_the_second_part_says_what_the_first_named(question: str, parts: list[str]) -> None:
    assert plan(question) == parts
