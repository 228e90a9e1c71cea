import unicodedata

import pytest

from state.queries import normal_query, was_seen
from state.types import SeenQuery

QUERY = "Nhân viên thử việc ở Hòa Bình được nghỉ mấy ngày năm 2026"


@pytest.mark.parametrize(
    "same",
    [
        QUERY + "?",
        QUERY.lower() + " ",
        "  " + QUERY.upper() + " ?! ",
        unicodedata.normalize("NFD", QUERY),
        QUERY.replace("Hòa", "Hoà"),
        QUERY.replace(" ", "\n"),
        QUERY + "…",
    ],
)
def test_another_spelling_is_the_same_query(same: str) -> None:
    assert normal_query(same) == normal_query(QUERY)


@pytest.mark.parametrize(
    "other",
    [
        QUERY.replace("2026", "2025"),
        QUERY.replace("Hòa Bình", "Thái Bình"),
        QUERY.replace("được", "không được"),
        QUERY.replace("nghỉ", "nghi"),
        QUERY.replace("thử việc ", ""),
        "How many days of leave did employees on probation in Hòa Bình get in 2026",
    ],
)
def test_another_number_name_negation_or_accent_is_another_query(other: str) -> None:
    assert normal_query(other) != normal_query(QUERY)


def test_codes_that_differ_in_a_sign_are_different_queries() -> None:
    assert normal_query("ERR_4021") != normal_query("ERR-4021")
    assert normal_query("C++ là gì?") != normal_query("C là gì?")


def test_a_query_is_seen_for_its_own_tool_and_subgoal_only() -> None:
    seen: list[SeenQuery] = [
        {
            "normal": normal_query(QUERY),
            "query": QUERY,
            "subgoal_id": "s1",
            "tool": "search_documents",
            "hits": 0,
        }
    ]
    assert was_seen(QUERY + " ?", "search_documents", "s1", seen)
    assert not was_seen(QUERY, "sql", "s1", seen)
    assert not was_seen(QUERY, "search_documents", "s2", seen)
    assert not was_seen(QUERY, "search_documents", "s1", [])
