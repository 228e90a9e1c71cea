"""Running the command line in this process or in one of its own."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from groundhop import ask
from groundhop.cli import app
from retrieval.tools.registry import Tool
from tests.groundhop.scripts import TEXT, Scripted, agent_on, finding

PROJECT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Outcome:
    """How a command ended, and what it printed."""

    code: int
    stdout: str
    stderr: str

    @property
    def said(self) -> str:
        """Everything on one line, since lines break where the window ends."""
        return " ".join(f"{self.stdout} {self.stderr}".split())


Run = Callable[..., Outcome]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder that the settings name, with an embedder that needs no model."""
    monkeypatch.chdir(tmp_path)
    for name in ("GROUNDHOP_DEBUG", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GROUNDHOP_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("GROUNDHOP_EMBEDDING", "hashing:256")
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path / "home"


@pytest.fixture
def cli(home: Path) -> Run:
    """Runs a command in this process."""

    def run(*arguments: str, stdin: bytes = b"") -> Outcome:
        result = CliRunner().invoke(app, list(arguments), input=stdin, prog_name="groundhop")
        assert result.exception is None or isinstance(result.exception, SystemExit)
        assert "Traceback" not in result.output
        return Outcome(result.exit_code, result.stdout, result.stderr)

    return run


@pytest.fixture
def scripted(home: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Lets `ask` and `resume` use a scripted policy and tool."""

    def use(*, refusal: str = "", tool: Tool | None = None) -> None:
        home.mkdir(exist_ok=True)
        found = tool or finding(TEXT)
        monkeypatch.setattr(ask, "open_agent", lambda _: agent_on(home, Scripted(refusal), found))

    return use


@pytest.fixture
def start(home: Path) -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Starts the command line, or a module in its place, in a process of its own."""
    begun: list[subprocess.Popen[bytes]] = []

    def popen(
        *arguments: str | bytes, module: str = "groundhop.cli", **environment: str
    ) -> subprocess.Popen[bytes]:
        command: list[Any] = [sys.executable, "-m", module, *arguments]
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(PROJECT), "PYTHONUTF8": "1", **environment},
        )
        begun.append(process)
        return process

    yield popen
    for process in begun:
        if process.poll() is None:
            process.kill()
        process.communicate()


@pytest.fixture
def process(start: Callable[..., subprocess.Popen[bytes]]) -> Run:
    """Runs a command in a process of its own to its end."""

    def run(*arguments: str | bytes, **options: str) -> Outcome:
        return ended(start(*arguments, **options))

    return run


def ended(process: subprocess.Popen[bytes]) -> Outcome:
    """What a started command has printed when it is done."""
    stdout, stderr = process.communicate(timeout=60)
    outcome = Outcome(process.returncode, stdout.decode(), stderr.decode())
    assert "Traceback" not in outcome.stderr
    return outcome
