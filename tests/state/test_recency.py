import pytest

from state.recency import asks_for_today, begins, in_force, of_year, superseded_by
from tests.state.evidence import evidence

DAY = "2026-06-01"
OLD = evidence("e1", "Nghỉ 12 ngày.", title="Quy định nghỉ phép 2025", version="2025")
NEW = evidence("e2", "Nghỉ 15 ngày.", title="Quy định nghỉ phép 2026", version="2026")


@pytest.mark.parametrize(
    "question",
    [
        "Nhân viên được nghỉ mấy ngày?",
        "nhan vien duoc nghi may ngay nam nay",
        "How many days of leave are there?",
        "Đơn phải gửi trước mấy ngày?",
    ],
)
def test_a_question_without_a_time_asks_for_today(question: str) -> None:
    assert asks_for_today(question)


@pytest.mark.parametrize(
    "question",
    [
        "Năm 2025 được nghỉ mấy ngày?",
        "Năm ngoái được nghỉ mấy ngày?",
        "nam ngoai duoc nghi may ngay",
        "Quy định trước đây thế nào?",
        "Chế độ nghỉ phép đã thay đổi ra sao?",
        "Nghỉ phép năm nay khác năm trước thế nào?",
        "How does it differ from the old one?",
        "What was the limit last year?",
        "What did the previous version say?",
    ],
)
def test_a_question_that_names_another_time_does_not(question: str) -> None:
    assert not asks_for_today(question)


def test_a_source_holds_from_its_date_or_from_the_year_of_its_version() -> None:
    assert begins(evidence("e1", "x", version="Bản 2025")) == "2025-01-01"
    assert begins(evidence("e1", "x", version="2025", effective_from="2025-07-01")) == "2025-07-01"
    assert begins(evidence("e1", "x", version="3.1")) == ""


@pytest.mark.parametrize(
    ("fields", "holds"),
    [
        ({}, True),
        ({"effective_to": DAY}, True),
        ({"effective_to": "2026-05-31"}, False),
        ({"effective_from": DAY}, True),
        ({"effective_from": "2026-06-02"}, False),
    ],
)
def test_both_ends_of_its_time_count_as_in_force(fields: dict[str, str], holds: bool) -> None:
    assert in_force(evidence("e1", "x", **fields), DAY) == holds


def test_the_newer_version_in_force_supersedes_the_older_one_of_its_subject() -> None:
    assert superseded_by(OLD, [NEW], DAY) is NEW
    assert superseded_by(NEW, [OLD], DAY) is None


def test_a_version_that_is_not_in_force_yet_supersedes_nothing() -> None:
    assert superseded_by(OLD, [NEW], "2025-11-30") is None


def test_a_text_whose_time_is_over_is_superseded_by_an_undated_one_only_if_that_is_newer() -> None:
    ended = evidence("e1", "x", title="Nội quy", effective_to="2025-12-31")
    now = evidence("e2", "x", title="Nội quy", effective_from="2026-01-01")
    assert superseded_by(ended, [now], DAY) is now
    assert superseded_by(ended, [evidence("e3", "x", title="Nội quy")], DAY) is None


@pytest.mark.parametrize(
    "title", ["Lương 2026", "Quy định nghỉ phép cho quản lý 2026", "Lab 2 2026"]
)
def test_a_newer_text_about_something_else_supersedes_nothing(title: str) -> None:
    other = evidence("e2", "x", title=title, version="2026")
    assert superseded_by(OLD, [other], DAY) is None
    lab = evidence("e1", "x", title="Lab 1 2025", version="2025")
    assert superseded_by(lab, [other], DAY) is None


def test_a_version_is_of_its_year_and_a_dated_text_of_every_year_that_it_holds_in() -> None:
    assert (of_year(OLD, "2025"), of_year(OLD, "2026")) == (True, False)
    dated = evidence("e1", "x", effective_from="2024-07-01", effective_to="2025-06-30")
    assert [of_year(dated, year) for year in ("2023", "2024", "2025", "2026")] == [
        False,
        True,
        True,
        False,
    ]
