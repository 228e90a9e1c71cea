"""`groundhop threads`."""

import sys
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from groundhop.printing import one_line, out, printable, show, to_json
from groundhop.stored import stored_runs

if TYPE_CHECKING:
    from graph.threads import ThreadInfo

_WHEN, _STATUS = 16, 11


def threads(home: Path | None, as_json: bool) -> None:
    """List the threads of the data folder, the newest first."""
    found = _stored(home)
    if as_json:
        sys.stdout.write(to_json([asdict(one) for one in found]) + "\n")
    elif found:
        _show(found, out())
    else:
        show(out(), 'There are no threads yet: groundhop ask "…" begins one.')


def _stored(home: Path | None) -> "list[ThreadInfo]":
    with stored_runs(home) as found:
        if found is None:
            return []
        from graph.threads import list_threads

        return list_threads(*found)


def _show(found: "list[ThreadInfo]", console: Console) -> None:
    """Two lines a thread, because an id fills half of a terminal."""
    show(console, f"{'when':<{_WHEN}}  {'status':<{_STATUS}}  id, question", style="bold")
    lead = " " * (_WHEN + _STATUS + 4)
    for one in found:
        status = "gave up" if one.status == "gave_up" else one.status
        first = f"{_local(one.updated):<{_WHEN}}  {status:<{_STATUS}}  {printable(one.thread)}"
        show(console, first)
        show(console, one_line(one.question), lead=lead, style="dim")


def _local(moment: str) -> str:
    """An ISO 8601 time as the clock on the wall shows it, to the minute."""
    return datetime.fromisoformat(moment).astimezone().strftime("%Y-%m-%d %H:%M") if moment else ""
