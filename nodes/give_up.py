"""`give_up`: say that the answer was not found, what was tried, and why the search ended."""

from typing import Any

from langgraph.runtime import Runtime

from nodes.answers import claimed
from nodes.extend import offer_more
from nodes.recheck import recheck
from nodes.services import Services
from nodes.wording import denied_parts, missing_parts, only_denied, say, say_missing
from state.coverage import coverage, fill_in
from state.sources import usable
from state.stop import final_status, stop
from state.types import Answer, Json, RunState

MAX_LISTED = 5


def give_up(services: Services, state: RunState, runtime: Runtime[Any]) -> Json:
    """A refusal is a result: its report names searches, passages turned down, and the rule."""
    question = state.get("original_question", "")
    if state.get("stop_reason"):
        return _turned_away(state, runtime)
    if more := offer_more(state, runtime):
        return more
    fired = stop(state) or {"rule": "no_progress", "detail": "nothing is left to try"}
    status = final_status(state, fired["rule"])
    readable, _ = recheck(services, state, runtime, "give_up")
    report = _report(readable, {**fired})
    answer: Answer = {
        "text": _text(state, status, report),
        "short": "",
        "citations": [],
        "missing": missing_parts(state),
        "denied": denied_parts(state),
        "coverage": coverage(state["subgoals"]),
        "dropped": [],
        "report": report,
    }
    row = {"node": "give_up", "action": status, **fired}
    runtime.stream_writer({"event": "finished", "status": status, "answer": answer})
    return {
        "answer": answer,
        "status": status,
        "stop_reason": fired["rule"],
        "queue": [],
        "history": [row],
        "conversation": [{"question": state.get("resolved_question") or question, "answer": ""}],
    }


def _turned_away(state: RunState, runtime: Runtime[Any]) -> Json:
    """An input that is no question: nothing was searched, so there is nothing to report."""
    answer: Answer = {"text": state["stop_reason"], "citations": [], "missing": [], "coverage": 0.0}
    runtime.stream_writer({"event": "finished", "status": "failed", "answer": answer})
    row = {"node": "give_up", "action": "failed", "reason": state["stop_reason"]}
    return {"answer": answer, "status": "failed", "queue": [], "history": [row]}


def _report(state: RunState, fired: Json) -> Json:
    graded = [row for row in state["history"] if row.get("action") == "graded"]
    return {
        "stop": fired,
        "searched": [
            {"query": row["query"], "tool": row["tool"], "hits": row["hits"]}
            for row in state.get("seen_queries", [])
        ],
        "turned_down": [
            {"source": one["source"], "title": one["title"], "reason": one["reason"]}
            for row in graded
            for one in row["rejected"]
        ],
        "found": [
            {"quote": item["quote"], "source": item["source"]}
            for item in usable(state.get("evidence", []))
        ],
        "too_few": [
            {
                "question": fill_in(item["question"], state["subgoals"]),
                "answer": item["claim"],
                "said": [{"quote": one["quote"], "source": one["source"]} for one in saying],
            }
            for item, saying in claimed(state)
        ],
        "errors": [row["error"] for row in state["history"] if row.get("action") == "tool_error"],
        "degraded": sorted({one for row in state["history"] for one in row.get("degraded", [])}),
    }


def _text(state: RunState, status: str, report: Json) -> str:
    question = state.get("original_question", "")
    if only_denied(state):
        return "\n".join(say_missing(state))
    fired = report["stop"]
    lines = [
        say(question, "failed" if status == "failed" else "gave_up"),
        *(say_missing(state) if denied_parts(state) else []),
        say(question, "stopped", why=say(question, fired["rule"], detail=fired["detail"])),
    ]
    for row in report["too_few"]:
        said = "; ".join(f"“{one['quote']}” ({one['source']})" for one in row["said"][:MAX_LISTED])
        lines.append(say(question, "too_few", part=row["question"], quote=said))
    queries = [f"“{row['query']}”" for row in report["searched"]]
    if queries:
        lines.append(say(question, "searched", queries="; ".join(queries)))
    titles = list(dict.fromkeys(row["title"] for row in report["turned_down"]))[:MAX_LISTED]
    if titles:
        lines.append(say(question, "closest", titles="; ".join(titles)))
    errors = list(dict.fromkeys([*report["errors"], *report["degraded"]]))[:MAX_LISTED]
    if errors:
        lines.append(say(question, "broken", errors="; ".join(errors)))
    return "\n".join(lines)
