from typing import Any

import pytest

from state.sources import authority_of, judge_sources, outranks, says, sources_of, usable
from state.types import Evidence
from tests.state.evidence import evidence

DAY = "2026-06-01"
QUESTION = "Nhân viên được nghỉ phép mấy ngày?"
OLD = evidence("e1", "Được nghỉ 12 ngày.", title="Nghỉ phép 2025", version="2025")
NEW = evidence("e2", "Mỗi năm nghỉ 15 ngày.", title="Nghỉ phép 2026", version="2026")


def uses(*items: Evidence, question: str = QUESTION, answer: str = "") -> dict[str, str]:
    return {
        name: judged.use for name, judged in judge_sources(items, question, answer, DAY).items()
    }


def reason(of: str, *items: Evidence, **given: Any) -> str:
    asked = {"question": QUESTION, "answer": "", "day": DAY, **given}
    return judge_sources(items, **asked)[of].reason


def test_a_superseded_version_is_discarded_where_the_question_asks_for_today() -> None:
    assert uses(OLD, NEW) == {"e1": "DISCARD", "e2": "USE"}
    assert reason("e1", OLD, NEW) == "superseded: Nghỉ phép 2026 is in force"
    assert judge_sources([OLD, NEW], QUESTION, "", DAY)["e1"].better == "e2"


@pytest.mark.parametrize(
    "question", ["Năm 2024 được nghỉ mấy ngày?", "Năm ngoái nghỉ mấy ngày?", "2025 khác 2026 gì?"]
)
def test_no_version_is_discarded_where_the_question_names_a_time(question: str) -> None:
    assert "DISCARD" not in uses(OLD, NEW, question=question).values()


def test_a_superseded_version_that_stands_alone_is_used() -> None:
    assert uses(OLD) == {"e1": "USE"}


def test_the_version_of_the_year_asked_for_is_used_and_the_other_supplements() -> None:
    assert uses(OLD, NEW, question="Năm 2025 được nghỉ mấy ngày?") == {
        "e1": "USE",
        "e2": "SUPPLEMENT",
    }


def test_a_version_that_comes_into_force_later_only_supplements() -> None:
    later = evidence("e2", "Nghỉ 20 ngày.", title="Nghỉ phép 2027", version="2027")
    assert uses(OLD, later) == {"e1": "USE", "e2": "SUPPLEMENT"}
    assert reason("e2", OLD, later) == "not in force before 2027-01-01"


def test_of_two_that_disagree_the_one_of_higher_authority_is_used() -> None:
    board = evidence("e1", "Được nghỉ 15 ngày.", authority=0.9)
    forum = evidence("e2", "Chỉ có 12 ngày.", authority=0.2, contradicts=["e1"])
    assert uses(board, forum) == {"e1": "USE", "e2": "SUPPLEMENT"}
    assert reason("e2", board, forum) == (
        "e1 says something else and counts more (authority 0.9 against 0.2)"
    )


def test_of_two_that_disagree_the_newer_one_is_used_whatever_their_titles() -> None:
    letter = evidence("e1", "Được nghỉ 12 ngày.", title="Thư", effective_from="2024-01-01")
    rule = evidence("e2", "Được 15 ngày.", effective_from="2026-01-01", contradicts=["e1"])
    assert uses(letter, rule) == {"e1": "SUPPLEMENT", "e2": "USE"}


def test_two_of_equal_rank_that_disagree_are_both_used() -> None:
    one = evidence("e1", "Được nghỉ 12 ngày.")
    assert uses(one, evidence("e2", "Được 15 ngày.", contradicts=["e1"])) == {
        "e1": "USE",
        "e2": "USE",
    }


def test_sources_that_agree_are_used_whatever_their_authority() -> None:
    one = evidence("e1", "Được nghỉ 15 ngày.", authority=0.9)
    assert uses(one, evidence("e2", "Nghỉ phép là 15 ngày.", authority=0.1)) == {
        "e1": "USE",
        "e2": "USE",
    }


def test_a_copy_supplements_the_original_of_higher_authority() -> None:
    text = "Nhân viên chính thức được nghỉ phép năm 15 ngày làm việc."
    copy, rule = evidence("e1", text), evidence("e2", text, authority=0.9)
    assert uses(copy, rule) == {"e1": "SUPPLEMENT", "e2": "USE"}
    assert reason("e1", copy, rule) == "a copy of e2: no source of its own"


def test_versions_with_the_same_words_are_no_copies_of_each_other() -> None:
    text = "Nhân viên chính thức kết hôn được nghỉ 3 ngày hưởng nguyên lương."
    old, new = {**OLD, "quote": text}, {**NEW, "quote": text}
    assert uses(old, new, question="Năm 2025 kết hôn nghỉ mấy ngày?")["e1"] == "USE"  # type: ignore[arg-type]


def test_what_is_relevant_without_stating_the_answer_supplements() -> None:
    near = evidence("e1", "Đơn nghỉ phép gửi trên cổng VS-Người.")
    assert uses(near, NEW, answer="15 ngày") == {"e1": "SUPPLEMENT", "e2": "USE"}


def test_where_no_quote_alone_holds_the_answer_all_are_used() -> None:
    one, other = evidence("e1", "Lan được 12 ngày."), evidence("e2", "Bình được 15 ngày.")
    assert set(uses(one, other, answer="Lan 12 ngày; Bình 15 ngày").values()) == {"USE"}


@pytest.mark.parametrize(
    ("answer", "quote", "said"),
    [
        ("15 ngày", "Được nghỉ 15 NGÀY.", True),
        ("15 ngay lam viec", "Được nghỉ 15 ngày.", True),
        ("12 ngày", "Được nghỉ 15 ngày.", False),
        ("Minh Tran", "Lab Delta do Minh Tran sáng lập.", True),
        ("trưởng phòng", "Trưởng phòng duyệt đơn.", True),
        ("có", "Nhân viên được nghỉ.", False),
        ("", "Nhân viên được nghỉ.", False),
    ],
)
def test_a_quote_gives_an_answer_by_its_words_or_by_its_names_and_numbers(
    answer: str, quote: str, said: bool
) -> None:
    assert says(answer, evidence("e1", quote)) == said


def test_an_answer_without_names_or_numbers_is_given_where_the_grader_says_so() -> None:
    assert says("có", evidence("e1", "Nhân viên được nghỉ.", supports=True))


def test_a_copy_or_a_second_place_of_a_document_adds_no_source() -> None:
    text = "Nhân viên chính thức được nghỉ phép năm 15 ngày làm việc."
    items = [
        evidence("e1", text, use="USE"),
        evidence("e2", text, use="SUPPLEMENT"),
        evidence("e3", "Cả năm 15 ngày.", use="USE", document_id="d-e1"),
    ]
    assert len(sources_of("15 ngày", items)) == 1
    rows = evidence("e4", "quyền lợi: 15 ngày", kind="rows", document_id="database:hr")
    assert len(sources_of("15 ngày", [*items, rows])) == 2


def test_what_is_stale_or_discarded_is_not_usable() -> None:
    items = [
        evidence("e1", "a", use="USE"),
        evidence("e2", "b", use="DISCARD"),
        evidence("e3", "c", use="USE", stale="its document changed"),
        evidence("e4", "d"),
    ]
    assert [item["id"] for item in usable(items)] == ["e1", "e4"]


WEIGHTS = {"Ban giám đốc": 1.0, "web_search": 0.4, "wiki": 0.1}


@pytest.mark.parametrize(
    ("stated", "tool", "trusted", "authority"),
    [
        ("", "search_documents", True, 0.5),
        (None, "query_database", True, 0.5),
        ("Ban giám đốc", "search_documents", True, 1.0),
        ("0.8", "search_documents", True, 0.8),
        ("1.5", "search_documents", True, 0.5),
        ("-1", "search_documents", True, 0.5),
        ("nan", "search_documents", True, 0.5),
        ("phòng nào đó", "search_documents", True, 0.5),
        ("", "web_search", False, 0.4),
        ("1", "web_search", False, 0.4),
        ("Ban giám đốc", "notes.search", False, 0.2),
    ],
)
def test_authority_is_stated_by_documents_and_set_by_the_operator_for_the_rest(
    stated: object, tool: str, trusted: bool, authority: float
) -> None:
    assert authority_of(stated, tool, trusted, WEIGHTS) == authority


def test_a_document_found_inside_outranks_the_web() -> None:
    inside, web = evidence("e1", "a", authority=0.5), evidence("e2", "b", authority=0.2)
    assert outranks(inside, web, QUESTION, DAY) == "authority 0.5 against 0.2"
    assert outranks(web, inside, QUESTION, DAY) == ""


def test_a_tenth_more_authority_counts_more_however_it_is_rounded() -> None:
    one, other = evidence("e1", "a", authority=0.9), evidence("e2", "b", authority=0.8)
    assert outranks(one, other, QUESTION, DAY) == "authority 0.9 against 0.8"
    assert outranks(other, one, QUESTION, DAY) == ""
