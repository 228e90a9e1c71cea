"""What Studio and the SDK do with runs on `langgraph dev`: pause, fork, cancel, kill, share."""

import json
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient

from graph.store import SqliteStore
from tests.examples.test_server import PROJECT, Server
from tests.graph.scenes import agent_on
from tests.graph.three_hops import QUESTION, three_hop_agent

FOUNDER = "Ai sáng lập Lab Delta?"
SHORT = "Việt Nam"


def config(folder: Path, **more: Any) -> Path:
    """A langgraph.json over the scripted graphs, with the checkpointer that ships."""
    served = PROJECT / "tests" / "examples" / "served_graph.py"
    path = folder / "langgraph.json"
    content = {
        "dependencies": [str(PROJECT)],
        "graphs": {"slow": f"{served}:slow", "approving": f"{served}:approving"},
        "checkpointer": {"path": f"{PROJECT / 'graph' / 'server_store.py'}:checkpointer"},
        **more,
    }
    path.write_text(json.dumps(content))
    return path


Start = Callable[..., Server]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def server(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    pytest.importorskip("langgraph_api", reason="needs the extra `studio`")
    folder = tmp_path_factory.mktemp("server")
    server = Server(home, folder, config(folder), PAUSE="0.1")
    yield server
    server.stop()
    assert server.contacted == set(), "the server spoke to nobody but this machine"
    assert "BlockingError" not in server.log.read_text()


@pytest.fixture(scope="module")
def client(server: Server) -> SyncLangGraphClient:
    return get_sync_client(url=server.url)


def until(condition: Callable[[], Any]) -> Any:
    for _ in range(200):
        found = condition()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError("it never came")


def finished_calls(home: Path, thread: str) -> list[str]:
    store = SqliteStore(home / "runs.sqlite")
    from graph.ledger import Ledger

    rows = Ledger(store).rows(thread)
    store.close()
    return [row["key"] for row in rows if row["finished"]]


def test_a_pause_shows_in_the_thread_and_its_reply_goes_on(client: SyncLangGraphClient) -> None:
    thread = client.threads.create()["thread_id"]
    client.runs.wait(thread, "approving", input={"question": FOUNDER}, durability="sync")
    state = client.threads.get_state(thread)
    (pause,) = state["interrupts"]
    assert pause["value"]["kind"] == "approval"
    assert client.threads.get(thread)["status"] == "interrupted"
    values = client.runs.wait(thread, "approving", command={"resume": "approve"})
    assert values["status"] == "answered"
    assert "Minh Tran" in values["answer"]["text"]


def test_history_can_be_edited_and_run_on_from(client: SyncLangGraphClient) -> None:
    thread = client.threads.create()["thread_id"]
    first = client.runs.wait(thread, "slow", input={"question": QUESTION}, durability="sync")
    assert first["answer"]["short"] == SHORT
    history = client.threads.get_history(thread, limit=50)
    moment = next(one for one in history if one["next"] == ["decide"])
    edited = client.threads.update_state(
        thread,
        {"resolved_question": "Quê của Minh Tran?"},
        checkpoint=moment["checkpoint"],
    )
    forked = client.runs.wait(
        thread, "slow", input=None, checkpoint=edited["checkpoint"], durability="sync"
    )
    assert forked["status"] == "answered"
    assert client.threads.get_state(thread)["values"]["resolved_question"] == "Quê của Minh Tran?"


def test_a_cancelled_run_goes_on_without_repeating_what_was_finished(
    client: SyncLangGraphClient, home: Path
) -> None:
    thread = client.threads.create()["thread_id"]
    run = client.runs.create(thread, "slow", input={"question": QUESTION}, durability="sync")
    until(lambda: len(finished_calls(home, thread)) >= 3)
    client.runs.cancel(thread, run["run_id"], wait=True)
    before = finished_calls(home, thread)
    values = client.runs.wait(thread, "slow", input=None, durability="sync")
    after = finished_calls(home, thread)
    assert values["answer"]["short"] == SHORT
    assert len(after) == len(set(after)), "no finished call was made again"
    assert set(before) < set(after)


def test_a_second_run_on_a_busy_thread_waits_or_is_refused(client: SyncLangGraphClient) -> None:
    thread = client.threads.create()["thread_id"]
    first = client.runs.create(thread, "slow", input={"question": QUESTION}, durability="sync")
    with pytest.raises(httpx.HTTPStatusError):
        client.runs.create(
            thread, "slow", input={"question": QUESTION}, multitask_strategy="reject"
        )
    second = client.runs.create(
        thread,
        "slow",
        input={"question": QUESTION},
        multitask_strategy="enqueue",
        durability="sync",
    )
    for run in (first, second):
        client.runs.join(thread, run["run_id"])
    values = client.threads.get_state(thread)["values"]
    assert values["question_number"] == 2
    assert values["status"] == "answered"


@pytest.mark.parametrize("durability", ["sync", None])
def test_a_server_that_is_killed_loses_no_finished_call(
    tmp_path: Path, durability: str | None
) -> None:
    pytest.importorskip("langgraph_api", reason="needs the extra `studio`")
    home, thread = tmp_path / "home", str(uuid.uuid4())
    home.mkdir()
    chosen = {"durability": durability} if durability else {}
    first = Server(home, tmp_path, config(tmp_path), PAUSE="0.15")
    client = get_sync_client(url=first.url)
    client.threads.create(thread_id=thread)
    client.runs.create(thread, "slow", input={"question": QUESTION}, **chosen)
    until(lambda: len(finished_calls(home, thread)) >= 4)
    first.stop()
    before = finished_calls(home, thread)

    again = Server(home, tmp_path, config(tmp_path), PAUSE="0")
    try:
        client = get_sync_client(url=again.url)
        client.threads.create(thread_id=thread, if_exists="do_nothing")
        until(lambda: client.threads.get(thread)["status"] != "busy")
        client.runs.wait(thread, "slow", input=None, durability="sync")
        values = client.threads.get_state(thread)["values"]
    finally:
        again.stop()
    after = finished_calls(home, thread)
    assert values["answer"]["short"] == SHORT
    assert len(after) == len(set(after)), "no finished call was made again"
    assert set(before) <= set(after)


def test_a_thread_that_a_dead_server_left_is_resumed_by_the_command_lines_agent(
    tmp_path: Path,
) -> None:
    pytest.importorskip("langgraph_api", reason="needs the extra `studio`")
    server = Server(tmp_path, tmp_path, config(tmp_path), PAUSE="0.15")
    client = get_sync_client(url=server.url)
    thread = client.threads.create()["thread_id"]
    client.runs.create(thread, "slow", input={"question": QUESTION}, durability="sync")
    until(lambda: len(finished_calls(tmp_path, thread)) >= 4)
    server.stop()
    agent = three_hop_agent(tmp_path, 0.0)
    result = agent.resume(thread)
    agent.close()
    assert result.answer["short"] == SHORT


def test_another_process_asks_through_a_remote_graph(server: Server) -> None:
    from langgraph.graph import END, START, StateGraph
    from langgraph.pregel.remote import RemoteGraph
    from typing_extensions import TypedDict

    remote = RemoteGraph("slow", url=server.url)
    assert remote.invoke({"question": QUESTION})["answer"]["short"] == SHORT

    class Parent(TypedDict, total=False):
        question: str
        answer: dict[str, Any]

    parent = StateGraph(Parent)
    parent.add_node("research", remote)
    parent.add_edge(START, "research")
    parent.add_edge("research", END)
    values = parent.compile().invoke({"question": QUESTION})
    assert values["answer"]["short"] == SHORT


def test_the_mcp_endpoint_answers_a_question(server: Server) -> None:
    headers = {"Accept": "application/json, text/event-stream"}

    def call(method: str, **parameters: Any) -> Any:
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}
        answer = httpx.post(f"{server.url}/mcp", json=body, headers=headers, timeout=60)
        assert answer.status_code == 200, answer.text
        return answer.json()["result"]

    assert "slow" in {tool["name"] for tool in call("tools/list")["tools"]}
    result = call("tools/call", name="slow", arguments={"question": QUESTION})
    text = result["content"][0]["text"]
    assert SHORT in text
    assert len(text) < 5_000, "the output schema is the answer, not the whole state"


def test_only_the_proven_identity_counts_where_the_server_authenticates(tmp_path: Path) -> None:
    pytest.importorskip("langgraph_api", reason="needs the extra `studio`")
    users = {
        "t-an": {"identity": "an", "groups": ["hr"]},
        "t-binh": {"identity": "binh", "groups": []},
    }
    auth = {"auth": {"path": f"{PROJECT / 'examples' / 'auth' / 'auth.py'}:auth"}}
    server = Server(
        tmp_path,
        tmp_path,
        config(tmp_path, **auth),
        PAUSE="0",
        GROUNDHOP_EXAMPLE_USERS=json.dumps(users),
    )
    try:
        assert httpx.post(f"{server.url}/threads", json={}).status_code == 401
        an, binh = (
            get_sync_client(url=server.url, headers={"Authorization": f"Bearer {token}"})
            for token in users
        )
        assert {one["graph_id"] for one in an.assistants.search()} == {"slow", "approving"}
        thread = an.threads.create()["thread_id"]
        context = {"user": "giám đốc", "groups": ["board"]}
        an.runs.wait(thread, "slow", input={"question": QUESTION}, context=context)
        asked_as = an.threads.get_state(thread)["values"]["asked_as"]
        assert asked_as == {"user": "an", "groups": ["hr"]}
        with pytest.raises(httpx.HTTPStatusError):
            binh.threads.get_state(thread)
        assert binh.threads.search() == []
    finally:
        server.stop()


def test_a_deleted_thread_takes_its_calls_with_it(client: SyncLangGraphClient, home: Path) -> None:
    thread = client.threads.create()["thread_id"]
    client.runs.wait(thread, "slow", input={"question": QUESTION}, durability="sync")
    assert finished_calls(home, thread)
    client.threads.delete(thread)
    assert finished_calls(home, thread) == []
    agent = agent_on(home)
    assert thread not in {info.thread for info in agent.threads()}
    agent.close()
