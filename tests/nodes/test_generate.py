from collections.abc import Callable
from typing import Any

import pytest

from policy.protocol import Draft
from tests.nodes.scripting import (
    QUESTION,
    Script,
    Search,
    World,
    draft,
    finds,
    graded,
    honest,
    passage,
    planned,
    quoting,
    rewritten,
    rows,
    verdict,
)

Make = Callable[..., World]
LEAVE = "Nhân viên thử việc được nghỉ 6 ngày."
PAY = "Lương thử việc là 85% lương chính thức."
FOUND = {LEAVE: "6 ngày", PAY: "85%"}


def by_topic(query: str) -> list[dict[str, Any]]:
    if "Lương" in query:
        return [passage(PAY, "c2")]
    return [passage(LEAVE, "c1")] if "nghỉ" in query else [passage("Thưởng.", "c0")]


def written(world: Make, *drafts: Draft, **plan: Any) -> Any:
    policy = Script(grade=honest(FOUND), write=list(drafts), **plan)
    return world(policy, Search(by_topic)).ask()


def two_parts(world: Make, *drafts: Draft) -> Any:
    plan = [planned("Được nghỉ mấy ngày?", "Lương bao nhiêu?"), planned()]
    return written(world, *drafts, plan=plan)


def test_sentences_carry_numbered_citations_of_the_characters_they_rest_on(world: Make) -> None:
    said = draft(
        ("Thử việc nghỉ 6 ngày.", ["e1"]),
        ("Lương là 85%.", ["e2"]),
        ("Nghỉ 6 ngày, lương 85%.", ["e2", "e1", "e2"]),
        short="6 ngày",
    )
    state = two_parts(world, said)
    answer = state["answer"]
    assert answer["text"].splitlines() == [
        "Thử việc nghỉ 6 ngày. [1]",
        "Lương là 85%. [2]",
        "Nghỉ 6 ngày, lương 85%. [2][1]",
    ]
    assert [one["quote"] for one in answer["citations"]] == [LEAVE, PAY]
    assert (answer["citations"][0]["start"], answer["citations"][0]["end"]) == (100, 136)
    assert (answer["short"], answer["coverage"], answer["missing"]) == ("6 ngày", 1.0, [])
    assert answer["dropped"] == []
    assert (state["status"], state["stop_reason"]) == ("answered", "solved")


def test_citations_that_do_not_exist_are_taken_out(world: Make) -> None:
    said = draft(("Được nghỉ 6 ngày.", ["e9", "e1", "[1]"]), ("Hỏi phòng nhân sự.", ["e7"]))
    state = written(world, said)
    assert state["answer"]["text"] == "Được nghỉ 6 ngày. [1]"
    assert state["answer"]["dropped"] == ["Hỏi phòng nhân sự."]
    assert rows(state, "answered")[0]["dropped"] == ["Hỏi phòng nhân sự."]


@pytest.mark.parametrize(
    "sentence",
    ["Được nghỉ 8 ngày.", "Lương là 10.000.000đ.", "Do Minh Tran duyệt.", "Mã ERR_4021."],
)
def test_a_sentence_with_a_figure_or_name_of_its_own_is_dropped(world: Make, sentence: str) -> None:
    state = written(world, draft((sentence, ["e1"]), ("Nghỉ 6 ngày.", ["e1"])))
    assert state["answer"]["text"] == "Nghỉ 6 ngày. [1]"
    assert state["answer"]["dropped"] == [sentence]


def test_a_sentence_without_evidence_is_dropped(world: Make) -> None:
    state = written(world, draft(("Chúc bạn vui.", []), ("Nghỉ 6 ngày.", ["e1"]), ("  ", ["e1"])))
    assert state["answer"]["text"] == "Nghỉ 6 ngày. [1]"
    assert state["answer"]["dropped"] == ["Chúc bạn vui."]


@pytest.mark.parametrize("said", [draft(), draft(("Được nghỉ 8 ngày.", ["e1"]), ("Vui.", []))])
def test_where_nothing_is_left_the_evidence_is_quoted(world: Make, said: Draft) -> None:
    state = written(world, said)
    assert state["answer"]["text"] == f"“{LEAVE}” [1]"
    assert state["status"] == "answered"


@pytest.mark.parametrize(
    "said",
    [
        draft(("Nghỉ 6 ngày.", ["e1"])),
        draft(("Nghỉ 6 ngày.", ["e1"]), ("Lương là 90%.", ["e2"])),
    ],
)
def test_a_solved_part_that_the_draft_left_out_is_quoted(world: Make, said: Draft) -> None:
    state = two_parts(world, said)
    assert state["answer"]["text"].splitlines() == ["Nghỉ 6 ngày. [1]", f"“{PAY}” [2]"]


def test_a_hop_on_the_way_need_not_be_in_the_answer(world: Make) -> None:
    texts = {"Phòng A thuộc Lab Delta.": "Lab Delta", "Lab Delta ở Đà Nẵng.": "Đà Nẵng"}
    search = finds()
    search.find = lambda query: [
        passage("Lab Delta ở Đà Nẵng.", "c2")
        if "Lab" in query
        else passage("Phòng A thuộc Lab Delta.", "c1")
    ]
    policy = Script(
        plan=[planned("Phòng A thuộc đâu?", "{s1} ở đâu?"), planned()],
        grade=honest(texts),
        write=[draft(("Ở Đà Nẵng.", ["e2"]))],
    )
    state = world(policy, search).ask("Phòng A ở đâu?")
    assert state["answer"]["text"] == "Ở Đà Nẵng. [1]"


def test_a_quoted_answer_is_the_quote_that_holds_it(world: Make) -> None:
    half = "Thử việc hưởng một nửa."
    grades = [
        graded(verdict("s1:c1", "yes", half)),
        graded(verdict("s1:c2", "yes", LEAVE), covered="yes", answer="6 ngày"),
    ]
    search = finds()
    search.find = lambda query: [passage(LEAVE, "c2") if "một" in query else passage(half, "c1")]
    policy = Script(grade=grades, rewrite=[rewritten(f"{QUESTION} một")], write=[draft()])
    state = world(policy, search).ask()
    assert state["answer"]["text"] == f"“{LEAVE}” [1]"


@pytest.mark.parametrize(("short", "kept"), [("6 ngày", "6 ngày"), ("8 ngày", ""), ("Huế", "")])
def test_a_short_answer_that_no_evidence_holds_is_left_out(
    world: Make, short: str, kept: str
) -> None:
    state = written(world, draft(("Nghỉ 6 ngày.", ["e1"]), short=short))
    assert state["answer"]["short"] == kept


def test_one_part_of_two_found_is_a_partial_answer_that_names_the_other(world: Make) -> None:
    plan = [planned("Được nghỉ mấy ngày?", "Thưởng Tết bao nhiêu?")]
    rewrites = [rewritten("Tiền Tết bao nhiêu?"), rewritten("Tháng 13, Tết bao nhiêu?")]
    state = written(world, draft(("Nghỉ 6 ngày.", ["e1"])), plan=plan, rewrite=rewrites)
    assert state["status"] == "partial"
    assert state["answer"]["missing"] == ["Thưởng Tết bao nhiêu?"]
    assert state["answer"]["text"].splitlines() == [
        "Nghỉ 6 ngày. [1]",
        "Không tìm thấy trong tài liệu: Thưởng Tết bao nhiêu?",
    ]
    assert state["answer"]["coverage"] == 0.5


def test_a_partial_answer_is_given_when_the_budget_ends_the_run(world: Make) -> None:
    plan = [planned("Được nghỉ mấy ngày?", "Thưởng Tết bao nhiêu?")]
    policy = Script(plan=plan, grade=honest(FOUND))
    state = world(policy, Search(by_topic)).ask(steps=1)
    assert (state["status"], state["stop_reason"]) == ("partial", "budget_exhausted")
    assert LEAVE in state["answer"]["text"]
    assert policy.views["write"][0]["missing"] == ["Thưởng Tết bao nhiêu?"]


def test_evidence_that_disagrees_is_reported_with_both_sources(world: Make) -> None:
    old, new = "Năm 2024 nghỉ 5 ngày.", "Năm 2026 nghỉ 6 ngày."
    search = finds()
    search.find = lambda query: [passage(new, "c2") if "mới" in query else passage(old, "c1")]
    grades = [
        graded(verdict("s1:c1", "yes", old)),
        graded(verdict("s1:c2", "yes", new, contradicts=["e1"]), covered="yes", answer="6 ngày"),
    ]
    rewrites = [rewritten(f"{QUESTION} mới")]
    policy = Script(
        grade=grades, rewrite=rewrites, write=[draft(("Năm 2026 nghỉ 6 ngày.", ["e2"]))]
    )
    answer = world(policy, search).ask()["answer"]
    assert answer["text"].splitlines() == [
        "Năm 2026 nghỉ 6 ngày. [1]",
        f"Các nguồn không thống nhất: “{old}” [2] so với “{new}” [1]",
    ]
    assert [one["source"] for one in answer["citations"]] == ["c2.md", "c1.md"]


def test_a_forgotten_part_becomes_a_subgoal_once(world: Make) -> None:
    forgetful = draft(("Nghỉ 6 ngày.", ["e1"]), unaddressed=["Lương bao nhiêu?"])
    again = draft(("Nghỉ 6 ngày.", ["e1"]), ("85%.", ["e2"]), unaddressed=["Còn gì nữa?"])
    state = written(world, forgetful, again, plan=[planned("Được nghỉ mấy ngày?"), planned()])
    assert [item["question"] for item in state["subgoals"]] == [
        "Được nghỉ mấy ngày?",
        "Lương bao nhiêu?",
    ]
    assert len(rows(state, "completeness")) == 1
    assert state["status"] == "answered"
    assert state["answer"]["text"].splitlines() == ["Nghỉ 6 ngày. [1]", "85%. [2]"]


def test_a_forgotten_part_is_not_searched_without_budget(world: Make) -> None:
    forgetful = draft(("Nghỉ 6 ngày.", ["e1"]), unaddressed=["Lương bao nhiêu?"])
    policy = Script(plan=[planned("Được nghỉ mấy ngày?")], grade=honest(FOUND), write=[forgetful])
    state = world(policy, Search(by_topic)).ask(steps=1)
    assert len(state["subgoals"]) == 1
    assert rows(state, "completeness") == []


def test_a_forgotten_part_that_was_asked_already_is_no_new_subgoal(world: Make) -> None:
    forgetful = draft(("Nghỉ 6 ngày.", ["e1"]), unaddressed=["được nghỉ mấy ngày"])
    state = written(world, forgetful, plan=[planned("Được nghỉ mấy ngày?")])
    assert len(state["subgoals"]) == 1
    assert state["status"] == "answered"


def test_the_writer_sees_the_question_the_parts_and_the_facts(world: Make) -> None:
    policy = Script(grade=honest(FOUND), write=quoting)
    world(policy, Search(by_topic)).ask()
    view = policy.views["write"][0]
    assert view["original_question"] == QUESTION
    assert view["subgoals"][0]["answer"] == "6 ngày"
    assert [(fact["id"], fact["quote"]) for fact in view["facts"]] == [("e1", LEAVE)]
    assert view["missing"] == []
