"""The programs of examples/embed, run as they are."""

import asyncio
import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from groundhop import Agent, Context
from tests.graph.scenes import QUESTION as FOUNDER
from tests.graph.scenes import TEXT, Documents, agent_on, honest_script
from tests.nodes.scripting import Search, planned

EMBED = Path(__file__).parent.parent.parent / "examples" / "embed"
QUESTION = "Who founded the organisation that developed Project Aurora?"


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"embed_{name}", EMBED / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def run(name: str, home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(EMBED / f"{name}.py"), *arguments],
        env={**os.environ, "GROUNDHOP_HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_the_script_prints_progress_answer_and_sources(sample_home: Path) -> None:
    done = run("script", sample_home, QUESTION)
    assert done.returncode == 0, done.stderr
    assert "Minh Tran" in done.stdout
    assert "labs/lab-delta.md" in done.stdout
    assert "…" in done.stderr


def test_the_parent_graph_writes_with_answer_and_source(sample_home: Path) -> None:
    done = run("parent_graph", sample_home, "Who founded Lab Delta?")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Dear reader")
    assert "Minh Tran" in done.stdout
    assert "… searching" in done.stderr


def test_a_pause_of_ours_pauses_the_parent_and_its_reply_goes_down(tmp_path: Path) -> None:
    from dataclasses import replace

    search = Search(Documents(d=TEXT).found)
    tool = replace(search.tool(), needs_approval=True)
    agent = agent_on(tmp_path, honest_script(plan=lambda view: planned(FOUNDER)), tool)
    graph = load("parent_graph").build(agent._services, InMemorySaver())
    config: Any = {"configurable": {"thread_id": "t"}}
    graph.invoke({"topic": FOUNDER}, config, context=Context(), durability="sync")
    snapshot = graph.get_state(config)
    assert [item.value["kind"] for item in snapshot.interrupts] == ["approval"]
    assert search.calls == []
    graph.invoke(Command(resume="approve"), config, context=Context(), durability="sync")
    agent.close()
    assert TEXT in graph.get_state(config).values["text"]
    assert search.queries == [FOUNDER]


@pytest.fixture
def web(tmp_path: Path) -> Iterator[tuple[ModuleType, Agent]]:
    pytest.importorskip("fastapi", reason="needs fastapi")
    module = load("web")
    agent = agent_on(tmp_path)
    module.app.state.agent = agent
    yield module, agent
    agent.close()


def events(text: str) -> list[tuple[str, Any]]:
    parts = [block.splitlines() for block in text.strip().split("\n\n")]
    return [(name[7:], json.loads(data[6:])) for name, data in parts]


async def post(module: ModuleType, path: str, body: Any, **headers: str) -> httpx.Response:
    transport = httpx.ASGITransport(app=module.app)
    named = {"X-User": "an", **{name.replace("_", "-"): one for name, one in headers.items()}}
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        return await client.post(path, json=body, headers=named)


def test_the_web_service_streams_events_and_ends_with_the_result(
    web: tuple[ModuleType, Agent],
) -> None:
    module, agent = web
    groups = f"hr, {quote('nhân sự')}"
    response = asyncio.run(post(module, "/ask", {"question": FOUNDER}, X_Groups=groups))
    told = events(response.text)
    assert [name for name, _ in told] == [
        "thread", "planned", "searching", "found", "graded", "result",
    ]  # fmt: skip
    assert told[-1][1]["status"] == "answered"
    assert TEXT in told[-1][1]["answer"]["text"]
    asked_as = agent.state(told[0][1]["thread"])["asked_as"]
    assert asked_as == {"user": "an", "groups": ["hr", "nhân sự"]}


def test_nobody_reads_or_resumes_the_thread_of_another(web: tuple[ModuleType, Agent]) -> None:
    module, _ = web
    told = events(asyncio.run(post(module, "/ask", {"question": FOUNDER})).text)
    thread = told[0][1]["thread"]
    own = asyncio.run(post(module, f"/threads/{thread}/resume", {}))
    assert events(own.text)[-1][1]["status"] == "answered"
    for other in ("bình", "an:1", "a"):
        path = f"/threads/{thread}/resume"
        answer = asyncio.run(post(module, path, {}, X_User=quote(other)))
        assert answer.status_code == 404
    asked = asyncio.run(post(module, "/ask", {"question": FOUNDER, "thread": thread}, X_User="mai"))
    assert asked.status_code == 404


def test_a_request_without_a_user_or_with_an_empty_question_is_refused(
    web: tuple[ModuleType, Agent],
) -> None:
    module, _ = web

    async def anonymous() -> int:
        transport = httpx.ASGITransport(app=module.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            return (await client.post("/ask", json={"question": FOUNDER})).status_code

    assert asyncio.run(anonymous()) == 422
    told = events(asyncio.run(post(module, "/ask", {"question": "  "})).text)
    assert told == [("error", {"text": "The question is empty: ask something in words."})]


def test_a_client_that_goes_away_cancels_its_run_which_can_be_resumed(
    web: tuple[ModuleType, Agent],
) -> None:
    module, agent = web

    async def gone() -> str:
        stream: AsyncIterator[str] = module._sent(
            agent.astream(FOUNDER, thread="an:1", context=Context(user="an"))
        )
        async for line in stream:
            if line.startswith("event: searching"):
                break
        await stream.aclose()  # type: ignore[attr-defined]
        return (await post(module, "/threads/an:1/resume", {})).text

    told = events(asyncio.run(gone()))
    assert told[-1][1]["status"] == "answered"
    assert agent.state("an:1")["budget"]["spent"]["tool_calls"] == 1


def test_the_agent_works_inside_a_running_event_loop_as_in_a_notebook(tmp_path: Path) -> None:
    """A notebook's cell runs in a loop: sync calls and awaited ones both answer there."""
    agent = agent_on(tmp_path)

    async def cell() -> tuple[str, str]:
        sync = agent.ask(FOUNDER, thread="1").status
        return sync, (await agent.aask(FOUNDER, thread="2")).status

    assert asyncio.run(cell()) == ("answered", "answered")
    agent.close()


def test_the_public_names_are_few_and_documented() -> None:
    import groundhop

    assert set(groundhop.__all__) == {
        "Agent", "Context", "GroundhopError", "Result", "build_graph", "open_services",
    }  # fmt: skip
    for name in groundhop.__all__:
        assert getattr(groundhop, name).__doc__
    methods = [name for name in vars(Agent) if not name.startswith("_")]
    assert all(getattr(Agent, name).__doc__ for name in methods)
