"""Numbers that no source states, because they are how far two stated ones are apart."""

import pytest

from state.differences import is_difference

GROUNDS = "Năm 2025 được nghỉ 12 ngày. Năm 2026 được nghỉ 15 ngày. Thuê 4,5 triệu, mua 2019."


@pytest.mark.parametrize(
    ("number", "statement", "expected"),
    [
        ("3", "3 ngày (năm 2026: 15 ngày; năm 2025: 12 ngày).", True),
        ("4", "4 ngày (năm 2026: 15 ngày; năm 2025: 12 ngày).", False),
        ("3", "3 người (năm 2026: 15 ngày; năm 2025: 12 ngày).", False),
        ("1", "1 năm: 2025 và 2026.", False),
        ("5", "5 ngày (20 ngày; 15 ngày).", False),
    ],
)
def test_a_difference_is_one_of_two_stated_amounts_of_its_unit(
    number: str, statement: str, expected: bool
) -> None:
    assert is_difference(number, statement, GROUNDS) is expected


def test_english_days_are_subtracted_alike() -> None:
    assert is_difference("3", "3 days (now: 15 days; before: 12 days).", "12 days, then 15 days")
