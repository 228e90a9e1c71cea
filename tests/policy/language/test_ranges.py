import pytest

from policy.language.ranges import asked_amounts, read_range
from policy.language.values import parse_number


@pytest.mark.parametrize(
    ("rule", "inside", "outside"),
    [
        ("Khoản từ 5.000.000 đồng đến dưới 20.000.000 đồng do Trưởng phòng duyệt.",
         ["5 triệu đồng", "12 triệu"], ["4 triệu đồng", "20 triệu đồng", "25 triệu"]),
        ("Khoản từ 20.000.000 đồng trở lên do Giám đốc duyệt.", ["20 triệu", "1 tỷ"],
         ["19 triệu"]),
        ("Khoản dưới 5.000.000 đồng do quản lý duyệt.", ["4 triệu"], ["6 triệu"]),
        ("Đơn hàng từ 100 cảm biến trở lên được giảm 7%.", ["150 cảm biến"], ["99 cảm biến"]),
        ("Grants between 2 million euros and 5 million euros go to the board.",
         ["3 million euros"], ["1 million euros", "6 million euros"]),
        ("Orders over 100 units get a discount.", ["120 units"], ["80 units", "100 units"]),
    ],
)  # fmt: skip
def test_a_rule_holds_for_the_values_in_its_range(
    rule: str, inside: list[str], outside: list[str]
) -> None:
    stated = read_range(rule)
    assert stated is not None
    told = {one: parse_number(one) for one in (*inside, *outside)}
    assert all(value and stated.holds(value) for one, value in told.items() if one in inside)
    assert not any(value and stated.holds(value) for one, value in told.items() if one in outside)


@pytest.mark.parametrize(
    "sentence", ["Lab Theta was founded in 2014.", "Nhân viên được nghỉ 12 ngày phép."]
)
def test_a_sentence_without_limits_states_no_range(sentence: str) -> None:
    assert read_range(sentence) is None


def test_the_amounts_of_a_question_are_read_with_their_unit() -> None:
    assert [one for one, _ in asked_amounts("Khoản 12 triệu đồng do ai duyệt?")] == [
        "12 triệu đồng"
    ]
