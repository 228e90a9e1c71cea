"""What cannot be done is said in a sentence, with an exit code and without a traceback."""

import json
import os
import signal
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from groundhop import ask, failures
from tests.graph.three_hops import QUESTION
from tests.groundhop.conftest import PROJECT, Run

Script = Callable[..., None]
SLOW = "tests.groundhop.slow_cli"
FACT = "# Lab Delta\n\nLab Delta do Minh Tran sáng lập năm 2019.\n"


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    """A folder with one short document."""
    folder = tmp_path / "tài liệu"
    folder.mkdir()
    (folder / "delta.md").write_text(FACT, encoding="utf-8")
    return folder


@pytest.mark.parametrize("question", ["", "   ", "?!…", "\x00\x00"])
def test_an_empty_question_is_a_usage_error(cli: Run, scripted: Script, question: str) -> None:
    scripted()
    asked = cli("ask", question)
    assert asked.code == 2
    assert asked.stderr.strip() == "groundhop: The question is empty: ask something in words."


def test_a_question_over_the_limit_names_the_limit(process: Run, home: Path) -> None:
    home.mkdir()
    asked = process("ask", "thu " * 25_000, module=SLOW, PAUSE="0")
    assert asked.code == 2
    assert "100,000 characters; at most 4,000 are accepted" in asked.stderr
    assert len(asked.stderr) < 300


def test_a_long_question_from_standard_input_names_the_limit(cli: Run, scripted: Script) -> None:
    scripted()
    asked = cli("ask", "-", stdin="Ư".encode() * 100_000)
    assert (asked.code, "100,000 characters" in asked.stderr) == (2, True)


def test_nul_and_lone_surrogates_in_a_question_are_replaced(cli: Run, scripted: Script) -> None:
    scripted()
    asked = cli("ask", "Ai sáng lập\x00Lab \udcff Delta?", "--thread", "a\udcffb", "--json")
    assert asked.code == 0
    assert json.loads(asked.stdout)["question"] == "Ai sáng lập Lab ? Delta?"
    assert cli("trace", "a\udcffb").code == 0


def test_an_argument_that_is_no_utf_8_works(process: Run, home: Path) -> None:
    home.mkdir()
    question = QUESTION.encode() + b" \xff\xfe"
    asked = process("ask", question, "--as", b"\xc3", "--json", module=SLOW, PAUSE="0")
    assert asked.code == 0
    assert json.loads(asked.stdout)["question"] == f"{QUESTION} ??"


@pytest.mark.parametrize("thread", ["", "  ", "dài" * 100])
def test_an_id_that_no_thread_can_have_is_a_usage_error(
    cli: Run, scripted: Script, thread: str
) -> None:
    scripted()
    assert cli("ask", "Ai sáng lập Lab Delta?", "--thread", thread).code == 2
    assert cli("resume", thread).code == 2


@pytest.mark.parametrize("command", ["resume", "trace"])
def test_a_thread_that_does_not_exist_is_a_usage_error(
    cli: Run, scripted: Script, command: str
) -> None:
    scripted()
    asked = cli(command, "không-có")
    assert asked.code == 2
    assert "There is no thread 'không-có' here: `groundhop threads` lists" in asked.stderr


@pytest.mark.parametrize(
    "option", [("--depth", "0"), ("--steps", "101"), ("--steps", "sáu"), ("--seconds", "0")]
)
def test_a_number_out_of_range_is_a_usage_error(cli: Run, option: tuple[str, str]) -> None:
    assert cli("ask", "Ai sáng lập Lab Delta?", *option).code == 2


@pytest.mark.parametrize("command", [("ask", "Ai sáng lập Lab Delta?"), ("resume", "t")])
def test_asking_before_ingesting_names_the_command_and_leaves_no_files(
    cli: Run, home: Path, command: tuple[str, ...]
) -> None:
    asked = cli(*command)
    assert asked.code == 2
    assert "run `groundhop ingest PATH`" in asked.stderr
    assert not home.exists()


@pytest.mark.parametrize("content", [b"khong phai co so du lieu " * 40, None])
def test_a_damaged_or_foreign_catalogue_is_a_failure_that_names_it(
    cli: Run, home: Path, documents: Path, content: bytes | None
) -> None:
    home.mkdir()
    catalogue = home / "catalogue.sqlite"
    if content is None:
        with sqlite3.connect(catalogue) as foreign:
            foreign.execute("create table hoa_don (so integer)")
    else:
        catalogue.write_bytes(content)
    for command in (["ask", "Ai sáng lập Lab Delta?"], ["ingest", str(documents)], ["doctor"]):
        ended = cli(*command)
        assert ended.code == 1
        assert str(catalogue) in ended.said.replace(" ", "")


@pytest.mark.parametrize("content", [b"hong roi " * 1000, None])
def test_a_damaged_or_foreign_run_store_is_a_failure_that_names_it(
    cli: Run, home: Path, content: bytes | None
) -> None:
    home.mkdir()
    store = home / "runs.sqlite"
    if content is None:
        with sqlite3.connect(store) as foreign:
            foreign.execute("create table checkpoints (so integer)")
    else:
        store.write_bytes(content)
    for command in (["threads"], ["trace", "t"], ["doctor"]):
        ended = cli(*command)
        assert ended.code == 1
        assert str(store) in ended.said.replace(" ", "")


def test_asking_with_a_damaged_run_store_is_a_failure_that_names_it(
    process: Run, home: Path
) -> None:
    home.mkdir()
    (home / "runs.sqlite").write_bytes(b"SQLite format 3\x00" + b"\xff" * 8192)
    asked = process("ask", QUESTION, module=SLOW, PAUSE="0")
    assert asked.code == 1
    assert "runs.sqlite is damaged" in asked.stderr


@pytest.mark.parametrize("command", ["ingest", "ask", "threads", "doctor"])
def test_a_home_that_cannot_be_a_folder_is_told_in_a_sentence(
    cli: Run, tmp_path: Path, documents: Path, command: str
) -> None:
    (tmp_path / "tệp").write_text("không phải thư mục")
    below = tmp_path / "tệp" / "home"
    argument = {"ingest": [str(documents)], "ask": ["Ai sáng lập Lab Delta?"]}.get(command, [])
    ended = cli("--home", str(below), command, *argument)
    assert ended.code == {"ingest": 1, "ask": 2, "threads": 0, "doctor": 0}[command]
    assert "Unexpected" not in ended.stderr


def test_a_setting_that_is_wrong_is_named(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDHOP_EMBEDDING", "mô-hình-lạ")
    asked = cli("ask", "Ai sáng lập Lab Delta?")
    assert asked.code == 1
    assert "'mô-hình-lạ'" in asked.stderr
    Path("groundhop.toml").write_text("home = [", encoding="utf-8")
    said = cli("threads").stderr
    assert "groundhop.toml cannot be read" in said
    assert "Correct it or move it away" in said


def test_an_unexpected_error_is_one_line_with_a_hint(
    cli: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(home: Path | None) -> None:
        raise RuntimeError("đĩa\x1b[31m hỏng\nnặng")

    monkeypatch.setattr(ask, "open_agent", broken)
    asked = cli("ask", "Ai sáng lập Lab Delta?")
    assert asked.code == failures.FAILED
    assert asked.stderr == (
        "groundhop: Unexpected RuntimeError: đĩa hỏng nặng. "
        "Set GROUNDHOP_DEBUG=1 to see the traceback.\n"
    )


@pytest.mark.parametrize("arguments", [("threads", "--json"), ("threads",), ("doctor",)])
def test_a_reader_that_goes_away_ends_the_command_quietly(
    process: Run, home: Path, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    script = tmp_path / "nobody_reads.py"
    script.write_text(
        "import os, sys\n"
        "from groundhop.cli import main\n"
        "read, write = os.pipe(); os.close(read); os.dup2(write, 1)\n"
        "main()\n"
    )
    ended = process(*arguments, module="nobody_reads", PYTHONPATH=f"{tmp_path}")
    assert ended.code == 128 + signal.SIGPIPE, "as shells say of a command that `head` cut short"
    assert ended.stderr == ""


def test_an_answer_that_nobody_reads_to_its_end_can_be_read_later(
    process: Run, home: Path, tmp_path: Path
) -> None:
    home.mkdir()
    script = tmp_path / "nobody_reads.py"
    script.write_text(
        "import os, runpy\n"
        "read, write = os.pipe(); os.close(read); os.dup2(write, 1); os.dup2(write, 2)\n"
        "runpy.run_module('tests.groundhop.slow_cli', run_name='__main__')\n"
    )
    path = f"{tmp_path}{os.pathsep}{PROJECT}"
    asked = process(
        "ask", QUESTION, "--thread", "t", module="nobody_reads", PYTHONPATH=path, PAUSE="0"
    )
    assert asked.code == 128 + signal.SIGPIPE
    resumed = process("resume", "t", module=SLOW, PAUSE="0")
    assert resumed.code == 0
    assert "Việt Nam" in resumed.stdout


@pytest.mark.parametrize(
    "arguments", [("ask", "Ai?"), ("search", "nghỉ phép"), ("sources",), ("show", "phép.md")]
)
def test_the_command_that_an_error_names_is_for_the_same_data_folder(
    cli: Run, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    other = tmp_path / "kho khác"
    assert f"`groundhop --home '{other}' ingest PATH`" in cli("--home", str(other), *arguments).said
