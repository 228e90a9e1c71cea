import pytest

from policy.language.values import order, parse_value


@pytest.mark.parametrize(
    ("text", "measure", "amount"),
    [
        ("4,2 tỷ đồng", "money", 4.2e9), ("1.8 million euros", "money", 1.8e6),
        ("1,200,000 euros", "money", 1.2e6), ("35.000 đồng", "money", 35_000),
        ("50k đồng", "money", 50_000), ("72 hours", "time", 3), ("hai tháng", "time", 60.8),
        ("85%", "share", 85), ("02/05/2012", "date", 20120502),
        ("9 February 2024", "date", 20240209),
        ("ngày 5 tháng 3 năm 2024", "date", 20240305), ("2019", "date", 20190101),
        ("430 plots", "count", 430), ("4.2", "count", 4.2),
    ],
)  # fmt: skip
def test_values_are_read_as_either_language_writes_them(
    text: str, measure: str, amount: float
) -> None:
    value = parse_value(text)
    assert value is not None
    assert (value.measure, value.amount) == (measure, pytest.approx(amount))


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("1,8 tỷ đồng", "900 triệu đồng", 1), ("640,000 euros", "1.2 million euros", -1),
        ("4 giờ làm việc", "1 giờ", 1), ("15/08/2015", "20/09/2021", -1), ("2012", "May 2013", -1),
        ("2019", "2019", 0), ("6 tháng", "12 ngày", 1),
    ],
)  # fmt: skip
def test_two_values_of_one_measure_are_ordered(first: str, second: str, expected: int) -> None:
    assert order(first, second) == expected


def test_values_of_different_measures_are_not_compared() -> None:
    assert order("2019", "34 people") is None
    assert order("85%", "2 tháng") is None
    assert order("nhiều", "ít") is None


def test_a_year_is_neither_before_nor_after_a_day_in_it() -> None:
    assert order("2012", "May 2012") is None
    assert order("20/09/2021", "năm 2021") is None
