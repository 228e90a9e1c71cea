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
    from graph.settings import Settings
    from ingest.report import OnProgress, Plan, Progress, Report
    from ingest.rules import Rules
    from retrieval.embeddings.protocol import Embedder


def ingest(
    paths: list[Path],
    home: Path | None,
    rebuild: bool,
    dry_run: bool = False,
    watch: float | None = None,
    collection: str | None = None,
) -> None:
    """Bring the knowledge base up to date with the files below `paths`, and report.

    The documents go into `collection`; without one, known ones stay where they are. `dry_run`
    only says what would be done; `watch` goes on until it is stopped, and looks for changes every
    so many seconds.
    """
    from graph.embeddings import open_embeddings
    from graph.settings import load_settings, settings_file
    from groundhop.ingest_rules import load_rules

    if not paths and not rebuild:
        failures.fail("Name at least one file or folder to ingest.", failures.USAGE)
    collection = _collection(collection)
    settings = load_settings(home)
    rules = load_rules(settings_file(home))
    embedder = open_embeddings(settings)
    try:
        if dry_run:
            raise typer.Exit(_plan(settings, paths, embedder, rules, collection))
        report = _sync(settings, paths, embedder, rules, collection, rebuild)
        if watch is not None:
            _watch(settings, paths, embedder, watch, collection, settings_file(home))
    except KeyboardInterrupt:
        sentence = "Interrupted. What was finished is kept; run the same command again to go on."
        failures.fail(sentence, failures.RESUMABLE)
    finally:
        embedder.close()
    raise typer.Exit(_exit_code(report))


def _sync(
    settings: "Settings",
    paths: list[Path],
    embedder: "Embedder",
    rules: "Rules",
    collection: str | None,
    rebuild: bool = False,
) -> "Report":
    from ingest.sync import sync

    with _bar(err()) as progress:
        report = sync(
            settings.home,
            paths,
            embedder,
            rules=rules,
            rebuild=rebuild,
            progress=progress,
            catalogue_url=settings.server_url(),
            collection=collection,
        )
    _show(report, out())
    return report


def _collection(name: str | None) -> str | None:
    """The name as it is kept: NFC, on one line; ends the command if nothing is left of it."""
    from state.text import clean

    if name is None:
        return None
    kept = " ".join(clean(name).split())
    if not kept:
        sentence = f"The collection has no name: {name!r}. Give one, such as --collection hr."
        failures.fail(sentence, failures.USAGE)
    return kept


def _watch(
    settings: "Settings",
    paths: list[Path],
    embedder: "Embedder",
    seconds: float,
    collection: str | None,
    rules_file: Path,
) -> None:
    """Take in what changes until Ctrl-C; a sync that fails is told, and tried again."""
    from groundhop.ingest_rules import load_rules
    from ingest.watching import changes
    from retrieval.errors import GroundhopError

    show(err(), f"Watching for changes, every {seconds:g} s. Ctrl-C stops.", style="dim")
    try:
        for _ in changes(paths, seconds, [rules_file.absolute()]):
            try:
                _sync(settings, paths, embedder, load_rules(rules_file), collection)
            except GroundhopError as error:
                show(err(), one_line(str(error), 1000), lead="  ✗ ", style="red")
    except KeyboardInterrupt:
        show(err(), "Stopped.", style="dim")
        raise typer.Exit(failures.ANSWERED) from None


def _plan(
    settings: "Settings",
    paths: list[Path],
    embedder: "Embedder",
    rules: "Rules",
    collection: str | None,
) -> int:
    """Show what would be done; the exit code that the real run would end with."""
    from ingest.planning import plan

    planned = plan(
        settings.home,
        paths,
        embedder,
        rules=rules,
        catalogue_url=settings.server_url(),
        collection=collection,
    )
    _show_plan(planned, out())
    if not planned.failed:
        return failures.ANSWERED
    going_in = planned.added or planned.changed or planned.moved or planned.removed
    return failures.FAILED if going_in or planned.unchanged else failures.USAGE


def _show_plan(planned: "Plan", console: Console) -> None:
    for mark, sources in (("+", planned.added), ("~", planned.changed), ("-", planned.removed)):
        for source in sources:
            show(console, one_line(source), lead=f"  {mark} ")
    for source, was in planned.moved:
        show(console, f"{one_line(source)} (was {one_line(was)})", lead="  → ")
    _show_lines(planned, console)
    names = ("added", "changed", "moved", "removed")
    counts = [f"{len(getattr(planned, name))} {name}" for name in names]
    counts[3:3] = [f"{planned.unchanged} unchanged"]
    show(console, ", ".join([*counts, f"{len(planned.failed)} failed"]))
    show(console, f"{count(planned.chunks, 'chunk')} to embed. Nothing was changed: a dry run.")


def _exit_code(report: "Report") -> int:
    if not report.failed:
        return failures.ANSWERED
    taken_in = report.added + report.changed + report.moved + report.unchanged + report.removed
    return failures.FAILED if taken_in else failures.USAGE


def _show_lines(report: "Report | Plan", console: Console) -> None:
    for source, note in report.notes:
        show(console, f"{one_line(source)}: {one_line(note, 500)}", lead="  ! ", style="yellow")
    for source, reason in report.failed:
        show(console, f"{one_line(source)}: {one_line(reason, 500)}", lead="  ✗ ", style="red")


def _show(report: "Report", console: Console) -> None:
    _show_lines(report, console)
    if report.failed:
        rest = report.added + report.changed + report.moved + report.unchanged
        went = "the others were taken in" if rest else "nothing was taken in"
        show(console, f"{count(len(report.failed), 'path')} could not be read; {went}.")
    for suffix, number in sorted(report.other_kinds.items()):
        text = f"left out: {count(number, 'file')} with {one_line(suffix)}"
        show(console, text, lead="  ", style="dim")
    if report.ignored:
        text = f"left out: {count(report.ignored, 'path')} named by .groundhopignore"
        show(console, text, lead="  ", style="dim")
    names = ("added", "changed", "unchanged", "removed")
    counts = [f"{getattr(report, name)} {name}" for name in names]
    if report.moved:
        counts.insert(2, f"{report.moved} moved")
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
