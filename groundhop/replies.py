"""What a paused run asks, on the terminal, and the replies that `groundhop resume` can give."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from groundhop import failures
from groundhop.printing import command, one_line, show, to_json

if TYPE_CHECKING:
    from graph.result import Result

Json = dict[str, Any]
_OPTIONS = {
    "approval": (("--approve",), ("--query", "another query"), ("--refuse", "why")),
    "choice": (("--choose", "1"),),
    "budget": (("--add-steps", "4"), ("--choose", "stop")),
}


def make_reply(
    approve: bool,
    refuse: str | None,
    query: str | None,
    arguments: str | None,
    choose: str | None,
) -> Json | str | None:
    """The reply that these options give, or None; two different ones at once are refused."""
    given: list[Json | str] = []
    if approve:
        given.append("approve")
    if refuse is not None:
        given.append({"refuse": refuse})
    if query is not None:
        given.append({"query": query})
    if arguments is not None:
        given.append({"arguments": _object(arguments)})
    if choose is not None:
        given.append(choose)
    if len(given) > 1:
        failures.fail(
            "Give one reply: --approve, --refuse, --query, --arguments or --choose.", failures.USAGE
        )
    return given[0] if given else None


def _object(text: str) -> Json:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        failures.fail(
            f"--arguments takes a JSON object such as '{{\"number\": 7}}', not {text[:80]!r}.",
            failures.USAGE,
        )
    return found


def show_pauses(result: "Result", resume: list[str], home: Path | None, console: Console) -> None:
    """What the run waits for, and the commands that answer it."""
    for pause in result.pauses:
        show(console, one_line(str(pause.get("question", "")), 1000), style="bold")
        if "problem" in pause:
            show(console, one_line(pause["problem"]), style="red")
        if pause.get("arguments", {}).keys() - {"query"}:
            show(console, to_json(pause["arguments"]), lead="  ")
        for number, option in enumerate(pause.get("options", []), 1):
            show(console, one_line(option, 500), lead=f"  {number}: ")
        for words in _options(pause):
            show(console, command(home, *resume, *words), lead="  ", style="dim")


def _options(pause: Json) -> list[tuple[str, ...]]:
    """The words of the commands that answer a pause."""
    found: list[tuple[str, ...]] = list(_OPTIONS.get(pause.get("kind", ""), ()))
    arguments = pause.get("arguments", {})
    if arguments.keys() - {"query"}:
        found[1] = ("--arguments", json.dumps(arguments, ensure_ascii=False))
    return found
