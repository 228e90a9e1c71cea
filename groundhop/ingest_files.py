"""`groundhop ingest`."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.console import Console

from groundhop import failures
from groundhop.printing import count, err, one_line, out, show

if TYPE_CHECKING:
    from ingest.report import OnProgress, Progress, Report


def ingest(paths: list[Path], home: Path | None, rebuild: bool) -> None:
    """Bring the knowledge base up to date with the files below `paths`, and report."""
    from graph.embeddings import open_embeddings
    from graph.settings import load_settings

    if not paths and not rebuild:
        failures.fail("Name at least one file or folder to ingest.", failures.USAGE)
    settings = load_settings(home)
    embedder = open_embeddings(settings)
    try:
        from ingest.sync import sync

        with _bar(err()) as progress:
            report = sync(settings.home, paths, embedder, rebuild=rebuild, progress=progress)
    except KeyboardInterrupt:
        sentence = "Interrupted. What was finished is kept; run the same command again to go on."
        failures.fail(sentence, failures.RESUMABLE)
    finally:
        embedder.close()
    _show(report, out())
    raise typer.Exit(_exit_code(report))


def _exit_code(report: "Report") -> int:
    if not report.failed:
        return failures.ANSWERED
    taken_in = report.added + report.changed + report.unchanged + report.removed
    return failures.FAILED if taken_in else failures.USAGE


def _show(report: "Report", console: Console) -> None:
    for source, reason in report.failed:
        show(console, f"{one_line(source)}: {one_line(reason, 500)}", lead="  ✗ ", style="red")
    if report.failed:
        rest = report.added + report.changed + report.unchanged
        went = "the others were taken in" if rest else "nothing was taken in"
        show(console, f"{count(len(report.failed), 'path')} could not be read; {went}.")
    for suffix, number in sorted(report.other_kinds.items()):
        text = f"left out: {count(number, 'file')} with {one_line(suffix)}"
        show(console, text, lead="  ", style="dim")
    names = ("added", "changed", "unchanged", "removed")
    counts = [f"{getattr(report, name)} {name}" for name in names]
    show(console, ", ".join([*counts, f"{len(report.failed)} failed"]))
    size = f"{count(report.documents, 'document')}, {count(report.chunks, 'chunk')}"
    show(console, f"{size} in the knowledge base, {report.seconds:.1f} s")


@contextmanager
def _bar(console: Console) -> "Iterator[OnProgress | None]":
    """A bar of files done with chunks per second and the time left; none in a pipe."""
    if not console.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        MofNCompleteColumn(),
        TextColumn("files"),
        BarColumn(bar_width=20),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        TextColumn("{task.description}", markup=False),
    )
    with Bar(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=None, rate="")

        def moved(step: "Progress") -> None:
            elapsed = bar.tasks[0].elapsed or 0.0
            rate = f"{step.chunks / elapsed:.0f} chunks/s" if elapsed and step.chunks else ""
            doing = "indexing words" if step.event == "indexing" else one_line(step.source, 24)
            bar.update(
                task,
                total=step.files or None,
                completed=step.files_done,
                rate=rate,
                description=doing,
            )

        yield moved
