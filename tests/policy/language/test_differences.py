"""How far two stated amounts are apart, written as the amounts are."""

import pytest

from policy.language.comparing import difference


@pytest.mark.parametrize(
    ("first", "second", "apart"),
    [
        ("15 ngày làm việc", "12 ngày làm việc", "3 ngày làm việc"),
        ("12.500.000 đồng", "10.000.000 đồng", "2.500.000 đồng"),
        ("2,500,000 VND", "1,200,000 VND", "1,300,000 VND"),
        ("4,5 năm", "2 năm", "2,5 năm"),
        ("3.6 kilograms", "2.1 kilograms", "1.5 kilograms"),
        ("15 ngày", "2 tuần", ""),
        ("2017", "2020", ""),
    ],
)
def test_a_difference_is_written_as_its_amounts_are(first: str, second: str, apart: str) -> None:
    assert difference(first, second) == apart
