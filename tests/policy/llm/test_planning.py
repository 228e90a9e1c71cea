import json
from collections.abc import Callable
from typing import Any

import pytest

from policy.llm import LLM
from policy.llm.planning import is_small_talk
from tests.policy.llm.server import Say, Server
from tests.policy.llm.views import plan_view, rewrite_view, subgoal

Make = Callable[..., LLM]
AURORA = "Who founded the organisation that developed Project Aurora?"


def planned(*parts: dict[str, Any], **fields: Any) -> Say:
    whole = {"reason": "r", "route": "search", "subgoals": list(parts), **fields}
    return Say(text=json.dumps(whole, ensure_ascii=False))


def part(identifier: str, question: str, **fields: Any) -> dict[str, Any]:
    return {"id": identifier, "question": question, **fields}


def test_hops_depend_on_each_other_and_their_ids_are_made_ours(llm: Make, server: Server) -> None:
    server.turns(
        planned(
            part("a", "Which organisation developed Project Aurora?"),
            part("b", "Who founded {a}?", depends_on=["a"], query="founder {a}"),
        )
    )
    plan, _ = llm().plan(plan_view(AURORA))
    assert [one.id for one in plan.subgoals] == ["s1", "s2"]
    assert plan.subgoals[1].question == "Who founded {s1}?"
    assert plan.subgoals[1].query == "founder {s1}"
    assert plan.subgoals[1].depends_on == ["s1"]


def test_a_later_hop_is_completed_in_code_and_costs_nothing(llm: Make, server: Server) -> None:
    done = subgoal("Which organisation?", status="solved", answer="Lab Delta")
    waiting = subgoal("Who founded {s1}?", id="s2", query="founder {s1}", depends_on=["s1"])
    plan, usage = llm().plan(plan_view(AURORA, subgoals=[done, waiting]))
    assert server.requests == []
    assert usage["calls"] == 0
    assert [(one.id, one.question, one.query) for one in plan.subgoals] == [
        ("s2", "Who founded Lab Delta?", "founder Lab Delta")
    ]


def test_a_later_hop_with_a_long_answer_is_planned_by_the_model(llm: Make, server: Server) -> None:
    server.turns(planned(part("s2", "Who founded Lab Delta, which developed Project Aurora?")))
    done = subgoal("Which?", status="solved", answer="a group of " + "many " * 20 + "labs")
    waiting = subgoal("Who founded {s1}?", id="s2", depends_on=["s1"])
    plan, usage = llm().plan(plan_view(AURORA, subgoals=[done, waiting]))
    assert usage["calls"] == 1
    assert plan.subgoals[0].id == "s2"


def test_a_plan_that_drops_a_condition_is_repaired_once(llm: Make, server: Server) -> None:
    question = "Nhân viên thử việc năm 2026 được nghỉ mấy ngày?"
    server.turns(
        planned(part("s1", "Nhân viên được nghỉ mấy ngày?")), planned(part("s1", question))
    )
    plan, usage = llm().plan(plan_view(question))
    assert plan.subgoals[0].question == question
    assert usage["calls"] == 2
    said = server.requests[1].body["messages"][-1]["content"]
    assert "2026" in said
    assert "thử việc" in said


def test_a_plan_that_drops_it_again_is_taken_with_a_note(llm: Make, server: Server) -> None:
    server.turns(planned(part("s1", "Nhân viên được nghỉ mấy ngày?")))
    plan, _ = llm().plan(plan_view("Nhân viên thử việc được nghỉ mấy ngày?"))
    assert "lost thử việc" in plan.reason
    assert len(plan.subgoals) == 1


VIETNAMESE = "Ai sáng lập tổ chức đã phát triển Project Aurora?"


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Ai sáng lập Lab Delta?", "Who founded Lab Delta?"),
        ("Who founded Lab Delta?", "Ai đã sáng lập Lab Delta?"),
        ("Ai sáng lập Lab Delta?", "Hãng nào làm ra Lab Delta?"),
        ("Who founded Lab Delta?", "Where is Lab Delta?"),
    ],
)
def test_a_single_fact_that_became_another_or_was_translated_is_looked_up_as_it_was_asked(
    llm: Make, server: Server, question: str, said: str
) -> None:
    server.turns(planned(part("s1", said, depends_on=["s1"])))
    plan, usage = llm().plan(plan_view(question))
    assert [one.question for one in plan.subgoals] == [question]
    assert usage["calls"] == 1


def test_a_plan_in_another_language_than_the_question_is_repaired_once(
    llm: Make, server: Server
) -> None:
    foreign = [part("s1", "Who developed Project Aurora?"), part("s2", "Who founded {s1}?")]
    own = [part("s1", "Tổ chức nào đã phát triển Project Aurora?"), part("s2", "Ai sáng lập {s1}?")]
    server.turns(planned(*foreign), planned(*own))
    plan, _ = llm().plan(plan_view(VIETNAMESE))
    assert [one.question for one in plan.subgoals] == [one["question"] for one in own]
    assert "must be in Vietnamese" in server.requests[1].body["messages"][-1]["content"]
    server.turns(planned(*foreign))
    plan, _ = llm().plan(plan_view(VIETNAMESE))
    assert "must be in Vietnamese" in plan.reason


def test_a_single_fact_in_a_language_without_spaces_is_left_as_the_model_has_it(
    llm: Make, server: Server
) -> None:
    server.turns(planned(part("s1", "谁创立了极光实验室？")))
    plan, _ = llm().plan(plan_view("极光实验室是谁创立的？"))
    assert [one.question for one in plan.subgoals] == ["谁创立了极光实验室？"]


@pytest.mark.parametrize(
    ("question", "said", "cut"),
    [
        (
            VIETNAMESE,
            [VIETNAMESE],
            ["Tổ chức nào đã phát triển Project Aurora?", "Ai sáng lập {s1}?"],
        ),
        (AURORA, [AURORA], ["Which organisation developed Project Aurora?", "Who founded {s1}?"]),
        (
            VIETNAMESE,
            ["Who developed Project Aurora?", "Who founded {s1}?"],
            ["Tổ chức nào đã phát triển Project Aurora?", "Ai sáng lập {s1}?"],
        ),
    ],
)
def test_a_nested_question_that_the_model_leaves_whole_or_translates_is_cut_by_grammar(
    llm: Make, server: Server, question: str, said: list[str], cut: list[str]
) -> None:
    server.turns(planned(*(part(f"s{n}", text) for n, text in enumerate(said, 1))))
    plan, _ = llm().plan(plan_view(question))
    assert [one.question for one in plan.subgoals] == cut
    assert plan.subgoals[1].depends_on == ["s1"]
    assert "taken apart by grammar" in plan.reason


def test_a_single_fact_that_the_model_cuts_up_and_translates_is_the_question_itself(
    llm: Make, server: Server
) -> None:
    server.turns(planned(part("s1", "Who made Lab Delta?"), part("s2", "Who founded {s1}?")))
    plan, _ = llm().plan(plan_view("Ai sáng lập Lab Delta?"))
    assert [one.question for one in plan.subgoals] == ["Ai sáng lập Lab Delta?"]


@pytest.mark.parametrize("said", ["Who made Lab Delta?", "Lab Delta nằm ở thành phố nào?"])
def test_a_single_fact_that_the_model_translates_or_changes_is_looked_up_as_asked_and_says_so(
    llm: Make, server: Server, said: str
) -> None:
    server.turns(planned(part("s1", said)))
    plan, _ = llm().plan(plan_view("Ai sáng lập Lab Delta?"))
    assert [one.question for one in plan.subgoals] == ["Ai sáng lập Lab Delta?"]
    assert "looked up as it was asked" in plan.reason


def test_a_query_that_names_a_tool_is_not_used(llm: Make, server: Server) -> None:
    question = "Ai sáng lập Lab Delta?"
    tools = [{"name": name, "description": "x"} for name in ("search_documents", "sql")]
    server.turns(planned(part("s1", question, query="search_documents Lab Delta")))
    plan, _ = llm().plan(plan_view(question, tools=tools))
    assert plan.subgoals[0].query == ""


def test_only_fields_that_the_question_has_a_use_for_are_asked_for(
    llm: Make, server: Server
) -> None:
    def fields(view: Any) -> tuple[set[str], set[str]]:
        server.turns(planned(part("s1", view["original_question"])))
        llm().plan(view)
        shape = server.requests[-1].body["response_format"]["json_schema"]["schema"]["properties"]
        return set(shape), set(shape["subgoals"]["items"]["properties"])

    least = ({"reason", "route", "reply", "subgoals"}, {"id", "question", "depends_on"})
    assert fields(plan_view()) == least
    turn = {"question": "Năm 2025?", "answer": "5 ngày"}
    tools = [{"name": name, "description": "x"} for name in ("search_documents", "sql")]
    most = plan_view(conversation=[turn], may_ask=True, tools=tools)
    assert fields(most) == (least[0] | {"question", "clarify"}, least[1] | {"query", "tool"})


def test_a_query_that_lost_a_name_is_not_used(llm: Make, server: Server) -> None:
    question = "Who founded Lab Delta?"
    server.turns(planned(part("s1", question, query="founder of organisation")))
    assert llm().plan(plan_view(question))[0].subgoals[0].query == ""


@pytest.mark.parametrize("tool", ["serach", "web_search", None, ""])
def test_a_tool_that_does_not_exist_becomes_the_one_that_does(
    llm: Make, server: Server, tool: Any
) -> None:
    server.turns(planned(part("s1", AURORA, tool=tool)))
    plan, _ = llm().plan(plan_view(AURORA))
    assert plan.subgoals[0].tool == "search_documents"
    assert ("there is no tool" in plan.reason) == bool(tool)


def test_a_plan_that_lost_a_name_even_when_repaired_is_taken_apart_by_grammar(
    llm: Make, server: Server
) -> None:
    server.script = lambda request: planned(part("s1", "Who made Vexil?"))
    plan, usage = llm().plan(plan_view("Who founded the maker of Borealis?"))
    assert "Borealis" in plan.subgoals[0].question
    assert plan.subgoals[1].depends_on == ["s1"]
    assert "taken apart by grammar" in plan.reason
    assert usage["calls"] == 2


def test_a_plan_whose_names_stand_in_unusable_queries_only_has_lost_them(
    llm: Make, server: Server
) -> None:
    query = "search_documents: Hà Nội Cần Thơ"
    server.script = lambda request: planned(part("s1", "Vì sao thế?", query=query))
    question = "Văn phòng nào mở trước, Hà Nội hay Cần Thơ?"
    plan, _ = llm().plan(plan_view(question))
    told = " ".join(one.question for one in plan.subgoals)
    assert "Hà Nội" in told
    assert "Cần Thơ" in told


def test_a_nested_question_that_stands_uncut_beside_its_first_part_is_taken_apart(
    llm: Make, server: Server
) -> None:
    question = "Ai sáng lập tổ chức đã phát triển Project Aurora?"
    first = "Tổ chức nào đã phát triển Project Aurora?"
    server.turns(planned(part("s1", first), part("s2", question)))
    plan, _ = llm().plan(plan_view(question))
    assert [one.question for one in plan.subgoals] == [first, "Ai sáng lập {s1}?"]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        (
            "Who developed Project Aurora? Where was Minh Tran born?",
            "Who developed Project Aurora?",
        ),
        ("Dự án Aurora do ai lập? Minh Tran sinh ở đâu?", "Dự án Aurora do ai lập?"),
    ],
)
def test_a_plan_that_forgot_one_of_two_sentences_keeps_the_other(
    llm: Make, server: Server, question: str, first: str
) -> None:
    server.script = lambda request: planned(part("s1", first))
    plan, _ = llm().plan(plan_view(question))
    assert first in " ".join(one.question for one in plan.subgoals)


def test_two_joined_questions_are_two_subgoals(llm: Make, server: Server) -> None:
    question = "Who leads Lab Nord and when was Lab Nord founded?"
    server.turns(planned(part("s1", question)))
    plan, _ = llm().plan(plan_view(question))
    assert [one.question for one in plan.subgoals] == [
        "Who leads Lab Nord?",
        "when was Lab Nord founded?",
    ]


def test_a_follow_up_is_made_self_contained(llm: Make, server: Server) -> None:
    complete = "Nhân viên thử việc năm 2025 được nghỉ mấy ngày?"
    server.turns(planned(part("s1", complete), question=complete))
    turns = [{"question": "Nhân viên thử việc năm 2026 được nghỉ mấy ngày?", "answer": "6 ngày"}]
    plan, _ = llm().plan(plan_view("Còn năm 2025?", conversation=turns))
    assert plan.question == complete
    assert "6 ngày" in server.requests[0].sections["conversation"]


@pytest.mark.parametrize("message", ["Xin chào", "chao ban", "Thanks!", "Bạn làm được gì?"])
def test_small_talk_is_answered_at_once_and_asks_no_model(
    llm: Make, server: Server, message: str
) -> None:
    plan, usage = llm().plan(plan_view(message))
    assert plan.route == "direct"
    assert plan.reply
    assert (usage["calls"], server.requests) == (0, [])


def test_small_talk_in_other_words_is_answered_by_the_model(llm: Make, server: Server) -> None:
    server.turns(planned(route="direct", reply="Chúc bạn ngày tốt lành!"))
    plan, _ = llm().plan(plan_view("Trời đẹp nhỉ, chúc vui"))
    assert (plan.route, plan.reply) == ("direct", "Chúc bạn ngày tốt lành!")


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        ("Who founded Lab Delta?", "It was founded by a scientist."),
        ("who is the boss here?", "Minh Tran is."),
        ("thủ đô ở đâu?", "Hà Nội"),
        ("Ai là giám đốc?", "Ông Nguyễn Văn An."),
        ("what is the answer", "It is 42."),
    ],
)
def test_a_fact_is_never_answered_without_a_source(
    llm: Make, server: Server, question: str, reply: str
) -> None:
    server.turns(planned(route="direct", reply=reply))
    plan, usage = llm().plan(plan_view(question))
    assert plan.route == "retrieve"
    assert plan.reply == ""
    assert plan.subgoals == []
    assert usage["calls"] == 2


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        ("Thanks!", "You are welcome."),
        ("What is Groundhop?", "Groundhop answers questions from your documents."),
        ("Cảm ơn nhé", "Không có gì."),
    ],
)
def test_small_talk_names_nobody_but_ourselves(question: str, reply: str) -> None:
    assert is_small_talk(reply, question)


def test_the_chosen_reading_of_an_ambiguous_question_is_shown(llm: Make, server: Server) -> None:
    server.turns(planned(part("s1", "How much leave do permanent staff have?")))
    llm().plan(plan_view("How much leave?", clarified="How much leave do permanent staff have?"))
    assert "permanent staff" in server.requests[0].sections["meant"]


def test_several_readings_are_handed_on(llm: Make, server: Server) -> None:
    readings = ["Halo or Halo II: when did Halo start?", "When did Halo II start?"]
    server.turns(planned(part("s1", "When did Halo start?"), clarify=readings))
    assert llm().plan(plan_view("When did Halo start?"))[0].clarify == readings


# Rewriting


def rewritten(strategy: str, query: str = "", **fields: Any) -> Say:
    whole = {"reason": "r", "strategy": strategy, "query": query, **fields}
    return Say(text=json.dumps(whole, ensure_ascii=False))


@pytest.mark.parametrize("strategy", ["expand", "specify", "hypothetical", "abstract"])
def test_each_strategy_gives_a_query_and_only_an_abstraction_says_that_it_is_one(
    llm: Make, server: Server, strategy: str
) -> None:
    server.turns(rewritten(strategy, "nghỉ phép thử việc 2026 probation"))
    proposal, _ = llm().rewrite(rewrite_view())
    assert (proposal.strategy, proposal.query) == (strategy, "nghỉ phép thử việc 2026 probation")
    assert proposal.abstraction == (strategy == "abstract")
    assert proposal.subgoals == []


def test_a_decomposition_gives_parts_under_new_ids(llm: Make, server: Server) -> None:
    parts = [part("s1", "Quy định 2026?"), part("s2", "Thử việc theo {s1}?", depends_on=["s1"])]
    server.turns(rewritten("decompose", subgoals=parts))
    proposal, _ = llm().rewrite(rewrite_view())
    assert [one.id for one in proposal.subgoals] == ["s1a", "s1b"]
    assert proposal.subgoals[1].question == "Thử việc theo {s1a}?"
    assert proposal.subgoals[1].depends_on == ["s1a"]


def test_the_graders_reason_and_what_was_tried_are_shown(llm: Make, server: Server) -> None:
    server.turns(rewritten("expand", "x"))
    llm().rewrite(rewrite_view())
    shown = server.requests[0].sections
    assert shown["grader"] == "chỉ nói về nhân viên chính thức"
    assert "được nghỉ phép mấy ngày" in shown["searched"]


def test_an_unknown_strategy_is_no_rewrite(llm: Make, server: Server) -> None:
    server.turns(rewritten("give up", "x"))
    proposal, _ = llm().rewrite(rewrite_view())
    assert proposal.query == ""
    assert proposal.reason.startswith("unparseable reply")


def test_angle_brackets_of_a_question_stay_as_they_are(llm: Make, server: Server) -> None:
    question = "Lệnh cout << y và cin >> x in ra gì?"
    server.turns(planned(part("a", question)))
    plan, _ = llm().plan(plan_view(question))
    assert plan.subgoals[0].question == question
