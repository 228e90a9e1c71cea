"""`groundhop ask`: progress, answer, citations, status and exit code."""

import json
from collections.abc import Callable

import pytest

from tests.groundhop.conftest import Run
from tests.groundhop.scripts import SOURCE, TEXT, failing, finding

QUESTION = "Ai sáng lập Lab Delta?"
Script = Callable[..., None]


def test_an_answer_goes_to_stdout_with_numbered_citations(cli: Run, scripted: Script) -> None:
    scripted()
    asked = cli("ask", QUESTION)
    assert asked.code == 0
    assert asked.stdout.splitlines() == [
        f"{TEXT} [1]",
        "",
        f"[1] {SOURCE}:100-141 (Lab Delta > Lịch sử, version 2026)",
        f"    “{TEXT}”",
    ]


def test_progress_goes_to_stderr_in_the_order_of_events(cli: Run, scripted: Script) -> None:
    scripted()
    shown = cli("ask", QUESTION, "--thread", "việc-1").stderr
    marks = [
        "Hop 1",
        f"s1: {QUESTION}",
        "search s1",
        "1 passage for s1",
        f"✓ “{TEXT}”",
        f"{SOURCE}:100-141",
        "s1 is answered",
        "answered · solved · 1 of 6 steps · 1 of 12 tool calls · 3 of 30 policy calls",
        "policy: scripted",
        "groundhop trace 'việc-1'",
    ]
    places = [" ".join(shown.split()).find(mark) for mark in marks]
    assert -1 not in places
    assert places == sorted(places)


def test_output_fits_eighty_columns_and_has_no_colours_in_a_pipe(
    cli: Run, scripted: Script
) -> None:
    scripted(refusal="nói về người khác, không phải người được hỏi " * 4)
    asked = cli("ask", QUESTION + " " + "Xin nói rõ về lịch sử của phòng thí nghiệm này. " * 5)
    assert "\x1b" not in asked.stdout + asked.stderr
    lines = (asked.stdout + asked.stderr).splitlines()
    assert max(len(line) for line in lines if "groundhop trace" not in line) <= 80


def test_json_is_one_object_on_stdout_and_nothing_on_stderr(cli: Run, scripted: Script) -> None:
    scripted()
    asked = cli("ask", QUESTION, "--json", "--thread", "t1")
    result = json.loads(asked.stdout)
    assert asked.stderr == ""
    assert (result["thread"], result["status"], result["stop_reason"]) == (
        "t1",
        "answered",
        "solved",
    )
    assert result["answer"]["citations"][0]["quote"] == TEXT
    assert result["answer"]["coverage"] == 1.0
    assert result["budget"]["spent"]["tool_calls"] == 1


def test_a_refusal_ends_with_three_and_says_what_was_turned_down(
    cli: Run, scripted: Script
) -> None:
    scripted(refusal="nói về người khác")
    asked = cli("ask", QUESTION)
    assert asked.code == 3
    assert "Tôi không tìm thấy câu trả lời" in asked.said
    assert "1 turned down: nói về người khác" in asked.said
    assert "rewrite s1 (expand)" in asked.said
    assert "gave up · " in asked.said
    report = json.loads(cli("ask", QUESTION, "--json").stdout)["answer"]["report"]
    assert report["turned_down"][0]["reason"] == "nói về người khác"


def test_a_search_that_is_down_ends_with_one_and_is_named(cli: Run, scripted: Script) -> None:
    scripted(tool=failing())
    asked = cli("ask", QUESTION)
    assert asked.code == 1
    assert "the search for s1 failed: máy chủ không trả lời" in asked.said
    assert "failed · tools failed" in asked.said


def test_document_text_cannot_steer_the_terminal_or_become_markup(
    cli: Run, scripted: Script
) -> None:
    scripted(
        tool=finding("\x1b[2J[bold]Lab Delta[/bold] \u202eđảo\x07 :smile:", title="\x1b]0;x\x07T")
    )
    asked = cli("ask", "Hỏi \x1b[31mvề Lab Delta?")
    shown = asked.stdout + asked.stderr
    assert not {"\x1b", "\x07", "\u202e"} & set(shown)
    assert "[bold]Lab Delta[/bold] đảo :smile:" in shown


def test_a_follow_up_stays_on_its_thread(cli: Run, scripted: Script) -> None:
    scripted()
    cli("ask", QUESTION, "--thread", "hỏi")
    cli("ask", "Còn năm nào?", "--thread", "hỏi")
    traced = json.loads(cli("trace", "hỏi", "--json").stdout)
    assert traced["question_number"] == 2
    assert [turn["question"] for turn in traced["conversation"]] == [QUESTION, "Còn năm nào?"]


@pytest.mark.parametrize("text", [QUESTION, f"  {QUESTION}\n"])
def test_a_dash_reads_the_question_from_standard_input(
    cli: Run, scripted: Script, text: str
) -> None:
    scripted()
    asked = cli("ask", "-", "--json", stdin=text.encode())
    assert json.loads(asked.stdout)["question"] == QUESTION


def test_a_slow_model_may_be_given_more_seconds_by_option_or_environment(
    cli: Run, scripted: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted()

    def limit(*more: str) -> float:
        said = json.loads(cli("ask", QUESTION, "--json", *more).stdout)
        return said["budget"]["limits"]["seconds"]

    assert limit() == 120
    monkeypatch.setenv("GROUNDHOP_SECONDS", "900")
    assert limit() == 900
    assert limit("--seconds", "1500") == 1500


def test_more_steps_allow_more_calls(cli: Run, scripted: Script) -> None:
    scripted()
    limits = json.loads(cli("ask", QUESTION, "--steps", "20", "--json").stdout)["budget"]["limits"]
    assert (limits["steps"], limits["tool_calls"], limits["model_calls"]) == (20, 40, 100)


def test_a_thread_is_resumed_only_by_who_began_it(cli: Run, scripted: Script) -> None:
    scripted()
    cli("ask", QUESTION, "--thread", "riêng", "--as", "an", "--group", "nhân-sự")
    refused = cli("resume", "riêng", "--as", "bình")
    assert refused.code == 2
    assert "another identity" in refused.stderr
    again = cli("resume", "riêng", "--as", "an", "--group", "nhân-sự")
    assert (again.code, TEXT in again.stdout) == (0, True)
