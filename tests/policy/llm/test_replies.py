"""Every shape of reply, for every way of asking, in plan, grade and rewrite."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from policy.endpoints import Endpoint
from policy.llm import LLM
from policy.llm.schemas import GradeReply, as_verdict, json_schema
from policy.llm.structured import METHODS, TOOL
from tests.policy.llm.server import Request, Say, Server, error
from tests.policy.llm.views import STATED, grade_view, plan_view, rewrite_view

Make = Callable[..., LLM]
GOOD: dict[str, dict[str, Any]] = {
    "plan": {
        "reason": "một điều",
        "route": "search",
        "subgoals": [{"id": "s1", "question": "Nhân viên thử việc năm 2026 được nghỉ mấy ngày?"}],
    },
    "grade": {
        "passages": [
            {
                "passage": "P1",
                "reason": "nói rõ",
                "relevant": "yes",
                "quote": STATED,
                "supports": "yes",
            }
        ],
        "reason": "đủ",
        "covered": "yes",
        "answer": "6 ngày",
    },
    "rewrite": {
        "reason": "thiếu nhóm",
        "strategy": "expand",
        "query": "thử việc 2026 số ngày nghỉ phép probation leave",
    },
}
VIEWS = {"plan": plan_view, "grade": grade_view, "rewrite": rewrite_view}
ROLES = tuple(VIEWS)


def is_good(role: str, judgement: Any) -> bool:
    if role == "plan":
        return judgement.subgoals[0].id == "s1"
    if role == "grade":
        return judgement.covered == "yes" and judgement.answer == "6 ngày"
    return judgement.query.startswith("thử việc 2026")


def is_unknown(role: str, judgement: Any) -> bool:
    if not judgement.reason.startswith("unparseable reply"):
        return False
    if role == "plan":
        return judgement.route == "retrieve" and judgement.subgoals == []
    if role == "grade":
        return judgement.covered == "unknown" and judgement.verdicts[0].relevant == "unknown"
    return judgement.query == "" and judgement.subgoals == []


def using(llm: LLM, server: Server, method: str) -> LLM:
    """The policy as it is once the endpoint is known to take only this method."""
    endpoint = llm._models.roles["plan"]
    assert isinstance(endpoint, Endpoint)
    llm._memory.refuse(endpoint, method)
    return llm


def told(method: str, text: str | None, **fields: Any) -> Say:
    """A reply in the place where the method has it."""
    if method == "tools" and text is not None:
        return Say(text=None, calls=((TOOL, text),), finish="tool_calls", **fields)
    return Say(text=text, **fields)


READABLE = {
    "plain": lambda text: text,
    "in a code fence": lambda text: f"```json\n{text}\n```",
    "after a thought with braces": lambda text: (
        f'<think>maybe {{"route": "direct"}}?</think>\n{text}'
    ),
    "after a thought without its opening": lambda text: f"hmm {{x}}\n</think>\n\n{text}",
    "before prose": lambda text: f"{text}\n\nI hope this helps {{really}}.",
    "twice the same": lambda text: f"{text}\n{text}",
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("shape", READABLE)
def test_a_reply_is_read_whatever_is_around_it(
    llm: Make, server: Server, role: str, method: str, shape: str
) -> None:
    text = READABLE[shape](json.dumps(GOOD[role], ensure_ascii=False))
    server.turns(told(method, text))
    judgement, usage = getattr(using(llm(), server, method), role)(VIEWS[role]())
    assert is_good(role, judgement)
    assert usage["calls"] == 1


def cut_off(role: str) -> str:
    return json.dumps(GOOD[role])[:-12]


def without_reason(role: str) -> str:
    return json.dumps({k: v for k, v in GOOD[role].items() if k != "reason"})


UNREADABLE = {
    "the bare word yes": lambda role: "yes",
    "có": lambda role: "Có",
    "a missing field": without_reason,
    "empty": lambda role: "",
    "null": lambda role: None,
    "cut off": cut_off,
    "prose": lambda role: "The passage seems relevant to me.",
    "an empty object": lambda role: "{}",
    "a list": lambda role: "[1, 2]",
    "a thought that never ends": lambda role: f"<think>{json.dumps(GOOD[role])}",
    "two that differ": lambda role: (
        json.dumps(GOOD[role]) + json.dumps({**GOOD[role], "reason": "other"})
    ),
    "html": lambda role: "<html><body>502</body></html>",
    "nested too deep": lambda role: '{"a":' * 3000,
}


@pytest.mark.parametrize("method", ["json_schema", "tools", "json_object"])
@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("shape", UNREADABLE)
def test_what_cannot_be_read_twice_is_unknown_and_never_yes(
    llm: Make, server: Server, role: str, method: str, shape: str
) -> None:
    finish = "length" if shape == "cut off" else "stop"
    say = told(method, UNREADABLE[shape](role))
    server.turns(Say(**{**say.__dict__, "finish": finish}))
    judgement, usage = getattr(using(llm(), server, method), role)(VIEWS[role]())
    assert is_unknown(role, judgement), judgement
    assert usage["calls"] == len(server.requests) == 2


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(
    ("shape", "calls"),
    [
        ("another name", (("other", "GOOD"),)),
        ("broken arguments", ((TOOL, '{"reason": "x", '),)),
        ("empty arguments", ((TOOL, ""),)),
        ("no name", (("", "GOOD"),)),
    ],
)
def test_a_wrong_tool_call_is_repaired_once_with_the_error(
    llm: Make, server: Server, role: str, shape: str, calls: Any
) -> None:
    good = json.dumps(GOOD[role])
    wrong = tuple((name, good if given == "GOOD" else given) for name, given in calls)
    server.turns(Say(text=None, calls=wrong), Say(text=None, calls=((TOOL, good),)))
    judgement, usage = getattr(using(llm(), server, "tools"), role)(VIEWS[role]())
    assert is_good(role, judgement)
    assert usage["calls"] == 2
    assert "cannot be used" in server.requests[1].body["messages"][-1]["content"]


def test_several_tool_calls_that_differ_are_no_judgement(llm: Make, server: Server) -> None:
    first = json.dumps(GOOD["grade"])
    second = json.dumps({**GOOD["grade"], "covered": "no"})
    server.turns(Say(text=None, calls=((TOOL, first), (TOOL, second))))
    judgement, _ = using(llm(), server, "tools").grade(grade_view())
    assert is_unknown("grade", judgement)
    assert "several different replies" in judgement.reason


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("yes", "yes"), ("Yes.", "yes"), ("**YES**", "yes"), (True, "yes"),
        ("No.", "no"), ("NO, because", "no"), ("không", "no"), (False, "no"), ("no: never", "no"),
        ("Có", "unknown"), ("n/a", "unknown"), ("", "unknown"), (None, "unknown"), (1, "unknown"),
        ("yes and no", "unknown"), ("yes?no", "unknown"), ("relevant", "unknown"), ([], "unknown"),
    ],
)  # fmt: skip
def test_only_a_plain_yes_is_a_yes(said: Any, meant: str) -> None:
    assert as_verdict(said) == meant


@pytest.mark.parametrize("said", ["No.", "NO, because", "không", "Có", "n/a", ""])
def test_no_such_verdict_makes_a_passage_relevant(llm: Make, server: Server, said: str) -> None:
    one = {**GOOD["grade"]["passages"][0], "relevant": said}
    server.turns(Say(text=json.dumps({**GOOD["grade"], "passages": [one]})))
    judgement, _ = llm().grade(grade_view())
    assert judgement.verdicts[0].relevant != "yes"
    assert judgement.covered != "yes"


def test_a_server_that_refuses_schemas_is_asked_in_the_next_way_and_remembered(
    llm: Make, server: Server, tmp_path: Any
) -> None:
    def script(request: Request) -> Say:
        kind = request.body.get("response_format", {}).get("type", "")
        if kind == "json_schema":
            return error(400, "response_format json_schema is not supported")
        if "tools" in request.body:
            return Say(text=None, calls=((TOOL, json.dumps(GOOD["plan"])),))
        raise AssertionError(request.body)

    server.script = script
    memory = tmp_path / "endpoints.json"
    judgement, usage = llm(memory=memory).plan(plan_view())
    assert is_good("plan", judgement)
    assert usage["calls"] == 1
    assert len(server.requests) == 3
    llm(memory=memory).plan(plan_view())
    assert len(server.requests) == 4
    assert "tools" in server.requests[-1].body
    assert memory.stat().st_mode & 0o777 == 0o600
    assert "sk-" not in memory.read_text()


def test_a_damaged_memory_is_an_empty_one(llm: Make, server: Server, tmp_path: Any) -> None:
    memory = tmp_path / "endpoints.json"
    memory.write_text("{broken")
    server.turns(Say(text=json.dumps(GOOD["plan"])))
    assert is_good("plan", llm(memory=memory).plan(plan_view())[0])


def test_a_server_that_refuses_a_temperature_is_asked_without_one(
    llm: Make, server: Server
) -> None:
    def script(request: Request) -> Say:
        if "temperature" in request.body:
            return error(400, "Unsupported value: 'temperature' does not support 0")
        return Say(text=json.dumps(GOOD["plan"]))

    server.script = script
    assert is_good("plan", llm().plan(plan_view())[0])
    assert server.requests[-1].body["response_format"]["type"] == "json_schema"


def test_a_refusal_is_unknown_with_a_line_that_names_model_and_change(
    llm: Make, server: Server
) -> None:
    server.turns(Say(text=None, refusal="I cannot help with that."))
    judgement, _ = llm().grade(grade_view())
    assert judgement.verdicts[0].relevant == "unknown"
    assert "m at http://127.0.0.1" in judgement.reason
    assert "use another model" in judgement.reason


def test_every_schema_asks_for_the_reason_before_the_verdict_and_bounds_its_texts() -> None:
    schema = json_schema(GradeReply, bounded=True)
    one = schema["properties"]["passages"]["items"]["properties"]
    assert list(one).index("reason") < list(one).index("relevant") < list(one).index("quote")
    assert list(schema["properties"]).index("reason") < list(schema["properties"]).index("covered")
    assert one["quote"]["maxLength"]
    assert "maxLength" not in json.dumps(json_schema(GradeReply, bounded=False))
