"""Question by question: where systems differ, side by side with their traces; what went wrong."""

from collections.abc import Sequence
from html import escape

from groundhop.evaluation.diagnosis import CAUSES
from groundhop.evaluation.schema import Json
from groundhop.evaluation.summary import Answer, distinct, of
from groundhop.progress import place

_MOST_SHOWN = 200
_WORDS = {
    "right": "right",
    "wrong": "wrong",
    "wrongly_refused": "wrongly refused",
    "rightly_refused": "rightly refused",
}


def differences(answers: Sequence[Answer]) -> str:
    """The questions on which the outcomes of the systems are not the same."""
    if len(distinct(answers, "system")) < 2:
        return ""
    by_question: dict[str, list[Answer]] = {}
    for one in answers:
        by_question.setdefault(one.question, []).append(one)
    unlike = [row for row in by_question.values() if len({one.outcome for one in row}) > 1]
    if not unlike:
        return "<h3>Side by side</h3><p>The systems came to the same outcome on every question.</p>"
    shown = [_side_by_side(row) for row in unlike[:_MOST_SHOWN]]
    return f"<h3>Side by side: {len(unlike)} questions with different outcomes</h3>{''.join(shown)}"


def wrong_answers(answers: Sequence[Answer]) -> str:
    """What went wrong, cause by cause, with the thread to open."""
    wrong = [one for one in answers if one.cause]
    if not wrong:
        return ""
    parts = []
    for system in distinct(wrong, "system"):
        mine = of(wrong, system=system)
        lines = []
        for cause, meaning in CAUSES.items():
            found = [one for one in mine if one.cause == cause]
            if found:
                items = "".join(_wrong(one) for one in found[:_MOST_SHOWN])
                lines.append(f"<p><b>{escape(meaning)}</b> ({len(found)})</p><ul>{items}</ul>")
        parts.append(
            f"<details><summary>{escape(system)}: {len(mine)} that may be shown</summary>"
            f"{''.join(lines)}</details>"
        )
    return f"<h3>Wrong answers, with the thread to open</h3>{''.join(parts)}"


def _wrong(one: Answer) -> str:
    expected = "; ".join(one.labels["answers"][:2]) or "(no answer)"
    return (
        f"<li>{escape(one.question)}: {escape(one.asked)}<br>expected {escape(expected)}, "
        f"got {escape(one.short or one.status.replace('_', ' '))}<br>"
        f"<code>groundhop --home {escape(one.home)} trace {escape(one.thread)}</code></li>"
    )


def _side_by_side(row: Sequence[Answer]) -> str:
    first = row[0]
    expected = "; ".join(first.labels["answers"][:3]) or "nothing: it is not in the documents"
    heads = ", ".join(
        f'{escape(one.system)} <span class="{_class(one)}">{_WORDS[one.outcome]}</span>'
        for one in row
    )
    columns = "".join(f"<div>{_column(one)}</div>" for one in row)
    return (
        f"<details><summary>{escape(first.question)} · {escape(first.asked)} · {heads}</summary>"
        f"<p>Expected: {escape(expected)}</p>"
        f'<div class="side">{columns}</div></details>'
    )


def _class(one: Answer) -> str:
    return "bad" if one.outcome in ("wrong", "wrongly_refused") else "good"


def _column(one: Answer) -> str:
    text = one.record["answer"].get("text", "")[:1500]
    because = f" · {escape(CAUSES[one.cause])}" if one.cause else ""
    ended = f"{one.stop_reason.replace('_', ' ')} · {one.record['seconds']:.2f} s"
    return (
        f'<p><b>{escape(one.system)}</b>: <span class="{_class(one)}">{_WORDS[one.outcome]}</span>'
        f"{because}</p><blockquote>{escape(text) or '(nothing)'}</blockquote>"
        f"<ol>{''.join(f'<li>{line}</li>' for line in trace_lines(one.record))}</ol>"
        f'<p class="soft">{escape(ended)} · <code>{escape(one.thread)}</code></p>'
    )


def trace_lines(record: Json) -> list[str]:
    """The audit trail of a run in short lines of HTML."""
    quotes = {item["id"]: item for item in record["evidence"]}
    lines = [_line(row, quotes) for row in record["trace"]]
    return [line for line in lines if line]


def _where(item: Json) -> str:
    """The source of a quote; of rows also what was asked, how many there were, and when."""
    return place(item) if item.get("kind") == "rows" else str(item["source"])


def _line(row: Json, quotes: dict[str, Json]) -> str:
    match row.get("action"):
        case "plan":
            parts = [f"{one['id']}: {one['question']}" for one in row["subgoals"]]
            return f"plan: {escape('; '.join(parts))}" if parts else ""
        case "searched":
            return f"search “{escape(row['query'])}”: {row['hits']} passages"
        case "not_allowed":
            return f"not allowed “{escape(row['query'])}”: {escape(row['reason'])}"
        case "tool_error":
            return f'<span class="bad">search failed: {escape(row["error"])}</span>'
        case "graded":
            taken = [quotes[one] for one in row["accepted"] if one in quotes]
            said = [f"“{escape(one['quote'][:240])}” ({escape(_where(one))})" for one in taken]
            counts = f"accepted {len(taken)}, turned down {len(row['rejected'])}"
            text = "<br>".join([counts, *said])
            return f"{text}<br><span class='soft'>{escape(row['reason'])}</span>"
        case "rewritten" | "refused":
            proposal = row.get("query") or ", ".join(row.get("subgoals", []))
            why = f" (refused: {escape(row['refusal'])})" if row.get("refusal") else ""
            return f"rewrite, {escape(row['strategy'])}: {escape(proposal)}{why}"
        case "answered" | "partial" | "gave_up" | "failed" | "direct" as how:
            return f"<b>{escape(how.replace('_', ' '))}</b>"
    return ""
