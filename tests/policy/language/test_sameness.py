"""Whether two things have something in common: one question for each, and what code decides."""

import pytest

from policy.language.comparing import decided, read_comparison
from policy.language.decompose import decompose
from policy.language.sameness import is_same


@pytest.mark.parametrize(
    ("question", "sides"),
    [
        ("Do Ann Lee and Ben Ray report to the same manager?",
         ("Which manager does Ann Lee report to?", "Which manager does Ben Ray report to?")),
        ("Were Lab Theta and Lab Zeta founded in the same year?",
         ("In which year was Lab Theta founded?", "In which year was Lab Zeta founded?")),
        ("Were both Ann Lee and Ben Ray, born in the same place?",
         ("Where was Ann Lee born?", "Where was Ben Ray born?")),
        ("Are the directors of both labs Theta and Zeta from the same country?",
         ("Which country is the director of Theta from?",
          "Which country is the director of Zeta from?")),
        ("Do Lab Theta and Lab Zeta have the same director?",
         ("Who is the director of Lab Theta?", "Who is the director of Lab Zeta?")),
        ("Are Port Averil and Brennick located in the same country?",
         ("In which country is Port Averil located?", "In which country is Brennick located?")),
        ("Chị Lan và anh Bình có cùng quản lý không?",
         ("Quản lý của Chị Lan là ai?", "Quản lý của anh Bình là ai?")),
        ("Hà Kiều Vân và Lý Thu Cúc có làm việc ở cùng phòng không?",
         ("Hà Kiều Vân làm việc ở phòng nào?", "Lý Thu Cúc làm việc ở phòng nào?")),
        ("Dự án Sơn Trà và dự án Tam Giang có cùng trưởng dự án không?",
         ("Trưởng dự án của Dự án Sơn Trà là ai?", "Trưởng dự án của dự án Tam Giang là ai?")),
        ("Ha Kieu Van va Ly Thu Cuc co cung quan ly khong?",
         ("Quan ly cua Ha Kieu Van la ai?", "Quan ly cua Ly Thu Cuc la ai?")),
    ],
)  # fmt: skip
def test_each_of_two_things_is_asked_about(question: str, sides: tuple[str, str]) -> None:
    comparison = read_comparison(question)
    assert comparison is not None
    assert (comparison.sides, comparison.direction) == (sides, "same")


@pytest.mark.parametrize(
    "question",
    [
        "Are the staff and the managers in the same building?",
        "Lab Theta và Lab Omega có chung bao nhiêu phòng?",
        "Is the same rule used in Hanoi?",
        "Lan và Minh làm việc cùng nhau không?",
        "Lan và Minh có làm việc chung với nhau không?",
        "Công ty A và B cùng ký hợp đồng nào?",
        "Do Ann Lee and Bob Ray usually wait on the same day?",
        "Are Research and Development and Sales in the same building?",
        "Are Hanoi Office and Hue Office both open on Saturdays?",
        "Have Ann Lee and Bob Ray both signed the NDA?",
    ],
)
def test_where_no_two_names_are_told_the_question_stays_whole(question: str) -> None:
    assert read_comparison(question) is None


def test_both_of_two_things_are_asked_about_and_a_no_to_one_is_a_no() -> None:
    comparison = read_comparison("Are Medea and Senta both board games?")
    assert comparison is not None
    assert comparison.sides == ("Is Medea a board game?", "Is Senta a board game?")
    assert comparison.direction == "both"
    assert decided(comparison, "Yes", "No", "en")[1] == "No"
    assert decided(comparison, "Yes", "Yes", "en")[1] == "Yes"
    assert decided(comparison, "Yes", "It is played on a board", "en")[1] == ""


def test_the_hops_to_what_is_compared_are_asked_first() -> None:
    parts = decompose("Do the founder of Lab Theta and the founder of Lab Zeta share the same "
                      "nationality?")  # fmt: skip
    assert [part.question for part in parts] == [
        "Who is the founder of Lab Theta?",
        "What nationality is {s1}?",
        "Who is the founder of Lab Zeta?",
        "What nationality is {s3}?",
    ]


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("Ann Lee", "ann lee", True),
        ("Ann Lee", "Ben Ray", False),
        ("Danish", "Swedish", False),
        ("Phòng Nhân sự", "phòng nhân sự.", True),
        ("Huế", "Đà Nẵng", False),
        ("Phòng Nhân sự", "Phòng Kế toán", False),
        ("tầng 3", "tầng 4", False),
        ("12 ngày", "15 ngày", False),
        ("5,000", "5000", True),
        ("Hà Nội", "Hanoi", True),
        ("30 days", "1 month", None),
        ("$5", "€5", None),
        ("HR", "Human Resources", None),
        ("Germany", "German", None),
        ("two", "2", None),
        ("England", "United Kingdom", None),
        ("Lan", "Nguyễn Thị Lan", None),
        ("Hue", "Ann Lee has been a director of the lab in Brennick since 2012", None),
        ("", "Hue", None),
    ],
)
def test_two_short_answers_are_one_or_not_or_that_is_left_open(
    first: str, second: str, same: bool | None
) -> None:
    assert is_same(first, second) is same


def test_the_answer_says_yes_or_no_and_both_values() -> None:
    comparison = read_comparison("Chị Lan và anh Bình có cùng quản lý không?")
    assert comparison is not None
    assert decided(comparison, "Hà Kiều Vân", "Lý Thu Cúc", "vi") == (
        "Không (Chị Lan: Hà Kiều Vân; anh Bình: Lý Thu Cúc).",
        "Không",
    )
    assert decided(comparison, "Hà Kiều Vân", "Hà Kiều Vân", "vi")[1] == "Có"
    text, short = decided(comparison, "Vân", "Hà Kiều Vân", "vi")
    assert (text, short) == ("Chị Lan: Vân; anh Bình: Hà Kiều Vân.", "")


@pytest.mark.parametrize(
    ("question", "sides"),
    [
        ("The Havanese and the Black Cur are both which kind of animal?",
         ("The Havanese is which kind of animal?", "the Black Cur is which kind of animal?")),
        ("Both Never Cry and Big Hero 6 films were released by what label?",
         ("Never Cry was released by what label?", "Big Hero 6 was released by what label?")),
        ("Did Ann Lee and Bo Ek both publish more than 15 novels?",
         ("Did Ann Lee publish more than 15 novels?", "Did Bo Ek publish more than 15 novels?")),
    ],
)  # fmt: skip
def test_what_both_are_or_did_is_asked_of_each(question: str, sides: tuple[str, str]) -> None:
    comparison = read_comparison(question)
    assert comparison is not None
    assert comparison.sides == sides


@pytest.mark.parametrize(
    ("question", "side"),
    [
        ("Which person went into space at a later date, Ann Lee or Bo Ek?",
         "When did Ann Lee go into space?"),
        ("Which plant is larger, Cotula or Senta?", "How large is Cotula plant?"),
        ("Which grant is larger, Aurora or Borealis?", "What is the amount of Aurora grant?"),
    ],
)  # fmt: skip
def test_what_is_compared_is_asked_in_its_own_words(question: str, side: str) -> None:
    comparison = read_comparison(question)
    assert comparison is not None
    assert comparison.sides[0] == side
