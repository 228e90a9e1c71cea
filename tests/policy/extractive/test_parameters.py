"""Values of a call are read off a question by their schemas, and only where there is one value."""

from typing import Any

import pytest

from policy.extractive.parameters import find

YEAR = {"type": "integer", "minimum": 2025, "maximum": 2026}
MONTH = {"type": "integer", "minimum": 1, "maximum": 12}
PROJECT = {"type": "string", "enum": ["Dự án Hải Vân", "Dự án Sơn Trà", "Sơn Trà Mini"]}


@pytest.mark.parametrize(
    ("name", "schema", "question", "value"),
    [
        ("year", YEAR, "Năm 2025 tôi đã nghỉ mấy ngày?", 2025),
        ("year", YEAR, "How many days did I take in 2026?", 2026),
        ("leave_year", YEAR, "phép 2025 của tôi", 2025),
        ("month", MONTH, "Doanh thu tháng 8 năm 2025", 8),
        ("month", MONTH, "doanh thu thang 08/2025", 8),
        ("month", MONTH, "the revenue in August 2025", 8),
        ("month", MONTH, "revenue of May 2025", 5),
        ("quarter", {"type": "integer"}, "doanh thu quý 3", 3),
        ("project", PROJECT, "du an hai van da chi bao nhieu", "Dự án Hải Vân"),
        ("lab", {"type": "string", "enum": ["Halo", "Halo II"]}, "Ai sáng lập Halo II?", "Halo II"),
        ("order", {"type": "string", "pattern": "DH-[0-9]{4}"}, "Đơn DH-0012 đâu?", "DH-0012"),
        ("day", {"type": "string", "format": "date"}, "ngày 01/04/2025 ai nghỉ?", "01/04/2025"),
        ("days", {"type": "number"}, "Nghỉ 2,5 ngày thì ai duyệt?", 2.5),
        ("amount", {"type": "integer"}, "Đơn nào trên 5.000.000 đồng?", 5_000_000),
        ("amount", {"type": "number"}, "Đơn nào trên 5.000,5 đồng?", 5_000.5),
        ("amount", {"type": "number"}, "Đơn nào trên 5,000,000 đồng?", 5_000_000),
        ("amount", {"type": "integer"}, "Which orders are above 5,000 dong?", 5_000),
        ("who", {"type": "string", "pattern": "(E|M)[0-9]{3}"}, "E042 nghỉ mấy ngày?", "E042"),
        ("who", {"type": "string", "pattern": "(E|M)([0-9]{3})"}, "M007 là ai?", "M007"),
    ],
)
def test_a_value_is_found(name: str, schema: Any, question: str, value: Any) -> None:
    found = find(name, schema, question)
    assert found is not None
    assert found.value == value


@pytest.mark.parametrize(
    ("name", "schema", "question"),
    [
        ("year", YEAR, "Năm 2019 tôi đã nghỉ mấy ngày?"),
        ("year", YEAR, "Phép 2025 hay 2026 nhiều hơn?"),
        ("year", YEAR, "Đơn DH-2025-0012 đâu?"),
        ("month", MONTH, "Doanh thu tháng 13 năm 2025"),
        ("month", MONTH, "Hai tháng thử việc lương bao nhiêu?"),
        ("month", MONTH, "May I work from home?"),
        ("project", PROJECT, "Dự án Hải Vân và Dự án Sơn Trà đã chi bao nhiêu?"),
        ("project", PROJECT, "Dự án Bạch Mã đã chi bao nhiêu?"),
        ("order", {"type": "string", "pattern": "DH-[0-9]{4}"}, "Đơn DH-0012'; drop table orders"),
        ("note", {"type": "string"}, "Ghi chú gì đó"),
        ("note", {"type": "string", "pattern": "[0-9]*"}, "Ghi chú gì đó"),
        ("amount", {"type": "number"}, "Địa chỉ 10.0.0.12 là máy nào?"),
    ],
)
def test_what_is_not_allowed_or_not_sure_is_no_value(name: str, schema: Any, question: str) -> None:
    found = find(name, schema, question)
    assert found is None or found.value == "DH-0012"
