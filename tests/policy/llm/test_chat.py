"""Retry, timeouts, broken connections and what each of them ends in."""

import json
import logging
from collections.abc import Callable
from typing import Any

import pytest

from policy.endpoints import Endpoint
from policy.errors import PolicyError
from policy.llm import LLM
from policy.llm.costs import estimate_tokens
from policy.llm.faults import retry_after
from policy.protocol import Allowance
from tests.policy.llm.conftest import KEY, endpoint_of, models_of
from tests.policy.llm.server import Request, Say, Server, error
from tests.policy.llm.test_replies import GOOD
from tests.policy.llm.views import grade_view, passage, plan_view, write_view

Make = Callable[..., LLM]
PLAN = Say(text=json.dumps(GOOD["plan"]))


def failure(llm: LLM) -> str:
    with pytest.raises(PolicyError) as caught:
        llm.plan(plan_view())
    sentence = str(caught.value)
    assert KEY not in sentence
    assert "m at http://127.0.0.1:" in sentence
    return sentence


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 529])
def test_what_may_pass_is_tried_again_with_growing_waits(
    llm: Make, server: Server, waits: list[float], status: int
) -> None:
    server.turns(error(status, "busy"), error(status, "busy"), PLAN)
    _, usage = llm().plan(plan_view())
    assert waits == [0.5, 1.0]
    assert usage["calls"] == 1


def test_a_retry_after_is_honoured(llm: Make, server: Server, waits: list[float]) -> None:
    server.turns(error(429, "slow down", headers=(("retry-after", "7"),)), PLAN)
    llm().plan(plan_view())
    assert waits == [7.0]


def test_a_retry_after_beyond_the_cap_ends_at_once(
    llm: Make, server: Server, waits: list[float]
) -> None:
    server.turns(error(429, "slow down", headers=(("retry-after", "3600"),)))
    assert "429" in failure(llm())
    assert waits == []
    assert len(server.requests) == 1


@pytest.mark.parametrize(("value", "seconds"), [("3", 3.0), ("-1", 0.0), ("soon", None)])
def test_a_retry_after_that_cannot_be_read_is_none(value: str, seconds: float | None) -> None:
    assert retry_after({"retry-after": value}) == seconds


@pytest.mark.parametrize(
    ("say", "words"),
    [
        (error(401, f"Incorrect API key provided: {KEY}"), "GROUNDHOP_API_KEY"),
        (error(403, "forbidden"), "GROUNDHOP_API_KEY"),
        (error(404, "The model `m` does not exist"), "GROUNDHOP_MODEL"),
        (error(402, "Insufficient credits"), "no quota left"),
        (error(429, "You exceeded your current quota: insufficient_quota"), "no quota left"),
        (error(400, "This model's maximum context length is 8192 tokens"), "longer context"),
        (error(400, "the request exceeds the available context size"), "longer context"),
        (error(413, "Payload Too Large"), "longer context"),
        (Say(body="<html>Welcome</html>", content_type="text/html"), "ends in /v1"),
    ],
)
def test_what_cannot_pass_ends_at_once_in_a_sentence_that_says_what_to_change(
    llm: Make, server: Server, waits: list[float], say: Say, words: str
) -> None:
    server.turns(say)
    assert words in failure(llm())
    assert waits == []
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "say",
    [
        Say(choices=False),
        Say(body='{"choices": null}'),
        Say(body='{"id": "x"}'),
        Say(body='{"choices": [{"index"'),
        Say(body='{"error": "overloaded"}'),
        Say(body=""),
    ],
)
def test_an_answer_without_a_completion_is_tried_again_and_then_named(
    llm: Make, server: Server, waits: list[float], say: Say
) -> None:
    server.turns(say)
    assert "sent no complete answer" in failure(llm())
    assert waits == [0.5, 1.0, 2.0]


def test_a_request_that_every_way_of_asking_is_refused_for_ends_in_a_sentence(
    llm: Make, server: Server
) -> None:
    server.turns(error(400, "bad request"))
    assert "refused the request (400" in failure(llm())


def test_an_endpoint_that_is_down_is_named(llm: Make, server: Server, waits: list[float]) -> None:
    down = Endpoint("http://127.0.0.1:9/v1", "m", KEY)
    assert "start the server" in failure(llm(models=models_of(down)))
    assert len(waits) == 3


def test_a_slow_answer_is_given_up_after_the_timeout_and_counted(llm: Make, server: Server) -> None:
    server.turns(Say(text=PLAN.text, pause=0.7), PLAN)
    _, usage = llm(endpoint={"timeout": 0.5}).plan(plan_view())
    assert usage["calls"] == 2
    assert usage["estimated"]


def test_fallbacks_are_asked_in_order_when_the_first_fails(llm: Make, server: Server) -> None:
    def script(request: Request) -> Say:
        return PLAN if request.body["model"] == "third" else error(401, "no")

    server.script = script
    chain = [endpoint_of(server, model=name) for name in ("second", "third")]
    _, usage = llm(models=models_of(endpoint_of(server), *chain)).plan(plan_view())
    assert [request.body["model"] for request in server.requests] == ["m", "second", "third"]
    assert usage["model"] == "third"


def test_where_all_fallbacks_fail_each_is_named(llm: Make, server: Server) -> None:
    server.turns(error(401, "no"))
    second = endpoint_of(server, model="second")
    sentence = failure(llm(models=models_of(endpoint_of(server), second)))
    assert "second at http://127.0.0.1" in sentence


def test_requests_pin_the_protocol_and_bound_every_reply(llm: Make, server: Server) -> None:
    server.turns(PLAN)
    llm().plan(plan_view())
    body = server.requests[0].body
    assert body["max_tokens"] == body["max_completion_tokens"] == 700
    assert body["temperature"] == 0
    assert not body.get("stream")
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


def test_usage_that_the_endpoint_does_not_tell_is_estimated_and_marked(
    llm: Make, server: Server
) -> None:
    server.turns(Say(text=PLAN.text, usage=None))
    _, usage = llm().plan(plan_view())
    assert usage["estimated"]
    assert usage["input_tokens"] > 250
    server.turns(PLAN)
    _, usage = llm().plan(plan_view())
    assert (usage["input_tokens"], usage["output_tokens"]) == (100, 20)
    assert not usage["estimated"]


def test_money_follows_the_price_of_the_model(llm: Make, server: Server) -> None:
    server.turns(PLAN)
    _, usage = llm(endpoint={"price": (2.0, 10.0)}).plan(plan_view())
    assert usage["money"] == pytest.approx((100 * 2 + 20 * 10) / 1_000_000)


@pytest.mark.parametrize(
    "allowance",
    [Allowance(tokens=250), Allowance(calls=0), Allowance(seconds=0), Allowance(money=0.0)],
)
def test_a_call_that_the_allowance_does_not_reach_is_not_made(
    llm: Make, server: Server, allowance: Allowance
) -> None:
    policy = llm(endpoint={"price": (1.0, 1.0)}).within(allowance)
    plan, usage = policy.plan(plan_view())
    grade, _ = policy.grade(grade_view(*[passage("x " * 900)] * 3))
    draft, _ = policy.write(write_view())
    assert server.requests == []
    assert usage["calls"] == 0
    assert plan.subgoals == []
    assert "budget" in plan.reason
    assert {one.relevant for one in grade.verdicts} == {"unknown"}
    assert draft.sentences[0].evidence_ids == ["e1"]  # quoted in code


def test_a_reply_is_bounded_by_the_tokens_that_are_left(llm: Make, server: Server) -> None:
    server.turns(PLAN)
    llm().plan(plan_view())
    whole = server.requests[0].body["max_tokens"]
    sent = estimate_tokens(server.requests[0].system + server.requests[0].user)
    llm().within(Allowance(tokens=sent + 200)).plan(plan_view())
    assert 48 <= server.requests[1].body["max_tokens"] <= 200 < whole


def test_a_repair_that_the_allowance_does_not_reach_is_not_made(llm: Make, server: Server) -> None:
    server.turns(Say(text="prose"))
    plan, usage = llm().within(Allowance(calls=1)).plan(plan_view())
    assert usage["calls"] == len(server.requests) == 1
    assert plan.subgoals == []


def test_no_wait_outlasts_the_budget(llm: Make, server: Server, waits: list[float]) -> None:
    server.turns(error(503, "busy", headers=(("retry-after", "9"),)))
    plan, _ = llm().within(Allowance(seconds=5)).plan(plan_view())
    assert waits == []
    assert "no time is left" in plan.reason


def test_half_a_stream_is_written_again(llm: Make, server: Server) -> None:
    text = "Nhân viên thử việc được nghỉ 6 ngày trong năm 2026. [e1]\nSHORT: 6 ngày"
    server.turns(Say(text=text, cut_after=3), Say(text=text))
    draft, _ = llm().write(write_view())
    assert draft.short == "6 ngày"
    assert len(server.requests) == 2


def test_a_stream_that_always_breaks_ends_in_a_sentence(llm: Make, server: Server) -> None:
    server.turns(Say(text="Nhân viên thử việc", cut_after=1))
    with pytest.raises(PolicyError, match="stream broke off"):
        llm().write(write_view())


def test_a_key_is_in_no_log(llm: Make, server: Server, caplog: pytest.LogCaptureFixture) -> None:
    server.turns(error(500, f"crashed with Bearer {KEY} for an.nguyen@example.com 0912345678"))
    with caplog.at_level(logging.DEBUG):
        sentence = failure(llm())
    ours = "\n".join(one.getMessage() for one in caplog.records if one.name.startswith("groundhop"))
    assert "[hidden]" in sentence
    assert "an.nguyen@" not in sentence + ours
    assert "0912345678" not in sentence + ours
    assert KEY not in caplog.text


def test_a_key_is_not_in_what_an_endpoint_prints() -> None:
    endpoint: Any = Endpoint("http://user:password@host:1/v1?token=x", "m", KEY)
    for text in (repr(endpoint), endpoint.label):
        assert KEY not in text
        assert "password" not in text
        assert "token" not in text
    assert endpoint.label == "m at http://host:1/v1"
