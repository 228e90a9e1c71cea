"""The command line against the scripted server, as a person uses it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.policy.llm.conftest import KEY
from tests.policy.llm.server import Server, error
from tests.policy.llm.world import FACTS, questions_of, reader

QUESTION = questions_of(2)


def groundhop(home: Path, server: Server, *arguments: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GROUNDHOP_")}
    variables = {
        "GROUNDHOP_HOME": str(home),
        "GROUNDHOP_EMBEDDING": "hashing:64",
        "GROUNDHOP_BASE_URL": server.url,
        "GROUNDHOP_MODEL": "m",
        "GROUNDHOP_API_KEY": KEY,
        "GROUNDHOP_GRADING": "json",
        "GROUNDHOP_PRICES": '{"m": [1, 2]}',
    }
    return subprocess.run(
        [sys.executable, "-m", "groundhop", *arguments],
        capture_output=True,
        text=True,
        env={**kept, **variables},
        cwd=home.parent,
        timeout=120,
    )


@pytest.fixture
def home(tmp_path: Path, server: Server) -> Path:
    papers = tmp_path / "papers"
    papers.mkdir()
    for number, (text, _) in enumerate(FACTS.values(), 1):
        (papers / f"paper-{number}.md").write_text(f"# Paper {number}\n\n{text}\n")
    done = groundhop(tmp_path / "home", server, "ingest", str(papers))
    assert done.returncode == 0, done.stderr
    return tmp_path / "home"


def test_a_question_is_answered_with_the_model_and_its_cost_is_shown(
    home: Path, server: Server
) -> None:
    server.script = reader(2)
    done = groundhop(home, server, "ask", QUESTION, "--thread", "t", "--json")
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["answer"]["short"] == "Minh Tran"
    assert said["policy"] == ["llm:m"]
    assert said["budget"]["spent"]["model_calls"] == len(server.requests) == 4
    assert said["budget"]["spent"]["money"] == pytest.approx(4 * 140 / 1_000_000)
    shown = groundhop(home, server, "trace", "t").stdout
    assert "model in decide: m, 1 call, 100 tokens in, 20 out" in shown
    stored = b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())
    assert KEY.encode() not in stored
    assert KEY not in shown + done.stdout + done.stderr


def test_a_wrong_key_ends_in_one_sentence_and_the_thread_goes_on_afterwards(
    home: Path, server: Server
) -> None:
    script = reader(2)
    server.script = lambda request: (
        error(401, f"Incorrect API key provided: {KEY}")
        if request.role == "grade"
        else script(request)
    )
    done = groundhop(home, server, "ask", QUESTION, "--thread", "t")
    assert done.returncode == 1
    sentence = " ".join(done.stderr.split())
    assert f"The model m at {server.url} refused the key (401)" in sentence
    assert "GROUNDHOP_API_KEY" in sentence
    assert "groundhop resume t" in sentence
    assert "Traceback" not in sentence
    assert KEY not in sentence
    server.script = script
    again = groundhop(home, server, "resume", "t")
    assert again.returncode == 0, again.stderr
    assert "Minh Tran" in again.stdout
    assert len(server.of("plan")) == 1
