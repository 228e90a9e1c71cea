import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from retrieval.embeddings.embedded import WorkerEmbedder
from retrieval.embeddings.protocol import UnembeddableTextError
from retrieval.embeddings.worker_handle import Worker
from retrieval.errors import EmbeddingError
from tests.retrieval.embeddings.conftest import FATAL_WORKER
from tests.retrieval.embeddings.fatal_worker import place

Fatal = Callable[..., WorkerEmbedder]

PARENT = """
import os, sys, threading, time
from retrieval.embeddings.embedded import WorkerEmbedder
embedder = WorkerEmbedder([sys.executable, "-P", *sys.argv[1:3]])
embedder.queries(["sẵn sàng"])
if "forked" in sys.argv and os.fork() == 0:
    time.sleep(60)
    os._exit(0)
if "busy" in sys.argv:
    threading.Thread(target=embedder.queries, args=(["treo"],), daemon=True).start()
    time.sleep(0.5)
print("ready", flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("fault", ["chết", "hỏng"])
def test_the_text_that_kills_the_worker_is_named_with_its_place(fatal: Fatal, fault: str) -> None:
    texts = [f"câu {number}" for number in range(20)]
    texts[13] = f"câu này {fault} " + "x" * 100
    with pytest.raises(UnembeddableTextError) as caught:
        fatal().passages(texts)
    assert caught.value.text_index == 13
    assert repr(texts[13][:60]) in str(caught.value)


def test_a_worker_that_hangs_is_ended_and_the_text_named(
    fatal: Fatal, started: list[Worker]
) -> None:
    embedder = fatal(batch_seconds=1.0)
    with pytest.raises(UnembeddableTextError, match=r"'treo'.*no answer within 1 seconds"):
        embedder.queries(["treo"])
    assert all(worker.process.poll() is not None for worker in started)
    assert embedder.queries(["một"]).argmax() == place("một")


def test_a_lone_caller_starts_one_worker(fatal: Fatal, started: list[Worker]) -> None:
    embedder = fatal()
    for _ in range(5):
        embedder.queries(["một"])
    assert len(started) == 1


def test_a_closed_embedder_refuses_and_its_workers_are_gone(
    fatal: Fatal, started: list[Worker]
) -> None:
    embedder = fatal()
    embedder.passages([str(number) for number in range(40)])
    embedder.close()
    embedder.close()
    assert all(worker.process.poll() is not None for worker in started)
    with pytest.raises(EmbeddingError, match="closed"):
        embedder.queries(["một"])


def test_an_embedder_that_nobody_holds_ends_its_worker(started: list[Worker]) -> None:
    embedder = WorkerEmbedder([sys.executable, "-P", str(FATAL_WORKER), os.devnull])
    child = started.pop().process
    del embedder
    assert child.wait(10) is not None


@pytest.mark.parametrize(
    ("code", "reason"),
    [("raise SystemExit(3)", "code 3"), ("import sys; sys.exit()", "code 0")],
)
def test_a_worker_that_cannot_start_says_why(code: str, reason: str) -> None:
    embedder = WorkerEmbedder([sys.executable, "-c", code])
    with pytest.raises(EmbeddingError, match=f"does not start.*{reason}.*GROUNDHOP_EMBEDDING"):
        embedder.queries(["một"])
    embedder.close()


def test_a_worker_without_a_program_says_why(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingError, match=r"does not start.*không có"):
        WorkerEmbedder([str(tmp_path / "không có")])


def test_a_model_that_cannot_load_says_why() -> None:
    code = """
import socket
from retrieval.embeddings.worker import serve
def load():
    raise ImportError("thiếu thư viện")
serve(socket.socket(fileno=0), load)
"""
    embedder = WorkerEmbedder([sys.executable, "-c", code])
    with pytest.raises(EmbeddingError, match="ImportError: thiếu thư viện"):
        embedder.queries(["một"])
    embedder.close()


@pytest.mark.parametrize("state", ["idle", "busy", "forked"])
def test_the_worker_ends_when_its_parent_is_killed(tmp_path: Path, state: str) -> None:
    pid_file = tmp_path / "số hiệu"
    arguments = [sys.executable, "-c", PARENT, str(FATAL_WORKER), str(pid_file), state]
    parent = subprocess.Popen(
        arguments, stdout=subprocess.PIPE, start_new_session=True, cwd=FATAL_WORKER.parents[3]
    )
    assert parent.stdout is not None
    assert parent.stdout.readline() == b"ready\n"
    worker = int(pid_file.read_text())
    assert runs(worker)
    parent.kill()
    parent.wait()
    gone = soon(lambda: not runs(worker))
    if state == "forked":
        os.killpg(parent.pid, signal.SIGKILL)
    parent.stdout.close()
    assert gone


def soon(condition: Callable[[], bool], seconds: float = 20.0) -> bool:
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)
    return condition()


def runs(pid: int) -> bool:
    """Whether the process lives; a dead one that nobody has waited for does not."""
    stat = Path(f"/proc/{pid}/stat")
    if Path("/proc/self/stat").exists():
        return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z"
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
