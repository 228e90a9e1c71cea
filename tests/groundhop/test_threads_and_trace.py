"""`groundhop threads` and `groundhop trace` read runs without a knowledge base."""

import json
from collections.abc import Callable
from pathlib import Path

from tests.groundhop.conftest import Run
from tests.groundhop.scripts import SOURCE, TEXT, failing, finding, refusing

QUESTION = "Ai sáng lập Lab Delta?"
Script = Callable[..., None]


def test_threads_are_listed_newest_first_with_status_and_question(
    cli: Run, scripted: Script
) -> None:
    scripted()
    cli("ask", QUESTION, "--thread", "cũ")
    scripted(refusal="nói về người khác")
    cli("ask", "Ai tài trợ?", "--thread", "mới")
    shown = cli("threads")
    assert shown.code == 0
    assert shown.said.index("gave up mới Ai tài trợ?") < shown.said.index(f"answered cũ {QUESTION}")
    rows = json.loads(cli("threads", "--json").stdout)
    assert [(row["thread"], row["status"]) for row in rows] == [
        ("mới", "gave_up"),
        ("cũ", "answered"),
    ]


def test_without_any_run_there_are_no_threads_and_no_file_is_made(cli: Run, home: Path) -> None:
    shown = cli("threads")
    assert (shown.code, "no threads yet" in shown.stdout) == (0, True)
    assert cli("threads", "--json").stdout.strip() == "[]"
    assert not home.exists()


def test_a_trace_tells_the_whole_way_to_an_answer(cli: Run, scripted: Script) -> None:
    scripted()
    cli("ask", QUESTION, "--thread", "t")
    traced = cli("trace", "t")
    assert traced.code == 0
    marks = [
        f"question: {QUESTION}",
        f"✓ s1: {QUESTION}",
        "search s1",
        "✓ e1",
        "answered · stopped by: solved",
        "policy scripted.plan",
        "tool search_documents",
        "policy scripted.write",
    ]
    places = [traced.stdout.find(mark) for mark in marks]
    assert -1 not in places
    assert places == sorted(places)
    assert f"[1] {SOURCE}:100-141" in traced.stdout
    assert max(map(len, traced.stdout.splitlines())) <= 80


def test_a_trace_of_a_refusal_has_rejections_with_reasons_and_rewrites(
    cli: Run, scripted: Script
) -> None:
    scripted(refusal="nói về người khác", tool=finding("\x1b[31m[b]khác[/b]", heading="[i]Mục"))
    cli("ask", QUESTION, "--thread", "t")
    shown = cli("trace", "t").stdout
    assert f"✗ [i]Mục ({SOURCE}): nói về người khác" in " ".join(shown.split()).replace("│ ", "")
    assert "rewrite s1 (expand)" in shown
    assert "gave up · stopped by" in shown
    assert "\x1b" not in shown


def test_a_trace_names_searches_that_failed(cli: Run, scripted: Script) -> None:
    scripted(tool=failing())
    cli("ask", QUESTION, "--thread", "t")
    shown = " ".join(cli("trace", "t").stdout.split())
    assert "failed: máy chủ không trả lời" in shown


def test_the_trace_as_json_holds_the_state_and_the_calls(cli: Run, scripted: Script) -> None:
    scripted()
    cli("ask", QUESTION, "--thread", "t")
    traced = json.loads(cli("trace", "t", "--json").stdout)
    assert traced["evidence"][0]["quote"] == TEXT
    assert traced["history"][0]["node"] == "decide"
    assert traced["seen_queries"][0]["query"] == QUESTION
    assert [row["name"] for row in traced["ledger"]] == [
        "scripted.plan",
        "search_documents",
        "scripted.grade",
        "scripted.write",
    ]
    spent = traced["budget"]["spent"]
    assert spent["tool_calls"] + spent["model_calls"] == len(traced["ledger"])


ROWS = {
    "kind": "rows", "source": "hr database", "heading": "leave_left", "title": "Days of leave",
    "statement": "SELECT 11", "parameters": {"year": 2026, "user_id": "E042"},
    "rows": [{"left": 11}], "retrieved_at": "2026-02-28T09:00:00+00:00", "start": 0,
    "answer": "11 ngày",
}  # fmt: skip


def test_rows_are_shown_with_what_was_asked_how_many_and_when(cli: Run, scripted: Script) -> None:
    scripted(tool=finding("Năm 2026 bạn còn 11 ngày.", **ROWS))
    read = "hr database: leave_left(year=2026, user_id=E042), 1 row, read 2026-02-28T09:00:00+00:00"
    asked = cli("ask", "Tôi còn mấy ngày phép?", "--as", "E042", "--thread", "t")
    assert asked.said.count(read) == 2, "once as progress and once as a citation"
    assert f"[1] {read}" in asked.said
    assert " ".join(cli("trace", "t").stdout.replace("│", " ").split()).count(read) == 2
    (citation,) = json.loads(cli("trace", "t", "--json").stdout)["answer"]["citations"]
    assert citation["rows"] == [{"left": 11}]


def test_a_call_that_is_not_allowed_is_shown_with_the_reason(cli: Run, scripted: Script) -> None:
    scripted(tool=refusing("it needs to know who asks"))
    asked = cli("ask", "Tôi còn mấy ngày phép?", "--thread", "t")
    assert asked.code == 3
    assert "s1 is not allowed: it needs to know who asks" in asked.said
    assert "Không trả lời vì cần biết ai đang hỏi: Tôi còn mấy ngày phép?" in asked.said
    known = cli("ask", "How many days have I left?", "--as", "E042")
    assert "because the asker's rights do not reach so far: How many days" in known.said
    traced = " ".join(cli("trace", "t").stdout.replace("│", " ").split())
    assert "is not allowed: it needs to know who asks" in traced
    row = json.loads(cli("trace", "t", "--json").stdout)["history"]
    assert any(one.get("action") == "not_allowed" for one in row)
