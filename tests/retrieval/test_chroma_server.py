"""A real `chroma run`, on this machine."""

import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from retrieval.dense import SERVER, DenseIndex
from retrieval.errors import KnowledgeBaseError

PROGRAM = shutil.which("chroma", path=str(Path(sys.executable).parent)) or shutil.which("chroma")
AXES = np.eye(8, dtype=np.float32)


@pytest.fixture
def server(tmp_path, monkeypatch):
    if PROGRAM is None:
        pytest.skip("the command `chroma` is not installed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [PROGRAM, "run", "--path", str(tmp_path / "served"), "--host", "127.0.0.1"]
    process = subprocess.Popen(
        [*command, "--port", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    for _ in range(600):
        with socket.socket() as trial:
            if trial.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.1)
    monkeypatch.setenv(SERVER, f"http://127.0.0.1:{port}")
    yield port
    process.kill()
    process.wait()


def test_a_server_keeps_the_index_and_the_folder_only_the_vectors(server, tmp_path):
    folder = tmp_path / "home" / "vectors"
    writer = DenseIndex(folder, "mô hình", create=True)
    writer.upsert(["một", "hai", "ba"], AXES[:3])
    writer.delete(["ba"])
    reader = DenseIndex(folder, "mô hình")
    assert [one for one, _ in reader.search(AXES[1], 5)] == ["hai", "một"]
    assert reader.ids() == {"một", "hai"}
    assert not (folder / "chroma.sqlite3").exists()
    writer.close()
    reader.close()


def test_two_knowledge_bases_share_a_server_without_meeting(server, tmp_path):
    first = DenseIndex(tmp_path / "a", "model", create=True)
    second = DenseIndex(tmp_path / "b", "model", create=True)
    first.upsert(["x"], AXES[:1])
    assert second.search(AXES[0], 5) == []
    first.close()
    second.close()


def test_a_server_that_does_not_answer_is_one_sentence(tmp_path, monkeypatch):
    monkeypatch.setenv(SERVER, "http://127.0.0.1:9")
    with pytest.raises(KnowledgeBaseError, match=r"127.0.0.1:9 does not answer.*chroma run"):
        DenseIndex(tmp_path / "vectors", "model", create=True)
