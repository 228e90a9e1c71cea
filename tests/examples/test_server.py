"""`langgraph dev` on langgraph.json, driven over HTTP as Studio drives it."""

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient

from graph.agent import Agent

PROJECT = Path(__file__).parent.parent.parent
QUESTION = "Who founded the organisation that developed Project Aurora?"
START_SECONDS = 60


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def connections(group: int) -> set[str]:
    """The addresses, not of this machine, that processes of a group are connected to."""
    found: set[str] = set()
    for process in (int(one.name) for one in Path("/proc").iterdir() if one.name.isdigit()):
        try:
            if os.getpgid(process) != group:
                continue
            folder = Path(f"/proc/{process}")
            own = {os.readlink(one) for one in (folder / "fd").iterdir()}
            tables = [(folder / "net" / name).read_text() for name in ("tcp", "tcp6")]
        except OSError:
            continue
        for line in (row for table in tables for row in table.splitlines()[1:]):
            fields = line.split()
            address = fields[2].partition(":")[0]
            if f"socket:[{fields[9]}]" in own and not _here(address):
                found.add(address)
    return found


def _here(address: str) -> bool:
    """Whether an address of /proc/net/tcp is of this machine, or of a socket that listens."""
    return address.endswith(("0100007F", "01000000")) or set(address) <= {"0"}


class Server:
    """A running `langgraph dev`; its log is a file, and where it connected to is remembered."""

    def __init__(
        self, home: Path, folder: Path, config: Path = PROJECT / "langgraph.json", **env: str
    ) -> None:
        self.log = folder / f"server-{uuid.uuid4().hex[:6]}.log"
        self.contacted: set[str] = set()
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        command = ["-m", "langgraph_cli", "dev", "--config", str(config)]
        command += ["--host", "127.0.0.1", "--port", str(port), "--no-browser", "--no-reload"]
        quiet = {"LANGGRAPH_CLI_NO_ANALYTICS": "1", "LANGGRAPH_NO_VERSION_CHECK": "true"}
        self.process = subprocess.Popen(
            [sys.executable, *command, "--n-jobs-per-worker", "4"],
            cwd=PROJECT,  # the path of the checkpointer is relative to it
            stdout=self.log.open("w"),
            stderr=subprocess.STDOUT,
            env={
                **os.environ,
                **quiet,
                "GROUNDHOP_HOME": str(home),
                "LANGSMITH_TRACING": "false",
                **env,
            },
            start_new_session=True,
        )
        self._watching = threading.Event()
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        self._watcher.start()
        self._wait()

    def _watch(self) -> None:
        """Note every address beyond this machine that a process of the server has a socket to."""
        while not self._watching.wait(0.1):
            self.contacted |= connections(self.process.pid)

    def _wait(self) -> None:
        for _ in range(START_SECONDS * 5):
            assert self.process.poll() is None, self.log.read_text()
            try:
                if httpx.get(f"{self.url}/ok", timeout=2).status_code == 200:
                    return
            except httpx.HTTPError:
                time.sleep(0.2)
        raise AssertionError(f"the server did not start: {self.log.read_text()[-2000:]}")

    def stop(self) -> None:
        self._watching.set()
        self._watcher.join()
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(timeout=30)


@pytest.fixture(scope="module")
def server(sample_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    pytest.importorskip("langgraph_api", reason="needs the extra `studio`")
    server = Server(sample_home, tmp_path_factory.mktemp("server"))
    yield server
    server.stop()


@pytest.fixture(scope="module")
def client(server: Server) -> SyncLangGraphClient:
    return get_sync_client(url=server.url)


def test_the_server_lists_the_graph_with_its_form(client: SyncLangGraphClient) -> None:
    assistants = client.assistants.search(graph_id="groundhop")
    assert len(assistants) == 1
    schemas = client.assistants.get_schemas(assistants[0]["assistant_id"])
    assert set(schemas["input_schema"]["properties"]) == {"question"}
    assert {"user", "groups", "depth", "steps"} <= set(schemas["context_schema"]["properties"])
    assert "evidence" in schemas["state_schema"]["properties"]


def test_aurora_is_answered_and_its_history_reads_node_by_node(
    client: SyncLangGraphClient, server: Server
) -> None:
    thread = client.threads.create()["thread_id"]
    values = client.runs.wait(thread, "groundhop", input={"question": QUESTION}, durability="sync")
    assert values["status"] == "answered"
    assert values["answer"]["short"] == "Minh Tran"
    history = client.threads.get_history(thread, limit=50)
    nodes = [node for snapshot in reversed(history) for node in snapshot["next"]]
    assert nodes == [
        "__start__", "decide", "retrieve", "grade", "decide", "retrieve", "grade", "generate",
    ]  # fmt: skip
    assert history[0]["values"]["evidence"]
    assert "BlockingError" not in server.log.read_text()


def test_progress_is_streamed_as_it_happens(client: SyncLangGraphClient) -> None:
    thread = client.threads.create()["thread_id"]
    stream = client.runs.stream(
        thread, "groundhop", input={"question": QUESTION}, stream_mode=["custom", "updates"]
    )
    events = [part.data["event"] for part in stream if part.event == "custom"]
    assert events[0] == "planned"
    assert events.count("searching") == 2
    assert events[-1] == "finished"


def test_threads_of_the_server_and_of_the_command_line_are_one_store(
    client: SyncLangGraphClient, agent: Agent
) -> None:
    thread = client.threads.create()["thread_id"]
    client.runs.wait(thread, "groundhop", input={"question": QUESTION}, durability="sync")
    listed = {info.thread: info for info in agent.threads()}
    assert listed[thread].status == "answered"
    assert listed[thread].question == QUESTION
    assert agent.state(thread)["answer"]["short"] == "Minh Tran"


def test_two_questions_on_one_server_thread_do_not_mix(client: SyncLangGraphClient) -> None:
    thread = client.threads.create()["thread_id"]
    first = client.runs.wait(thread, "groundhop", input={"question": QUESTION})
    second = client.runs.wait(thread, "groundhop", input={"question": "hi there!"})
    assert first["answer"]["citations"]
    assert second["answer"]["citations"] == []
    assert client.threads.get_state(thread)["values"]["evidence"] == []


def test_an_empty_question_ends_with_a_sentence_and_not_with_an_error(
    client: SyncLangGraphClient,
) -> None:
    thread = client.threads.create()["thread_id"]
    values = client.runs.wait(thread, "groundhop", input={"question": "  "})
    assert values["status"] == "failed"
    assert re.search("question is empty", values["answer"]["text"])
