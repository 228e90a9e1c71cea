"""Stopping a run by a signal, and going on with it."""

import json
import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from graph.database import runs_path
from graph.ledger import SqliteLedger
from tests.graph.three_hops import QUESTION
from tests.groundhop.conftest import Run, ended

Start = Callable[..., subprocess.Popen[bytes]]
MODULE = "tests.groundhop.slow_cli"
SLOW_INGEST = "tests.groundhop.slow_ingest"


def _wait_for(process: subprocess.Popen[bytes], mark: str) -> None:
    """Read progress until a line with the mark has come."""
    assert process.stderr
    for line in process.stderr:
        if mark in line.decode():
            return
    raise AssertionError(f"{mark!r} never came")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_run_with_four_and_resuming_gives_the_same_answer(
    home: Path, start: Start, process: Run, number: signal.Signals
) -> None:
    home.mkdir()
    whole = process("ask", QUESTION, "--json", "--thread", "whole", module=MODULE, PAUSE="0")
    running = start("ask", QUESTION, "--thread", "việc 2", module=MODULE, PAUSE="0.15")
    _wait_for(running, "Hop 2")
    running.send_signal(number)
    stopped = ended(running)
    assert stopped.code == 4
    assert "groundhop resume 'việc 2'" in stopped.stderr
    assert stopped.stdout == ""

    resumed = process("resume", "việc 2", "--json", module=MODULE, PAUSE="0")
    assert resumed.code == 0
    assert json.loads(resumed.stdout)["answer"] == json.loads(whole.stdout)["answer"]
    rows = SqliteLedger(runs_path(home)).rows("việc 2")
    finished = [row["key"] for row in rows if row["finished"]]
    assert len(finished) == len(set(finished)), "nothing that was finished ran again"


def test_a_resume_is_stopped_like_a_question_and_its_hops_are_counted_on(
    home: Path, start: Start, process: Run
) -> None:
    home.mkdir()
    running = start("ask", QUESTION, "--thread", "t", module=MODULE, PAUSE="0.15")
    _wait_for(running, "Hop 2")
    running.send_signal(signal.SIGTERM)
    ended(running)
    again = start("resume", "t", module=MODULE, PAUSE="0.15")
    _wait_for(again, "Hop 3")
    again.send_signal(signal.SIGTERM)
    stopped = ended(again)
    assert stopped.code == 4
    assert "groundhop resume t" in stopped.stderr
    finished = process("resume", "t", module=MODULE, PAUSE="0")
    assert finished.code == 0
    assert "Hop 1" not in finished.stderr


def test_an_ingest_is_stopped_by_sigterm_and_completed_by_the_next_one(
    home: Path, start: Start, process: Run, tmp_path: Path
) -> None:
    folder = tmp_path / "tài liệu"
    folder.mkdir()
    for number in range(40):
        text = f"# Điều {number}\n\nNhân viên nhóm {number} được nghỉ {number} ngày.\n"
        (folder / f"điều {number}.md").write_text(text, encoding="utf-8")
    running = start("ingest", str(folder), module=SLOW_INGEST, PAUSE="0.2")
    _wait_for(running, "embedding")
    running.send_signal(signal.SIGTERM)
    stopped = ended(running)
    assert stopped.code == 4
    assert "run the same command again to go on" in stopped.stderr
    completed = process("ingest", str(folder))
    assert completed.code == 0
    assert "40 documents, 40 chunks in the knowledge base" in completed.stdout
    assert "the three agree" in process("doctor").stdout


def test_the_resume_command_names_home_identity_depth_and_filters(home: Path, start: Start) -> None:
    home.mkdir()
    options = ["--thread", "t", "--as", "An Trần", "--group", "hr", "--depth", "9"]
    options += ["--collection", "nội quy", "--as-of", "2025-01-31"]
    running = start("--home", str(home), "ask", QUESTION, *options, module=MODULE, PAUSE="0.15")
    _wait_for(running, "Hop 2")
    running.send_signal(signal.SIGINT)
    expected = f"groundhop --home {home} resume t --as 'An Trần' --group hr --depth 9"
    expected += " --collection 'nội quy' --as-of 2025-01-31"
    assert expected in ended(running).stderr


def test_an_interrupted_thread_takes_no_new_question(
    home: Path, start: Start, process: Run
) -> None:
    home.mkdir()
    running = start("ask", QUESTION, "--thread", "t", module=MODULE, PAUSE="0.15")
    _wait_for(running, "Hop 2")
    running.send_signal(signal.SIGINT)
    ended(running)
    asked = process("ask", "Câu khác?", "--thread", "t", module=MODULE, PAUSE="0")
    assert asked.code == 2
    assert "groundhop resume t" in asked.stderr
    assert "interrupted" in process("threads", module=MODULE, PAUSE="0").stdout
    traced = process("trace", "t", module=MODULE, PAUSE="0")
    assert traced.code == 0
    assert "no answer yet" in traced.stdout


def test_of_two_processes_that_resume_a_thread_one_is_told_who_runs_it(
    home: Path, start: Start, process: Run
) -> None:
    home.mkdir()
    running = start("ask", QUESTION, "--thread", "t", module=MODULE, PAUSE="0.15")
    _wait_for(running, "Hop 2")
    running.send_signal(signal.SIGINT)
    ended(running)
    first = start("resume", "t", module=MODULE, PAUSE="1")
    _wait_for(first, "search")
    second = process("resume", "t", module=MODULE, PAUSE="0")
    assert second.code == 1
    assert f"process {first.pid}" in second.stderr
    os.kill(first.pid, signal.SIGKILL)
    first.communicate()
    after = process("resume", "t", module=MODULE, PAUSE="0")
    assert after.code == 0, "the lease of a dead process is taken over"
