"""What differs between two years is two questions; "this year" counts from the day of asking."""

import pytest

from policy.language.years import by_year, differing, with_years
from policy.protocol import PlannedSubgoal

DAY = "2026-02-28"


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("Phép năm nay khác năm ngoái ra sao?", "Phép năm 2026 khác năm 2025 ra sao?"),
        ("phep nam nay con may ngay", "phep nam 2026 con may ngay"),
        ("How does this year's policy differ from last year's?",
         "How does 2026's policy differ from 2025's?"),
        ("Phép dư được chuyển sang năm sau không?", "Phép dư được chuyển sang năm sau không?"),
    ],
)  # fmt: skip
def test_this_year_and_last_year_are_counted_from_the_day_of_asking(
    question: str, meant: str
) -> None:
    assert with_years(question, DAY) == meant


def test_without_a_day_nothing_is_counted() -> None:
    assert with_years("Phép năm nay thế nào?", "") == "Phép năm nay thế nào?"


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("Nghỉ phép 2026 khác 2025 thế nào?",
         ["Nghỉ phép năm 2026 là bao nhiêu?", "Nghỉ phép năm 2025 là bao nhiêu?"]),
        ("Quy định nghỉ phép năm 2025 và 2026 khác nhau thế nào?",
         ["Nghỉ phép năm 2025 là bao nhiêu?", "Nghỉ phép năm 2026 là bao nhiêu?"]),
        ("nghi phep 2026 khac 2025 the nao",
         ["Nghi phep nam 2026 la bao nhieu?", "Nghi phep nam 2025 la bao nhieu?"]),
        ("What is the difference between the 2025 and 2026 leave policy?",
         ["How much annual leave is there in 2025?", "How much annual leave is there in 2026?"]),
    ],
)  # fmt: skip
def test_a_question_how_two_years_differ_asks_for_both_values(
    question: str, parts: list[str]
) -> None:
    assert differing(question) == parts


def test_the_unit_of_the_part_beside_it_says_which_value_is_meant() -> None:
    parts = differing("Nghỉ phép 2026 khác 2025 thế nào?", "tôi còn bao nhiêu ngày")
    assert parts == ["Nghỉ phép năm 2026 bao nhiêu ngày?", "Nghỉ phép năm 2025 bao nhiêu ngày?"]


@pytest.mark.parametrize(
    "question",
    [
        "Ai duyệt thay đổi từ 2025 sang 2026?",
        "Doanh thu năm 2025 là bao nhiêu?",
        "Phép năm 2026 được chuyển sang 2027 mấy ngày?",
        "Who signed the change from 2025 to 2026?",
        "Nghỉ phép 2026 khác Lab Delta thế nào?",
        "Nghỉ phép của {s1} năm 2026 khác 2025 thế nào?",
    ],
)
def test_two_years_that_are_not_set_against_each_other_stay_one_question(question: str) -> None:
    assert differing(question) == []


def test_later_parts_keep_what_they_wait_for_when_one_part_becomes_two() -> None:
    plan = [
        PlannedSubgoal(id="s1", question="Nghỉ phép 2026 khác 2025 thế nào?"),
        PlannedSubgoal(id="s2", question="Ai phụ trách Hải Vân?"),
        PlannedSubgoal(id="s3", question="{s2} ngồi ở đâu?", depends_on=["s2"]),
    ]
    ids = [(one.id, one.question, one.depends_on) for one in by_year(plan)]
    assert ids[2:] == [
        ("s3", "Ai phụ trách Hải Vân?", []),
        ("s4", "{s3} ngồi ở đâu?", ["s3"]),
    ]
