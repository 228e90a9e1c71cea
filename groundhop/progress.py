"""The events of a run, as lines on the terminal while it happens."""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rich.console import Console

from groundhop.printing import count, one_line, show
from state.queries import shown_arguments

if TYPE_CHECKING:
    from graph.agent import Result

Json = dict[str, Any]
_REASONS = 3


def follow(events: Iterator[Json], console: Console | None) -> "Result":
    """Show each event as it comes (on no console: nothing) and give the result at the end."""
    last: Json = {}
    for event in events:
        last = event
        if console:
            _show(event, console)
    result: Result = last["result"]
    return result


def _show(event: Json, console: Console) -> None:
    match event["event"]:
        case "planned":
            _planned(event, console)
        case "searching":
            show(console, asked(event), lead="  → ")
        case "found":
            _found(event, console)
        case "tool_failed":
            text = f"the search for {event['subgoal_id']} failed: {one_line(event['error'], 300)}"
            show(console, text, lead="  ! ", style="red")
        case "not_allowed":
            text = f"{event['subgoal_id']} is not allowed: {one_line(event['reason'], 300)}"
            show(console, text, lead="  ✗ ", style="yellow")
        case "graded":
            _graded(event, console)
        case "judged_sources":
            _judged(event, console)
        case "web_step":
            text = f"nothing inside answers {event['subgoal_id']}: the web is asked"
            show(console, text, lead="  ↻ ")
        case "rewritten":
            _rewritten(event, console)
        case "note":
            show(console, one_line(event["text"], 1000), style="dim")
        case "stale":
            _stale(event, console)


def _planned(event: Json, console: Console) -> None:
    if event["queries"]:
        show(console, f"Hop {event['hop']}", style="bold")
    for subgoal in event["subgoals"]:
        show(console, one_line(subgoal["question"]), lead=f"  {one_line(subgoal['id'], 20)}: ")
    for note in event["notes"]:
        show(console, one_line(note), lead="  ! ", style="dim")


def _found(event: Json, console: Console) -> None:
    noun = "result" if event.get("arguments") else "passage"
    text = f"{count(event['hits'], noun)} for {event['subgoal_id']}"
    show(console, text, lead="    ", style="dim")
    for sentence in event["degraded"]:
        show(console, one_line(sentence, 300), lead="  ! ", style="yellow")


def _graded(event: Json, console: Console) -> None:
    for item in event["evidence"]:
        show(console, f"“{one_line(item['quote'], 500)}”", lead="  ✓ ", style="green")
        show(console, place(item), lead="    ", style="dim")
    if event["rejected"]:
        reasons = turned_down([row["reason"] for row in event["rejected"]])
        text = f"{len(event['rejected'])} turned down: {reasons}"
        show(console, text, lead="  ✗ ", style="dim")
    subgoal = event["subgoal_id"]
    if event["answer"]:
        show(console, f"{subgoal} is answered: {one_line(event['answer'])}", lead="  = ")
    else:
        show(console, f"{subgoal} is open: {one_line(event['reason'])}", lead="  = ")


def _stale(event: Json, console: Console) -> None:
    for item in event["evidence"]:
        text = f"{item['id']} no longer stands: {item['reason']}"
        show(console, text, lead="  ! ", style="yellow")
    show(console, f"asked again: {', '.join(event['subgoals'])}", lead="  = ")


def _judged(event: Json, console: Console) -> None:
    """What was set aside, and why more is searched although something was found."""
    for item in event["judged"]:
        if item["use"] != "USE":
            text = f"{item['id']} {use_of(item)}"
            show(console, text, lead="  ~ ", style="dim")


def use_of(item: Json) -> str:
    """What a source counts for, in words: "is discarded: superseded: …"."""
    words = {"DISCARD": "is discarded", "SUPPLEMENT": "only supplements", "USE": "is used"}
    return f"{words[item['use']]}: {one_line(item['reason'])}"


def _rewritten(event: Json, console: Console) -> None:
    subgoal = event["subgoal_id"]
    if event["action"] == "refused":
        text = f"a rewrite of {subgoal} was refused: {one_line(event['refusal'])}"
        show(console, text, lead="  ! ", style="dim")
        return
    what = f"“{one_line(event['query'])}”" if event["query"] else "new subgoals"
    show(console, f"rewrite {subgoal} ({event['strategy']}): {what}", lead="  ↻ ")


def turned_down(reasons: list[str]) -> str:
    """The most frequent reasons, each with its count where it has more than one."""
    counted = Counter(one_line(reason, 100) for reason in reasons).most_common()
    parts = [reason if times == 1 else f"{reason} ({times})" for reason, times in counted]
    more = len(parts) - _REASONS
    return "; ".join([*parts[:_REASONS], *([count(more, "more reason")] if more > 0 else [])])


def asked(row: Json) -> str:
    """The call of a tool: the search in words, or the tool with its arguments."""
    if not row.get("arguments"):
        return f"search {row['subgoal_id']}: “{one_line(row['query'])}”"
    given = {name: value for name, value in row["arguments"].items() if name != "language"}
    return f"ask {row['subgoal_id']}: {row['tool']}({one_line(shown_arguments(given))})"


def place(item: Json) -> str:
    """Where a quote stands: source, characters, then heading or title, page and version.

    Of rows of a database: what was asked with which parameters, how many rows, and when.
    """
    if item.get("kind") == "rows":
        return _read(item)
    where = f"{one_line(item['source'])}:{item['start']}-{item['end']}"
    page = f"page {item['page']}" if item["page"] else ""
    version = f"version {one_line(item['version'], 40)}" if item["version"] else ""
    about = [one_line(item["heading"] or item["title"], 120), page, version]
    named = ", ".join(part for part in about if part)
    return f"{where} ({named})" if named else where


def _read(item: Json) -> str:
    """ "hr database: leave_left(year=2026, user_id=E042), 1 row, read 2026-03-01T09:00:00"."""
    name = one_line(item["heading"] or item.get("statement") or item["title"], 300)
    parameters = shown_arguments(item.get("parameters") or {})
    parts = [
        f"{one_line(item['source'])}: {name}({one_line(parameters, 300)})",
        count(len(item.get("rows") or []), "row"),
        f"read {one_line(item.get('retrieved_at') or '', 40)}",
    ]
    return ", ".join(parts)
