"""Values are converted to the type of a parameter, or refused saying what is allowed."""

from datetime import date
from typing import Any

import pytest

from retrieval.errors import ToolError
from retrieval.tools.database_parameters import convert
from retrieval.tools.database_settings import Parameter


def converted(value: Any, **rule: Any) -> Any:
    parameter = Parameter.model_validate(rule)
    return convert("tháng", parameter, value, parameter.enum)


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        ("integer", 7, 7),
        ("integer", " 7 ", 7),
        ("integer", 7.0, 7),
        ("integer", "-12", -12),
        ("number", "7.5", 7.5),
        ("number", 3, 3),
        ("string", " Sơn Trà ", "Sơn Trà"),
        ("string", "So\u031bn Tra\u0300", "Sơn Trà"),
        ("date", "2026-03-31", date(2026, 3, 31)),
        ("date", "31/3/2026", date(2026, 3, 31)),
        ("boolean", "yes", True),
        ("boolean", False, False),
    ],
)
def test_a_value_that_fits_is_converted(kind: str, value: Any, expected: Any) -> None:
    found = converted(value, type=kind)
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("integer", "bảy"),
        ("integer", "７"),
        ("integer", 7.5),
        ("integer", True),
        ("integer", 2**63),
        ("integer", "1e9"),
        ("integer", "7; DROP TABLE x"),
        ("integer", [7]),
        ("number", float("nan")),
        ("number", float("inf")),
        ("number", "1,5"),
        ("number", {"a": 1}),
        ("string", 7),
        ("string", "a\x00b"),
        ("string", "\udc80"),
        ("string", "x" * 201),
        ("date", "31-03-2026"),
        ("date", "2026-13-01"),
        ("date", 20260331),
        ("boolean", "có"),
        ("boolean", 2),
    ],
)
def test_a_value_that_does_not_fit_is_named_with_what_is_allowed(kind: str, value: Any) -> None:
    with pytest.raises(ToolError, match=r"The parameter 'tháng' cannot be .*: it must be "):
        converted(value, type=kind)


def test_limits_patterns_and_lists_are_kept_and_told() -> None:
    months = {"type": "integer", "minimum": 1, "maximum": 12}
    assert converted("12", **months) == 12
    with pytest.raises(ToolError, match="cannot be 13: it must be a whole number from 1 to 12"):
        converted(13, **months)
    with pytest.raises(ToolError, match="of at most 2026-12-31"):
        converted("2027-01-01", type="date", maximum="2026-12-31")
    code = {"type": "string", "pattern": "E[0-9]{3}"}
    assert converted("E042", **code) == "E042"
    with pytest.raises(ToolError, match=r"like E\[0-9\]\{3\}"):
        converted("E042 OR 1=1", **code)
    teams = {"type": "string", "enum": ["Kế toán", "Nhân sự"]}
    assert converted("NHÂN SỰ", **teams) == "Nhân sự"
    with pytest.raises(ToolError, match="must be one of: Kế toán, Nhân sự"):
        converted("Ban giám đốc", **teams)


def test_a_long_value_is_shown_in_part() -> None:
    with pytest.raises(ToolError) as caught:
        converted("9" * 100_000, type="integer")
    assert len(str(caught.value)) < 250
