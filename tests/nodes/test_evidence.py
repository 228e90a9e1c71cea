from typing import Any

import pytest

from nodes.evidence import accept, locate, unsupported, verdicts_by_passage
from tests.nodes.scripting import graded, nfd, passage, verdict

TEXT = "Điều 7. Nhân viên thử việc\n  được nghỉ 6 ngày, lương 5.000.000đ. Hết."


def candidate(name: str = "s1:c1") -> Any:
    return {**passage(TEXT), "id": name, "query": "nghỉ", "subgoal_id": "s1", "tool": "t"}


def evidence(quote: str, **fields: str) -> Any:
    return {"quote": quote, "title": "", "heading": "", "version": "", **fields}


def test_a_quote_is_found_where_it_stands() -> None:
    start, end = locate("được nghỉ 6 ngày", TEXT) or (0, 0)
    assert TEXT[start:end] == "được nghỉ 6 ngày"


@pytest.mark.parametrize(
    "quote",
    ["thử việc được nghỉ", "  thử việc\n\n  được   nghỉ ", "thử việc\r\nđược nghỉ"],
)
def test_white_space_aside_the_passage_is_what_is_quoted(quote: str) -> None:
    start, end = locate(quote, TEXT) or (0, 0)
    assert TEXT[start:end] == "thử việc\n  được nghỉ"


@pytest.mark.parametrize(
    "quote",
    ["được nghỉ 7 ngày", "duoc nghi 6 ngay", "ĐƯỢC NGHỈ", "được nghỉ.*ngày", "", "  \n "],
)
def test_a_quote_that_does_not_stand_in_the_passage_is_not_found(quote: str) -> None:
    assert locate(quote, TEXT) is None


def test_a_decomposed_quote_is_found_in_the_composed_passage() -> None:
    span = locate(nfd("được nghỉ 6 ngày"), TEXT)
    assert span is not None
    assert TEXT[slice(*span)] == "được nghỉ 6 ngày"


def test_every_passage_has_one_verdict_and_a_missing_one_is_unknown() -> None:
    grade = graded(verdict("a", "yes", "x"), verdict("elsewhere", "yes", "x"))
    found = verdicts_by_passage(grade, [candidate("a"), candidate("b")])
    assert {name: one.relevant for name, one in found.items()} == {"a": "yes", "b": "unknown"}
    assert found["b"].reason == "the grader did not judge it"


@pytest.mark.parametrize(
    "said", [["yes", "no"], ["no", "yes"], ["yes", "no", "yes"], ["yes", "unknown"]]
)
def test_contradictory_verdicts_are_unknown(said: list[str]) -> None:
    grade = graded(*(verdict("a", one, "được nghỉ") for one in said))
    assert verdicts_by_passage(grade, [candidate("a")])["a"].relevant == "unknown"


@pytest.mark.parametrize("relevant", ["no", "unknown"])
def test_only_a_yes_makes_evidence(relevant: str) -> None:
    made, reason = accept(candidate(), verdict("s1:c1", relevant, "được nghỉ"), 1)
    assert made is None
    assert reason == f"because {relevant}"


def test_evidence_points_at_characters_of_the_document() -> None:
    made, _ = accept(candidate(), verdict("s1:c1", "yes", "6 ngày"), 3)
    assert made is not None
    assert (made["id"], made["quote"]) == ("e3", "6 ngày")
    assert TEXT[made["start"] - 100 : made["end"] - 100] == "6 ngày"


@pytest.mark.parametrize(
    "statement",
    [
        "Nhân viên thử việc được nghỉ 6 ngày.",
        "Theo Điều 7, lương là 5.000.000 đồng.",
        "The salary is 5,000,000 dong.",
        "Nghỉ sáu ngày.",
    ],
)
def test_a_statement_with_names_and_numbers_of_its_evidence_is_supported(statement: str) -> None:
    assert unsupported(statement, [evidence(TEXT)]) == []


@pytest.mark.parametrize(
    ("statement", "missing"),
    [
        ("Được nghỉ 8 ngày.", ["8"]),
        ("Lương là 5.000.200đ.", ["5.000.200"]),
        ("Lương là 5.000đ.", ["5.000"]),
        ("Do Minh Tran quyết định.", ["Minh Tran"]),
        ("Mã ERR_4021.", ["ERR_4021"]),
        ("Huế", ["Huế"]),
    ],
)
def test_what_no_evidence_holds_is_named(statement: str, missing: list[str]) -> None:
    assert unsupported(statement, [evidence(TEXT)]) == missing


def test_title_heading_and_version_count_as_evidence() -> None:
    grounds = evidence("Được nghỉ.", title="Quy chế Lab Delta", heading="Điều 9", version="2026")
    assert unsupported("Lab Delta, Điều 9, năm 2026", [grounds]) == []


def test_a_quote_stands_on_the_page_where_its_first_character_is() -> None:
    found = {**candidate(), "start": 100, "page": 4, "page_breaks": [100 + TEXT.index("được")]}
    pages = {}
    for quote in ("Nhân viên thử việc", "được nghỉ 6 ngày"):
        accepted, _ = accept(found, verdict("s1:c1", "yes", quote), 1)
        assert accepted
        pages[quote] = accepted["page"]
    assert list(pages.values()) == [4, 5]


@pytest.mark.parametrize("authority", [0.0, 0.9])
def test_evidence_keeps_the_authority_of_its_source_also_where_that_is_none(
    authority: float,
) -> None:
    given = {**candidate(), "retrieved_at": "2026-06-01T08:00:00+00:00", "authority": authority}
    accepted, _ = accept(given, verdict("s1:c1", "yes", "được nghỉ 6 ngày"), 1)
    assert accepted is not None
    assert accepted["authority"] == authority


def test_the_difference_of_two_supported_amounts_is_supported() -> None:
    grounds = [evidence("Năm 2025 được nghỉ 12 ngày."), evidence("Năm 2026 được nghỉ 15 ngày.")]
    assert unsupported("3 ngày (2026: 15 ngày; 2025: 12 ngày).", grounds) == []
    assert unsupported("4 ngày (2026: 15 ngày; 2025: 12 ngày).", grounds) == ["4"]
