"""Endpoints that fail, each in its way: a line that says what to change, and a thread to go on."""

import json
import logging
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from nodes.calls import JudgementError
from policy.llm import LLM
from policy.protocol import Allowance
from tests.nodes.scripting import World
from tests.policy.llm.conftest import KEY, endpoint_of, models_of
from tests.policy.llm.server import Request, Say, Server, error
from tests.policy.llm.views import plan_view, write_view
from tests.policy.llm.world import library, questions_of, reader

Make = Callable[..., LLM]
QUESTION = questions_of(2)


@pytest.fixture
def world(tmp_path: Path, llm: Make) -> Iterator[World]:
    made = World(tmp_path, llm(), library())  # type: ignore[arg-type]
    yield made
    made.ledger.close()


FAULTS = {
    "down": (error(503, "connection refused by the upstream"), "try again later"),
    "wrong key": (error(401, f"Incorrect API key provided: {KEY}"), "GROUNDHOP_API_KEY"),
    "unknown model": (error(404, "The model `m` does not exist"), "GROUNDHOP_MODEL"),
    "context too long": (error(400, "maximum context length is 8192 tokens"), "longer context"),
    "empty choices": (Say(choices=False), "look at the server's log"),
    "a page": (Say(body="<html>Hi</html>", content_type="text/html"), "GROUNDHOP_BASE_URL"),
    "a key in its error": (error(500, f"crashed with Bearer {KEY}"), "try again later"),
}


CASES = [(name, role) for name in FAULTS for role in ("plan", "grade", "write")]
CASES.remove(("a page", "write"))  # to a client that waits for a stream a page is an empty one


@pytest.mark.parametrize(("name", "role"), CASES)
def test_a_bad_endpoint_ends_in_one_line_and_the_thread_goes_on_without_it(
    world: World, server: Server, caplog: pytest.LogCaptureFixture, name: str, role: str
) -> None:
    say, change = FAULTS[name]
    script = reader(2)
    server.script = lambda request: say if request.role == role else script(request)
    with caplog.at_level(logging.DEBUG), pytest.raises(JudgementError) as caught:
        world.ask(QUESTION, thread="t")
    sentence = str(caught.value)
    assert sentence.startswith("The model m at http://127.0.0.1:")
    assert change in sentence
    assert "`groundhop resume t`" in sentence
    assert "\n" not in sentence
    server.script = script
    state = world.go(None, "t")
    assert state["status"] == "answered"
    kept = json.dumps([state, world.ledger.rows("t")], default=str)
    assert KEY not in sentence + kept + caplog.text


@pytest.mark.parametrize("role", ["plan", "grade"])
def test_a_model_that_refuses_to_judge_is_named_in_the_history(
    world: World, server: Server, role: str
) -> None:
    script = reader(2)
    refusal = Say(text=None, refusal="I cannot help with that.")
    server.script = lambda request: refusal if request.role == role else script(request)
    state = world.ask(QUESTION)
    told = json.dumps(state["history"], ensure_ascii=False)
    assert "m at http://127.0.0.1" in told
    assert "use another model" in told
    assert state["status"] in ("answered", "partial", "gave_up")


def test_a_model_that_refuses_to_write_ends_in_one_line_and_the_thread_goes_on(
    world: World, server: Server
) -> None:
    script = reader(2)
    refusal = Say(text="", refusal="I cannot help with that.")
    server.script = lambda request: refusal if request.role == "write" else script(request)
    with pytest.raises(JudgementError, match=r"m at http://127\.0\.0\.1.*use another model"):
        world.ask(QUESTION, thread="t")
    server.script = script
    assert world.go(None, "t")["status"] == "answered"


def test_half_a_stream_ends_in_one_line_and_the_thread_goes_on(
    world: World, server: Server
) -> None:
    script = reader(2)

    def broken(request: Request) -> Say:
        return Say(script(request).text, cut_after=2 if request.role == "write" else None)

    server.script = broken
    with pytest.raises(JudgementError, match="the stream broke off"):
        world.ask(QUESTION, thread="t")
    server.script = script
    assert world.go(None, "t")["status"] == "answered"


PLAN = reader(1)(Request({"messages": [{"content": "You plan look-ups"}, {"content": ""}]}, {}))


def test_a_server_that_sends_blanks_while_it_is_busy_is_given_up_in_time(
    llm: Make, server: Server
) -> None:
    server.turns(Say(text=PLAN.text, drip=20), PLAN)
    plan, usage = llm(endpoint={"timeout": 0.6}).plan(plan_view(questions_of(1)))
    assert plan.subgoals
    assert usage["calls"] == 2
    assert usage["estimated"]


def test_the_time_of_a_request_begins_when_it_is_sent_and_not_when_the_answer_begins(
    llm: Make, server: Server
) -> None:
    server.turns(Say(text=PLAN.text, pause=0.5, drip=5), PLAN)
    _, usage = llm(endpoint={"timeout": 0.8}).plan(plan_view(questions_of(1)))
    assert usage["calls"] == 2


def test_a_server_that_sends_blanks_within_its_time_is_waited_for(
    llm: Make, server: Server
) -> None:
    server.turns(Say(text=PLAN.text, drip=3))
    assert llm().plan(plan_view(questions_of(1)))[1]["calls"] == 1


def test_a_stream_of_comments_does_not_outlast_the_budget(llm: Make, server: Server) -> None:
    server.turns(Say(text="x", drip=40))
    policy = llm(models=models_of(endpoint_of(server, timeout=30)))
    draft, _ = policy.within(Allowance(seconds=0.8)).write(write_view())
    assert draft.sentences[0].evidence_ids == ["e1"]  # quoted in code
    assert len(server.requests) == 1


def test_a_stream_without_end_is_broken_off(llm: Make, server: Server) -> None:
    server.turns(Say(text="Nhân viên nghỉ phép. " * 2_000, usage=None))
    with pytest.raises(Exception, match="broke off"):
        llm().write(write_view())
    assert len(server.requests) <= 4
