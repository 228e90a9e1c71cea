from collections.abc import Callable
from typing import Any

import pytest

from policy.llm import LLM
from policy.llm.drafts import grounded, problems, read_draft
from policy.protocol import Allowance
from tests.policy.llm.server import Say, Server
from tests.policy.llm.views import STATED, fact, subgoal, write_view

Make = Callable[..., LLM]
GOOD = "Nhân viên thử việc được nghỉ 6 ngày trong năm 2026. [e1]\nSHORT: 6 ngày"


def aurora() -> Any:
    """Two hops, both solved."""
    first = subgoal("Who developed Project Aurora?", status="solved", answer="Lab Delta")
    second = subgoal("Who founded Lab Delta?", id="s2", status="solved", answer="Minh Tran")
    facts = [
        fact("Project Aurora was developed by Lab Delta.", "e1", title="Aurora", version=""),
        fact("Lab Delta was founded by Minh Tran in 2019.", "e2", title="Delta", version=""),
    ]
    return write_view(
        *facts,
        original_question="Who founded the organisation that developed Project Aurora?",
        subgoals=[
            {**first, "evidence_ids": ["e1"]},
            {**second, "evidence_ids": ["e2"], "depends_on": ["s1"]},
        ],
    )


def test_sentences_carry_their_ids_and_the_short_answer_is_read(llm: Make, server: Server) -> None:
    server.turns(
        Say(text="Minh Tran founded Lab Delta. [e2]\nIt made Aurora. [e1, e2]\nSHORT: Minh Tran")
    )
    draft, usage = llm().write(aurora())
    assert [one.evidence_ids for one in draft.sentences] == [["e2"], ["e1", "e2"]]
    assert draft.sentences[0].text == "Minh Tran founded Lab Delta."
    assert draft.short == "Minh Tran"
    assert usage["calls"] == 1


def test_the_text_is_streamed_while_it_is_written(llm: Make, server: Server) -> None:
    server.turns(Say(text=GOOD))
    said: list[str] = []
    llm().within(Allowance(say=said.append)).write(write_view())
    assert "".join(said) == GOOD
    assert len(said) > 3
    assert server.requests[0].body["stream"] is True


def test_thoughts_are_neither_streamed_nor_taken_for_sentences(llm: Make, server: Server) -> None:
    server.turns(Say(text=f"<think>The answer [e1] may be 7 days.</think>\n{GOOD}"))
    said: list[str] = []
    draft, _ = llm().within(Allowance(say=said.append)).write(write_view())
    assert [one.text for one in draft.sentences] == [
        "Nhân viên thử việc được nghỉ 6 ngày trong năm 2026."
    ]
    assert "may be 7" not in "".join(said)
    assert "được nghỉ 6 ngày" in "".join(said)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Nhân viên thử việc được nghỉ 6 ngày.", "no id"),
        ("Nhân viên thử việc được nghỉ 6 ngày. [9]", "no id"),
        ("Nhân viên thử việc được nghỉ 6 ngày. [e7]", "no id"),
        ("Nhân viên thử việc được nghỉ 7 ngày. [e1]", "says 7"),
        ("Theo Minh Tran, nhân viên thử việc được nghỉ 6 ngày. [e1]", "says Minh Tran"),
        ("Từ năm 2024 nhân viên thử việc được nghỉ 6 ngày. [e1]", "says 2024"),
        ("In 2026 staff on probation have 6 days of leave. [e1]", "in Vietnamese"),
        ("", "no sentence"),
        ("SHORT: 6 ngày", "no sentence"),
        ("Khóa là sk-abcdefghijklmnopqrstuvwx và nghỉ 6 ngày. [e1]", "key"),
    ],
)
def test_a_fault_is_named_in_the_one_repair(
    llm: Make, server: Server, text: str, wrong: str
) -> None:
    server.turns(Say(text=text), Say(text=GOOD))
    draft, usage = llm().write(write_view())
    assert usage["calls"] == 2
    assert wrong in server.requests[1].body["messages"][-1]["content"]
    assert draft.short == "6 ngày"
    assert draft.sentences[0].evidence_ids == ["e1"]


def test_what_stays_unsupported_is_left_to_the_node_and_the_subgoal_is_quoted(
    llm: Make, server: Server
) -> None:
    server.turns(Say(text="Nhân viên thử việc được nghỉ 7 ngày. [e9]"))
    draft, usage = llm().write(write_view())
    assert usage["calls"] == 2
    assert draft.sentences[0].evidence_ids == []
    assert (draft.sentences[1].text, draft.sentences[1].evidence_ids) == (f"“{STATED}”", ["e1"])


def test_a_key_never_leaves_in_a_sentence(llm: Make, server: Server) -> None:
    server.turns(
        Say(text="The key is sk-abcdefghijklmnopqrstuvwx. [e1]\nSHORT: sk-abcdefghijklmnopqrstuvwx")
    )
    draft, _ = llm().write(write_view())
    assert "sk-" not in draft.model_dump_json()


def test_evidence_for_a_name_is_added_where_another_fact_holds_it() -> None:
    view = aurora()
    text = "Project Aurora's developer Lab Delta was founded by Minh Tran. [e2]"
    draft = grounded(read_draft(text), view["facts"])
    assert draft.sentences[0].evidence_ids == ["e2", "e1"]
    assert problems(draft, view) == []


def test_a_final_part_that_nothing_is_said_about_is_a_fault() -> None:
    view = aurora()
    draft = grounded(read_draft("Lab Delta developed Project Aurora. [e1]"), view["facts"])
    assert problems(draft, view) == ["nothing is said about s2"]


def test_a_forgotten_part_of_the_question_is_handed_on(llm: Make, server: Server) -> None:
    question = "Who founded Lab Delta and what is its annual budget?"
    view = {**aurora(), "original_question": question}
    forgotten = "What is the annual budget of Lab Delta?"
    server.turns(
        Say(text=f"Minh Tran founded Lab Delta. [e2]\nSHORT: Minh Tran\nFORGOTTEN: {forgotten}")
    )
    assert llm().write(view)[0].unaddressed == [forgotten]


@pytest.mark.parametrize(
    "said",
    ["none", "", "không có", "Who founded Lab Delta?", "What is the weather in Paris today?"],
)
def test_what_was_not_asked_or_is_planned_already_is_not_forgotten(
    llm: Make, server: Server, said: str
) -> None:
    server.turns(Say(text=f"Minh Tran founded Lab Delta. [e2]\nSHORT: x\nFORGOTTEN: {said}"))
    assert llm().write(aurora())[0].unaddressed == []


def test_both_sides_of_a_disagreement_may_be_said_with_their_versions(
    llm: Make, server: Server
) -> None:
    facts = [fact(STATED), fact("Nhân viên thử việc được nghỉ 4 ngày.", "e2", version="2024")]
    text = "Thử việc được 6 ngày phép theo bản 2026 [e1], bản 2024 ghi 4 ngày [e2].\nSHORT: 6 ngày"
    server.turns(Say(text=text))
    draft, usage = llm().write(write_view(*facts))
    assert draft.sentences[0].evidence_ids == ["e1", "e2"]
    assert usage["calls"] == 1


def test_a_missing_short_answer_is_that_of_the_last_part(llm: Make, server: Server) -> None:
    server.turns(Say(text="Minh Tran founded Lab Delta. [e2]"))
    assert llm().write(aurora())[0].short == "Minh Tran"


def compared(first: str, second: str) -> Any:
    """A comparison of two projects with the values that were found."""
    parts = [("s1", "e1", "Sơn Trà", first), ("s2", "e2", "Cửu Long", second)]
    return write_view(
        *[
            fact(f"Ngân sách Dự án {name} là {value}.", identifier)
            for _, identifier, name, value in parts
        ],
        original_question="Dự án nào có ngân sách lớn hơn, Sơn Trà hay Cửu Long?",
        subgoals=[
            subgoal(
                f"Ngân sách Dự án {name} là bao nhiêu?",
                id=one,
                status="solved",
                answer=value,
                evidence_ids=[identifier],
            )
            for one, identifier, name, value in parts
        ],
    )


def test_which_of_two_values_is_larger_is_counted_whatever_the_model_says(
    llm: Make, server: Server
) -> None:
    server.turns(Say(text="Dự án Cửu Long có ngân sách lớn hơn. [e2]\nSHORT: Cửu Long"))
    draft, _ = llm().write(compared("6,8 tỷ đồng", "3,1 tỷ đồng"))
    assert "Sơn Trà" in draft.short
    assert "3,1 tỷ đồng" in draft.sentences[0].text
    assert draft.sentences[0].evidence_ids == ["e1", "e2"]
    assert "Cửu Long có ngân sách lớn hơn" not in " ".join(one.text for one in draft.sentences)


def test_values_that_do_not_compare_leave_the_answer_to_the_model(
    llm: Make, server: Server
) -> None:
    said = "Ngân sách Dự án Sơn Trà là rất lớn, của Dự án Cửu Long thì không rõ. [e1][e2]"
    server.turns(Say(text=f"{said}\nSHORT: Sơn Trà"))
    draft, _ = llm().write(compared("rất lớn", "không rõ"))
    assert draft.sentences[0].text.startswith("Ngân sách Dự án Sơn Trà là rất lớn")
    assert draft.short == "Sơn Trà"
