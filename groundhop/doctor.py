"""`groundhop doctor`."""

import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.console import Console

from groundhop import failures
from groundhop.checks import CHECKS, Check
from groundhop.printing import count, in_home, one_line, out, say, show, to_json

if TYPE_CHECKING:
    from graph.settings import Settings

_MARKS = {"ok": ("✓", "green"), "note": ("–", "dim"), "problem": ("✗", "red")}


def doctor(home: Path | None, as_json: bool, repair: bool = False) -> None:
    """Run every check; end with 1 if one of them found a problem.

    `repair` makes the indexes agree with the catalogue first.
    """
    from graph.settings import load_settings

    settings = load_settings(home)
    if repair:
        _repair(settings, as_json)
    found = []
    for check in CHECKS:
        found.append(_safely(check, settings))
        if not as_json:
            _show(found[-1], out(), home)
    broken = any(one.level == "problem" for one in found)
    if as_json:
        rows = [{**asdict(one), "next": in_home(home, one.next)} for one in found]
        sys.stdout.write(to_json({"ok": not broken, "checks": rows}) + "\n")
    raise typer.Exit(failures.FAILED if broken else failures.ANSWERED)


def _repair(settings: "Settings", as_json: bool) -> None:
    from graph.embeddings import open_embeddings
    from ingest.removal import restore

    embedder = open_embeddings(settings)
    try:
        report = restore(settings.home, embedder, catalogue_url=settings.server_url())
    finally:
        embedder.close()
    if not as_json:
        for source, reason in report.failed:
            show(out(), f"{one_line(source)}: {one_line(reason, 500)}", lead="✗ ", style="red")
        size = f"{count(report.documents, 'document')}, {count(report.chunks, 'chunk')}"
        show(out(), f"indexes restored from the catalogue ({size}), {report.seconds:.1f} s")


def _safely(check: "Callable[[Settings], Check]", settings: "Settings") -> Check:
    """A check that fails itself is a problem to report, and the others go on."""
    try:
        return check(settings)
    except Exception as error:
        what = one_line(f"{type(error).__name__}: {error}", 300)
        return Check(check.__name__, "problem", what, "GROUNDHOP_DEBUG=1 groundhop ask …")


def _show(check: Check, console: Console, home: Path | None) -> None:
    mark, style = _MARKS[check.level]
    detail = in_home(home, one_line(check.detail, 1000))
    show(console, f"{check.name}: {detail}", lead=f"{mark} ", style=style)
    if check.next:
        say(console, f"  next: {in_home(home, check.next)}")
