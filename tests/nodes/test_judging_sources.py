import json
from collections.abc import Callable
from typing import Any

import pytest

from policy.protocol import PlannedSubgoal
from retrieval.tools.registry import Tool, ToolResult
from state.types import RunState
from tests.nodes.scripting import (
    Script,
    Search,
    World,
    draft,
    finds,
    graded,
    honest,
    passage,
    planned,
    rewritten,
    rows,
    verdict,
)

Make = Callable[..., World]
ASKED = "Nhân viên được nghỉ phép mấy ngày?"
RULE = "Nhân viên chính thức được nghỉ phép năm 15 ngày làm việc, hưởng nguyên lương."
OLD_RULE = "Năm 2025 không cộng ngày: mọi người được nghỉ 12 ngày."
CONTRACT = "Theo hợp đồng lao động, số ngày phép của mỗi người là 15 ngày."
BOTH = {RULE: "15 ngày", CONTRACT: "15 ngày"}
OLD = passage(OLD_RULE, "c1", title="Nghỉ phép 2025", version="2025")
NEW = passage(RULE, "c2", title="Nghỉ phép 2026", version="2026")
TODAY = "2026-06-01"
WAYS = [rewritten("số ngày phép của nhân viên"), rewritten("hợp đồng ghi nhân viên nghỉ mấy ngày")]


def used(state: RunState) -> dict[str, str]:
    return {item["chunk_id"]: item["use"] for item in state["evidence"]}


def by_query(first: list[Any], **later: Any) -> Search:
    """Finds `first`, or what is named by a word of the query."""
    return Search(lambda query: next((later[one] for one in later if one in query), first))


def test_every_piece_of_evidence_says_what_it_counts_for_and_why(world: Make) -> None:
    state = world(Script(grade=honest(BOTH)), finds(NEW)).ask(ASKED, today=TODAY)
    item = state["evidence"][0]
    assert (item["use"], item["use_reason"]) == ("USE", "relevant; authority 0.5")
    assert rows(state, "judged_sources") == [
        {
            "node": "grade",
            "action": "judged_sources",
            "subgoal_id": "s1",
            "judged": [{"id": "e1", "use": "USE", "reason": "relevant; authority 0.5"}],
            "sources": 1,
            "needed": 1,
            "more": "",
        }
    ]


def test_a_superseded_version_is_neither_cited_nor_shown_to_the_writer(world: Make) -> None:
    policy = Script(grade=honest({OLD_RULE: "12 ngày", RULE: "15 ngày"}))
    state = world(policy, finds(OLD, NEW)).ask(ASKED, today=TODAY)
    assert used(state) == {"c1": "DISCARD", "c2": "USE"}
    assert [one["source"] for one in state["answer"]["citations"]] == ["c2.md"]
    assert [fact["id"] for fact in policy.views["write"][0]["facts"]] == ["e2"]
    assert state["subgoals"][0]["evidence_ids"] == ["e2"]


def test_an_answer_that_only_a_superseded_version_gives_is_judged_again_without_it(
    world: Make,
) -> None:
    both = graded(
        verdict("s1:c1", "yes", OLD_RULE),
        verdict("s1:c2", "yes", RULE),
        covered="yes",
        answer="12 ngày",
    )
    again = graded(verdict("s1:c2", "yes", RULE), covered="yes", answer="15 ngày")
    policy = Script(grade=[both, again])
    state = world(policy, finds(OLD, NEW)).ask(ASKED, today=TODAY)
    assert [one["id"] for one in policy.views["grade"][1]["passages"]] == ["s1:c2"]
    assert state["subgoals"][0]["answer"] == "15 ngày"
    assert state["budget"]["spent"]["model_calls"] == 4


def test_a_second_judgement_is_not_made_where_judging_the_other_parts_used_the_budget_up(
    world: Make,
) -> None:
    superseded = honest({OLD_RULE: "12 ngày"})

    def both(view: Any) -> Any:
        name = view["subgoal"]["id"]
        passages = [verdict(f"{name}:c1", "yes", OLD_RULE), verdict(f"{name}:c2", "yes", RULE)]
        whole = len(view["passages"]) == 2
        return graded(*passages, covered="yes", answer="12 ngày") if whole else superseded(view)

    policy = Script(plan=[planned(ASKED, "Phép mấy ngày?")], grade=both)
    state = world(policy, finds(OLD, NEW)).ask(ASKED, today=TODAY, model_calls=3)
    assert len(policy.views["grade"]) == 2
    assert state["budget"]["spent"]["model_calls"] == 3


def test_where_the_version_in_force_does_not_answer_the_part_stays_open(world: Make) -> None:
    silent = passage("Từ 2026 đơn nghỉ phép gửi trên cổng.", "c2", title="Nghỉ phép 2026")
    silent["version"] = "2026"
    said = graded(
        verdict("s1:c1", "yes", OLD_RULE),
        verdict("s1:c2", "yes", silent["text"]),
        covered="yes",
        answer="12 ngày",
    )
    no = graded(verdict("s1:c2", "no"))
    state = world(Script(grade=[said, no], rewrite=WAYS), finds(OLD, silent)).ask(
        ASKED, today=TODAY, steps=1
    )
    assert state["status"] == "gave_up"
    assert OLD_RULE not in state["answer"]["text"]
    assert rows(state, "judged_sources")[0]["more"]


@pytest.mark.parametrize("question", ["Năm 2025 nghỉ mấy ngày?", "Năm ngoái được nghỉ mấy ngày?"])
def test_a_question_about_another_time_may_cite_what_is_no_longer_in_force(
    world: Make, question: str
) -> None:
    said = graded(
        verdict("s1:c1", "yes", OLD_RULE),
        verdict("s1:c2", "yes", RULE),
        covered="yes",
        answer="12 ngày",
    )
    policy = Script(grade=[said], write=[draft(("Nghỉ 12 ngày.", ["e1"]))])
    state = world(policy, finds(OLD, NEW)).ask(question, today=TODAY)
    assert state["status"] == "answered"
    assert "c1.md" in [one["source"] for one in state["answer"]["citations"]]


def test_on_a_day_that_the_run_names_the_version_of_that_day_counts(world: Make) -> None:
    both = graded(
        verdict("s1:c1", "yes", OLD_RULE),
        verdict("s1:c2", "yes", RULE),
        covered="yes",
        answer="12 ngày",
    )
    state = world(Script(grade=[both]), finds(OLD, NEW)).ask(ASKED, today=TODAY, as_of="2025-06-30")
    assert used(state)["c1"] == "USE"
    assert state["subgoals"][0]["answer"] == "12 ngày"


def test_a_version_that_is_not_in_force_on_the_day_of_asking_supersedes_nothing(
    world: Make,
) -> None:
    policy = Script(grade=honest({OLD_RULE: "12 ngày", RULE: "15 ngày"}))
    state = world(policy, finds(OLD, NEW)).ask(ASKED, today="2025-12-01")
    assert used(state)["c1"] != "DISCARD"


def test_an_older_version_is_discarded_once_a_later_round_finds_the_newer_one(world: Make) -> None:
    part = graded(verdict("s1:c1", "yes", OLD_RULE))
    new = graded(verdict("s1:c2", "yes", RULE), covered="yes", answer="15 ngày")
    search = by_query([OLD], **{"số ngày": [NEW]})
    state = world(Script(grade=[part, new], rewrite=WAYS[:1]), search).ask(ASKED, today=TODAY)
    assert used(state) == {"c1": "DISCARD", "c2": "USE"}
    assert [row["judged"][0]["use"] for row in rows(state, "judged_sources")] == ["USE", "DISCARD"]
    assert [one["source"] for one in state["answer"]["citations"]] == ["c2.md"]


@pytest.mark.parametrize("told_of", ["c1", "c2"])
def test_of_two_that_disagree_the_one_that_counts_more_is_said_first_and_both_are_cited(
    world: Make, told_of: str
) -> None:
    against = {"c1": ["s1:c2"], "c2": ["s1:c1"]}
    contradicts = {one: against[one] if one == told_of else [] for one in against}
    wiki = passage("Hình như được nghỉ 12 ngày thôi.", "c1", authority="0.1")
    rule = passage(RULE, "c2", authority="0.9")
    said = graded(
        verdict("s1:c1", "yes", wiki["text"], contradicts=contradicts["c1"]),
        verdict("s1:c2", "yes", RULE, contradicts=contradicts["c2"]),
        covered="yes",
        answer="15 ngày",
    )
    policy = Script(grade=[said], write=[draft(("Được nghỉ 15 ngày.", ["e2"]))])
    state = world(policy, finds(wiki, rule)).ask(ASKED, today=TODAY)
    assert used(state) == {"c1": "SUPPLEMENT", "c2": "USE"}
    assert state["answer"]["text"].splitlines()[-1] == (
        f"Các nguồn không thống nhất: “{RULE}” [1], được ưu tiên, so với “{wiki['text']}” [2]"
    )


def test_an_answer_of_the_source_that_counts_less_is_judged_again(world: Make) -> None:
    wiki = passage("Hình như được nghỉ 12 ngày thôi.", "c1", authority="0.1")
    rule = passage(RULE, "c2", authority="0.9")
    wrong = graded(
        verdict("s1:c1", "yes", wiki["text"], contradicts=["s1:c2"]),
        verdict("s1:c2", "yes", RULE),
        covered="yes",
        answer="12 ngày",
    )
    right = graded(verdict("s1:c2", "yes", RULE), covered="yes", answer="15 ngày")
    state = world(Script(grade=[wrong, right]), finds(wiki, rule)).ask(ASKED, today=TODAY)
    assert state["subgoals"][0]["answer"] == "15 ngày"
    assert "không thống nhất" in state["answer"]["text"]


def test_two_independent_sources_solve_a_part_that_needs_two(world: Make) -> None:
    search = finds(passage(RULE, "c1"), passage(CONTRACT, "c2"))
    state = world(Script(grade=honest(BOTH)), search).ask(ASKED, today=TODAY, independent=2)
    assert state["status"] == "answered"
    assert rows(state, "judged_sources")[0]["sources"] == 2


COPIES = {
    "a copy": passage(RULE, "c2"),
    "a copy without accents": passage(
        "Nhan vien chinh thuc duoc nghi phep nam 15 ngay lam viec, huong nguyen luong.", "c2"
    ),
    "another place of the document": passage(CONTRACT, "c2", document_id="d-c1"),
}


@pytest.mark.parametrize("second", COPIES.values(), ids=COPIES)
def test_what_is_no_second_source_leaves_the_part_open_and_says_so(
    world: Make, second: dict[str, Any]
) -> None:
    believe = honest({RULE: "15 ngày", second["text"]: "15 ngày"})
    search = finds(passage(RULE, "c1"), second)
    state = world(Script(grade=believe, rewrite=WAYS), search).ask(
        ASKED, today=TODAY, independent=2
    )
    reason = "one source says so: c1.md; two independent ones are asked for"
    assert rows(state, "judged_sources")[0]["more"] == reason
    assert rows(state, "graded")[0]["level"] == "some"
    assert state["status"] == "gave_up"
    assert state["subgoals"][0]["reason"] == reason
    assert RULE in state["answer"]["text"]
    assert f"Chưa đủ nguồn độc lập xác nhận: {ASKED}" in state["answer"]["text"]
    (told,) = state["answer"]["report"]["too_few"]
    assert (told["question"], told["answer"]) == (ASKED, "15 ngày")
    assert {"quote": RULE, "source": "c1.md"} in told["said"]


def test_a_second_source_that_a_later_round_finds_confirms_the_first(world: Make) -> None:
    search = by_query([passage(RULE, "c1")], **{"hợp đồng": [passage(CONTRACT, "c2")]})
    policy = Script(grade=honest(BOTH), rewrite=WAYS[1:])
    state = world(policy, search).ask(ASKED, today=TODAY, independent=2)
    assert policy.views["rewrite"][0]["reason"].startswith("one source says so: c1.md")
    assert (state["status"], state["subgoals"][0]["claim"]) == ("answered", "")
    assert len(state["answer"]["citations"]) == 2


def test_a_second_source_confirms_although_the_grader_does_not_call_the_part_covered(
    world: Make,
) -> None:
    first = graded(verdict("s1:c1", "yes", RULE), covered="yes", answer="15 ngày")
    second = graded(verdict("s1:c2", "yes", CONTRACT))
    search = by_query([passage(RULE, "c1")], **{"hợp đồng": [passage(CONTRACT, "c2")]})
    policy = Script(grade=[first, second], rewrite=WAYS[1:])
    state = world(policy, search).ask(ASKED, today=TODAY, independent=2)
    assert state["subgoals"][0]["answer"] == "15 ngày"


def test_two_sources_that_say_different_things_confirm_nothing(world: Make) -> None:
    other = "Ở văn phòng Huế, sổ tay nội bộ ghi số ngày phép là 18 ngày."
    believe = honest({RULE: "15 ngày", other: "18 ngày"})
    search = by_query([passage(RULE, "c1")], **{"hợp đồng": [passage(other, "c2")]})
    state = world(Script(grade=believe, rewrite=WAYS), search).ask(
        ASKED, today=TODAY, independent=2
    )
    assert state["status"] == "gave_up"
    assert state["subgoals"][0]["claim"] == "15 ngày"


def test_rows_of_a_database_count_as_a_source(world: Make) -> None:
    row = passage(
        "hạn mức: 15 ngày", "c2", kind="rows", document_id="database:hr", rows=[{"n": 15}]
    )
    believe = honest({RULE: "15 ngày", row["text"]: "15 ngày"})
    state = world(Script(grade=believe), finds(passage(RULE, "c1"), row)).ask(
        ASKED, today=TODAY, independent=2
    )
    assert state["status"] == "answered"


def test_an_important_part_needs_two_and_the_others_one(world: Make) -> None:
    parts = [
        PlannedSubgoal(id="s1", question="Được nghỉ mấy ngày?", important=True),
        PlannedSubgoal(id="s2", question="Ai duyệt đơn?"),
    ]
    chief = "Trưởng phòng là người duyệt đơn."
    search = Search(lambda query: [passage(chief, "c9") if "duyệt" in query else NEW])
    policy = Script(
        plan=lambda view: planned(subgoals=parts),
        grade=honest({RULE: "15 ngày", chief: "Trưởng phòng"}),
        rewrite=[rewritten(f"Được nghỉ mấy ngày {word}?") for word in ("phép", "năm")],
    )
    state = world(policy, search).ask("Được nghỉ mấy ngày và ai duyệt đơn?")
    assert [item["status"] for item in state["subgoals"]] == ["unanswerable", "solved"]
    assert state["status"] == "partial"
    assert state["answer"]["missing"] == ["Được nghỉ mấy ngày?"]
    *_, last = state["answer"]["text"].splitlines()
    assert last == f"Chưa đủ nguồn độc lập xác nhận: Được nghỉ mấy ngày? Đến nay: “{RULE}” [2]"
    assert "Không tìm thấy" not in state["answer"]["text"]
    assert state["answer"]["citations"][1]["quote"] == RULE


def test_a_part_that_is_not_required_needs_one_source(world: Make) -> None:
    parts = [
        PlannedSubgoal(id="s1", question="Nghỉ mấy ngày?"),
        PlannedSubgoal(id="s2", question="Hợp đồng ghi gì?", required=False),
    ]
    policy = Script(plan=lambda view: planned(subgoals=parts), grade=honest(BOTH))
    search = Search(lambda query: [passage(CONTRACT, "c3")] if "Hợp" in query else [NEW])
    state = world(policy, search).ask(ASKED, today=TODAY, independent=2, steps=1)
    assert [item["status"] for item in state["subgoals"]] == ["pending", "solved"]


def test_a_tool_that_is_not_trusted_cannot_state_its_own_authority(world: Make) -> None:
    def run(arguments: dict[str, Any], identity: Any, top_k: int) -> ToolResult:
        return ToolResult([passage(RULE, authority="1.0", kind="external")])

    schema = {"type": "object", "properties": {"query": {"type": "string"}}}
    tool = Tool("notes", "Ghi chú.", schema, run, trusted=False)
    part = PlannedSubgoal(id="s1", question=ASKED, tool="notes")
    state = world(Script(plan=[planned(subgoals=[part])], grade=honest(BOTH)), tool).ask(
        ASKED, today=TODAY
    )
    assert state["evidence"][0]["authority"] == 0.2


def test_the_judging_of_a_question_stays_small(world: Make) -> None:
    many = [passage(f"{RULE} Mục {n}.", f"c{n}", document_id="d") for n in range(6)]
    state = world(Script(grade=honest({RULE: "15 ngày"})), finds(*many)).ask(ASKED, today=TODAY)
    assert len(json.dumps(rows(state, "judged_sources"))) < 1_200
