import json
from collections.abc import Callable
from typing import Any

import pytest

from policy.llm import LLM
from policy.llm.quotes import verbatim
from policy.llm.views import batches, grade_sections, passage_text
from policy.protocol import Allowance
from tests.policy.llm.server import Request, Say, Server, error
from tests.policy.llm.views import STATED, fact, grade_view, passage

Make = Callable[..., LLM]
LOOKALIKE = "Năm 2024, nhân viên thử việc được nghỉ 4 ngày phép."


def judged(label: str, relevant: str = "no", quote: str = "", **fields: Any) -> dict[str, Any]:
    said = {"passage": label, "reason": f"vì {relevant}", "relevant": relevant, "quote": quote}
    return {**said, "supports": relevant, "contradicts": [], **fields}


def reply(*passages: dict[str, Any], covered: str = "no", answer: str = "", **fields: Any) -> Say:
    whole = {"passages": list(passages), "reason": "tóm lại", "covered": covered, "answer": answer}
    return Say(text=json.dumps({**whole, **fields}, ensure_ascii=False))


def test_each_passage_has_its_own_verdict_reason_and_quote(llm: Make, server: Server) -> None:
    server.turns(reply(judged("P1"), judged("P2", "yes", STATED), covered="yes", answer="6 ngày"))
    view = grade_view(passage(LOOKALIKE, 1), passage(STATED, 2))
    grade, usage = llm().grade(view)
    assert [one.relevant for one in grade.verdicts] == ["no", "yes"]
    assert [one.passage_id for one in grade.verdicts] == ["s1:c1", "s1:c2"]
    assert grade.verdicts[1].quote == STATED
    assert grade.verdicts[1].supports
    assert (grade.covered, grade.answer) == ("yes", "6 ngày")
    assert usage["calls"] == 1


@pytest.mark.parametrize("label", ["P2", "2", "p2", "passage 2", "[P2]"])
def test_a_passage_is_found_by_its_number_however_it_is_named(
    llm: Make, server: Server, label: str
) -> None:
    server.turns(reply(judged("P1"), judged(label, "yes", STATED)))
    grade, _ = llm().grade(grade_view(passage(LOOKALIKE, 1), passage(STATED, 2)))
    assert grade.verdicts[1].passage_id == "s1:c2"


def test_a_passage_that_does_not_exist_is_not_judged(llm: Make, server: Server) -> None:
    server.turns(reply(judged("P1"), judged("P7", "yes", STATED), covered="yes", answer="6"))
    grade, _ = llm().grade(grade_view())
    assert [one.passage_id for one in grade.verdicts] == ["s1:c1"]
    assert grade.covered == "unknown"


def test_a_covered_subgoal_without_a_supporting_quote_is_unknown(llm: Make, server: Server) -> None:
    server.turns(reply(judged("P1", "yes", "được nghỉ 60 ngày"), covered="yes", answer="60 ngày"))
    grade, _ = llm().grade(grade_view())
    assert grade.verdicts[0].quote == ""
    assert (grade.covered, grade.answer) == ("unknown", "")
    assert "no quote supports" in grade.reason


def test_contradictions_name_facts_and_other_passages(llm: Make, server: Server) -> None:
    server.turns(
        reply(judged("P1", "yes", STATED, contradicts=["e1", "2", "e9", "P1"]), judged("P2"))
    )
    view = grade_view(passage(STATED, 1), passage(LOOKALIKE, 2), facts=[fact(LOOKALIKE)])
    grade, _ = llm().grade(view)
    assert grade.verdicts[0].contradicts == ["e1", "s1:c2"]


@pytest.mark.parametrize(
    ("quote", "text", "found"),
    [
        ("được nghỉ 6 ngày", STATED, STATED),
        ("ĐƯỢC NGHỈ  6\nngày", STATED, STATED),
        ("“được nghỉ 6 ngày phép”.", STATED, STATED),
        ("được nghỉ 16 ngày", STATED, ""),
        ("được nghỉ 6 tháng", STATED, ""),
        ("duoc nghi 6 ngay", STATED, ""),
        ("", STATED, ""),
        ("6", STATED, ""),
        ("Lab Nord ... Ida Holm", "Lab Nord is old. It is led by Ida Holm.", "Lab Nord is old."),
        ("Led by **Ida Holm**", "It is old. It is led by Ida Holm.", "It is led by Ida Holm."),
        ("12 days", "| Group | Leave |\n|---|---|\n| Staff | 12 days |", "| Staff | 12 days |"),
        ("zero\u200bwidth", "The zero\u200bwidth text.", "The zero\u200bwidth text."),
    ],
)  # fmt: skip
def test_a_quote_becomes_the_whole_sentence_as_it_stands(quote: str, text: str, found: str) -> None:
    assert verbatim(quote, text) == found
    assert found in text


def test_many_passages_are_judged_in_batches_and_none_is_left_out(
    llm: Make, server: Server
) -> None:
    def script(request: Request) -> Say:
        labels = [name for name in request.sections if name.startswith("P")]
        found = [judged(one, "yes", STATED) if one == "P9" else judged(one) for one in labels]
        hit = "P9" in labels
        return reply(*found, covered="yes" if hit else "no", answer="6 ngày" if hit else "")

    server.script = script
    passages = [passage(f"{'Chuyện khác. ' * 60}{STATED}", number) for number in range(1, 12)]
    grade, usage = llm().grade(grade_view(*passages))
    assert [one.passage_id for one in grade.verdicts] == [one["id"] for one in passages]
    assert [one.passage_id for one in grade.verdicts if one.relevant == "yes"] == ["s1:c9"]
    assert (grade.covered, grade.answer) == ("yes", "6 ngày")
    assert usage["calls"] == len(server.requests) > 1
    sizes = [len(request.user) for request in server.requests]
    assert max(sizes) < 12_000


def test_a_batch_that_the_budget_does_not_reach_is_unknown_and_the_rest_stands(
    llm: Make, server: Server
) -> None:
    def script(request: Request) -> Say:
        labels = [name for name in request.sections if name.startswith("P")]
        return reply(*[judged(one) for one in labels])

    server.script = script
    passages = [passage("Chuyện khác. " * 90, number) for number in range(1, 12)]
    grade, usage = llm().within(Allowance(calls=1)).grade(grade_view(*passages))
    verdicts = [one.relevant for one in grade.verdicts]
    assert set(verdicts) == {"no", "unknown"}
    assert len(verdicts) == 11
    assert usage["calls"] == 1


def test_batches_keep_every_passage_once() -> None:
    groups = batches(["x " * 400 * number for number in range(1, 9)], 1_000, 3)
    assert [number for group in groups for number in group] == list(range(8))
    assert all(len(group) <= 3 for group in groups)


LONG = "Chuyện khác về kho hàng. " * 30 + STATED + " Chuyện khác nữa. " * 30


def test_a_first_look_shows_the_sentences_nearest_the_subgoal() -> None:
    brief = passage_text(grade_view(), passage(LONG), 200)
    assert STATED in brief
    assert len(brief) < 250
    assert passage_text(grade_view(), passage(LONG), 2_400).count("kho hàng") == 30


def test_a_passage_in_another_language_than_the_question_is_shown_whole() -> None:
    text = "Staff on probation have six days. " * 20
    assert passage_text(grade_view(), passage(text, language="en"), 200) == text
    about = {**grade_view(question="In which country is Huế?"), "original_question": "Which land?"}
    assert len(passage_text(about, passage(text, language="en"), 200)) < 250


HIDDEN = f"{LONG} Riêng người mới vào có sáu hôm."
"""The last sentence shares no words with the question, so a first look leaves it out."""


def test_what_a_first_look_turns_down_is_looked_at_whole_where_nothing_covers(
    llm: Make, server: Server
) -> None:
    quote = "Riêng người mới vào có sáu hôm."

    def script(request: Request) -> Say:
        hit = quote in request.sections["P1"]
        first = judged("P1", "yes", quote) if hit else judged("P1")
        others = [judged(one) for one in request.sections if one in ("P2", "P3")]
        return reply(first, *others, covered="yes" if hit else "no", answer="sáu hôm" * hit)

    server.script = script
    passages = [passage(HIDDEN, 1), passage("Chuyện ngắn.", 2), passage("Chuyện ngắn.", 3)]
    grade, usage = llm().grade(grade_view(*passages))
    assert [one.relevant for one in grade.verdicts] == ["yes", "no", "no"]
    assert (grade.covered, grade.answer) == ("yes", "sáu hôm")
    assert usage["calls"] == 2
    shown = server.requests[1].sections
    assert {"P2", "P3"}.isdisjoint(shown)  # they had been seen whole


def test_a_second_look_is_saved_where_the_first_covers_or_cut_nothing(
    llm: Make, server: Server
) -> None:
    server.turns(reply(judged("P1", "yes", STATED), covered="yes", answer="6 ngày"))
    assert llm().grade(grade_view(passage(LONG)))[1]["calls"] == 1
    server.turns(reply(judged("P1")))
    assert llm().grade(grade_view(passage(LOOKALIKE)))[1]["calls"] == 1


def test_a_second_look_that_cannot_be_read_leaves_the_verdicts_of_the_first(
    llm: Make, server: Server
) -> None:
    first = reply(judged("P1"), reason="không nêu số ngày")
    server.turns(first, Say(text="?"))
    grade, _ = llm().grade(grade_view(passage(HIDDEN)))
    assert [one.relevant for one in grade.verdicts] == ["no"]
    assert (grade.covered, grade.reason) == ("no", "không nêu số ngày")


def test_the_schema_asks_for_exactly_as_many_verdicts_as_there_are_passages(
    llm: Make, server: Server
) -> None:
    server.turns(reply(judged("P1"), judged("P2"), judged("P3")))
    llm().grade(grade_view(*[passage(STATED, number) for number in (1, 2, 3)]))
    schema = server.requests[0].body["response_format"]["json_schema"]["schema"]
    passages = schema["properties"]["passages"]
    assert (passages["minItems"], passages["maxItems"]) == (3, 3)


def test_the_subgoal_is_left_out_where_it_is_the_question() -> None:
    named = dict(grade_sections(grade_view(), ["P1 (x): y"]))
    assert list(named) == ["question", "facts", "subgoal", "passages"]
    assert named["subgoal"] == ""


def test_a_rate_limited_endpoint_loses_no_passage(
    llm: Make, server: Server, waits: list[float]
) -> None:
    turn = iter(range(10_000))

    def script(request: Request) -> Say:
        if next(turn) % 2:
            return error(429, "slow down", headers=(("retry-after", "2"),))
        labels = [name for name in request.sections if name.startswith("P")]
        return reply(*[judged(one) for one in labels])

    server.script = script
    passages = [passage("Chuyện khác. " * 90, number) for number in range(1, 12)]
    grade, _ = llm().grade(grade_view(*passages))
    assert len(grade.verdicts) == 11
    assert {one.relevant for one in grade.verdicts} == {"no"}
    assert set(waits) == {2.0}
