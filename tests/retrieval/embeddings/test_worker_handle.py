import json
import sys

import pytest

from retrieval.embeddings.worker_handle import WorkerDiedError, ask, start_worker, stop_worker

REPORT_ENVIRONMENT = """
import json, os, socket
from retrieval.embeddings.worker import write_frame
write_frame(socket.socket(fileno=0), json.dumps(dict(os.environ)).encode())
"""


def test_the_worker_sees_no_key_and_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-bí-mật")
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    worker = start_worker([sys.executable, "-c", REPORT_ENVIRONMENT])
    environment = json.loads(ask(worker, None, 30.0))
    stop_worker(worker)
    assert "OPENAI_API_KEY" not in environment
    assert environment["OMP_NUM_THREADS"] == "1"
    assert environment["PATH"]


def test_a_worker_that_closes_in_the_middle_of_a_reply_has_died() -> None:
    code = "import socket; socket.socket(fileno=0).send(bytes([0, 0, 1, 0]) + b'half')"
    worker = start_worker([sys.executable, "-c", code])
    with pytest.raises(WorkerDiedError, match="code 0"):
        ask(worker, None, 30.0)


def test_a_worker_that_does_not_read_is_ended_in_time() -> None:
    worker = start_worker([sys.executable, "-c", "import time; time.sleep(600)"])
    with pytest.raises(WorkerDiedError, match="no answer"):
        ask(worker, b"x" * 10_000_000, 0.5)
    assert worker.process.poll() is not None
