"""The audit trail of a run, as the report shows it."""

from groundhop.evaluation.differences import trace_lines


def test_refused_calls_and_what_rows_were_read_stand_in_the_report() -> None:
    rows = {
        "id": "e1", "kind": "rows", "source": "hr database", "heading": "leave_left", "title": "",
        "quote": "Bạn còn 11 ngày.", "parameters": {"user_id": "E042"}, "rows": [{}],
        "retrieved_at": "2026-02-28T09:00:00+00:00",
    }  # fmt: skip
    refused = {"action": "not_allowed", "query": "query=leave_left", "reason": "cần biết ai hỏi"}
    graded = {"action": "graded", "accepted": ["e1"], "rejected": [], "reason": "rows were read"}
    lines = trace_lines({"evidence": [rows], "trace": [refused, graded]})
    assert lines[0] == "not allowed “query=leave_left”: cần biết ai hỏi"
    assert "hr database: leave_left(user_id=E042), 1 row, read 2026-02-28T09:00:00" in lines[1]
