"""`groundhop ingest`: the report, exit codes, and asking what was taken in."""

import json
from pathlib import Path

import pytest

from groundhop import ingest_files
from tests.groundhop.conftest import Run

FACT = "# Lab Delta\n\nLab Delta do Minh Tran sáng lập năm 2019 tại Huế.\n"


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    """A folder with two short documents."""
    folder = tmp_path / "tài liệu"
    folder.mkdir()
    (folder / "delta.md").write_text(FACT, encoding="utf-8")
    (folder / "aurora.txt").write_text("Project Aurora was developed by Lab Delta.\n")
    return folder


def test_the_report_counts_what_changed(cli: Run, documents: Path) -> None:
    first = cli("ingest", str(documents))
    assert first.code == 0
    assert "2 added, 0 changed, 0 unchanged, 0 removed, 0 failed" in first.said
    assert "2 documents, 2 chunks in the knowledge base" in first.said
    (documents / "delta.md").write_text(FACT + "\nĐã chuyển trụ sở.\n", encoding="utf-8")
    (documents / "aurora.txt").unlink()
    assert "0 added, 1 changed, 0 unchanged, 1 removed" in cli("ingest", str(documents)).said


def test_a_broken_file_is_reported_and_the_rest_goes_on(cli: Run, documents: Path) -> None:
    (documents / "hỏng.md").write_bytes(b"\x00\x01\x02\xff" * 50)
    ended = cli("ingest", str(documents))
    assert ended.code == 1
    assert "hỏng.md: " in ended.said
    assert "1 path could not be read; the others were taken in." in ended.said
    assert "2 added" in ended.said


@pytest.mark.parametrize("make", [False, True])
def test_a_folder_that_is_missing_or_empty_is_a_usage_error(
    cli: Run, tmp_path: Path, make: bool
) -> None:
    folder = tmp_path / "trống"
    if make:
        folder.mkdir()
    ended = cli("ingest", str(folder))
    assert ended.code == 2
    assert "trống: there is no " in ended.said
    assert "nothing was taken in" in ended.said


def test_a_folder_of_broken_files_only_is_a_usage_error(cli: Run, tmp_path: Path) -> None:
    (tmp_path / "chỉ hỏng").mkdir()
    (tmp_path / "chỉ hỏng" / "a.md").write_bytes(b"\x00" * 100)
    assert cli("ingest", str(tmp_path / "chỉ hỏng")).code == 2


def test_without_a_path_ingest_asks_for_one(cli: Run) -> None:
    ended = cli("ingest")
    assert (ended.code, "at least one file or folder" in ended.stderr) == (2, True)


def test_another_embedding_model_needs_a_rebuild_which_takes_no_path(
    cli: Run, documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cli("ingest", str(documents))
    monkeypatch.setenv("GROUNDHOP_EMBEDDING", "hashing:128")
    asked = cli("ask", "Ai sáng lập Lab Delta?")
    assert asked.code == 1
    assert "groundhop ingest --rebuild" in asked.stderr
    assert cli("ingest", "--rebuild").code == 0
    assert cli("ask", "Ai sáng lập Lab Delta?").code in (0, 3)


def test_an_interrupted_ingest_says_how_to_go_on(
    cli: Run, documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("ingest.sync.sync", interrupted)
    ended = cli("ingest", str(documents))
    assert (ended.code, "run the same command again" in ended.stderr) == (4, True)


def test_the_bar_follows_every_step_on_a_terminal() -> None:
    import io

    from rich.console import Console

    from ingest.report import Progress

    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=80)
    with ingest_files._bar(console) as moved:
        assert moved
        moved(Progress("discovered", files=3))
        moved(Progress("embedded", files=3, files_done=1, chunks=8, source="[b]hợp đồng.md"))
        moved(Progress("indexing", files=3, files_done=3, chunks=24))
    assert "3/3" in screen.getvalue()


def test_what_was_taken_in_can_be_asked_in_a_process_of_its_own(
    process: Run, documents: Path
) -> None:
    assert process("ingest", str(documents)).code == 0
    asked = process("ask", "Ai sáng lập Lab Delta?", "--json")
    result = json.loads(asked.stdout)
    assert asked.code == {"answered": 0, "gave_up": 3, "partial": 3}[result["status"]]
    assert result["policy"] == ["extractive"]
    for citation in result["answer"]["citations"]:
        assert citation["quote"] in FACT


def test_the_limits_of_the_policy_without_a_model_are_told_once(cli: Run, documents: Path) -> None:
    from policy.extractive import LIMITS

    cli("ingest", str(documents))
    asked = cli("ask", "Ai sáng lập Lab Delta?")
    assert asked.said.count(" ".join(LIMITS.split())) == 1
