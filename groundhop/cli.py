"""The command line. Everything heavy is imported inside the commands, so that help is quick."""

import gc
import logging
import sys
from pathlib import Path
from typing import Annotated

import typer

from groundhop import ask_commands, eval_commands, keeping, sources, tools
from groundhop.options import Json
from groundhop.quiet import keep_quiet

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"groundhop {version('groundhop')}")
        raise typer.Exit


@app.callback(
    epilog="""\b
Examples:
  groundhop ingest handbook/
  groundhop ask "Who founded the lab that developed Aurora?"
  groundhop --home /srv/kb ask "Nhân viên thử việc được nghỉ mấy ngày?"

\b
Exit codes: 0 answered, 3 gave up or answered in part, 4 interrupted or paused
(go on with `groundhop resume ID`), 2 usage, 1 failure."""
)
def groundhop(
    context: typer.Context,
    home: Annotated[
        Path | None,
        typer.Option(
            help="The data folder; default is GROUNDHOP_HOME, else groundhop.toml, else .groundhop."
        ),
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Answer questions over your documents, hop by hop, with evidence."""
    context.obj = home


@app.command(
    epilog="""\b
Examples:
  groundhop ingest handbook/ notes.md
  groundhop ingest 'handbook/**/*.pdf' --dry-run
  groundhop ingest handbook/ --watch
  groundhop ingest hr/ --collection nhan-su
  groundhop ingest --rebuild       (new vectors, after a change of model)"""
)
def ingest(
    context: typer.Context,
    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="PATH", help="Files, folders and patterns."),
    ] = None,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Read all again and make all vectors anew.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would be done.")
    ] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Go on, and take in what changes, until Ctrl-C.")
    ] = False,
    every: Annotated[
        float, typer.Option(min=0.1, max=3600, metavar="SECONDS", help="How often to look then.")
    ] = 2.0,
    collection: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Put them into this part of the knowledge base."),
    ] = None,
) -> None:
    """Take in new, changed, renamed and deleted files.

    Reads Markdown, text, HTML, PDF, DOCX, PPTX, XLSX, CSV, JSON, JSON Lines and EML.

    Ends with 1 if some files could not be read (the others are taken in), with 2 if none could.
    """
    from groundhop import failures, ingest_files

    with failures.explained(context.obj):
        watching = every if watch else None
        ingest_files.ingest(paths or [], context.obj, rebuild, dry_run, watching, collection)


ask_commands.add_commands(app)


@app.command(
    epilog="""\b
Examples:
  groundhop threads
  groundhop threads --json"""
)
def threads(context: typer.Context, as_json: Json = False) -> None:
    """List the questions asked so far."""
    from groundhop import failures
    from groundhop import threads as listing

    with failures.explained(context.obj):
        listing.threads(context.obj, as_json)


@app.command(
    epilog="""\b
Examples:
  groundhop trace hr-1
  groundhop trace hr-1 --json"""
)
def trace(
    context: typer.Context,
    thread: Annotated[str, typer.Argument(metavar="ID", help="The thread, as `threads` shows it.")],
    as_json: Json = False,
) -> None:
    """Show how an answer came about.

    Subgoals, searches, passages accepted and turned down with the reasons, rewrites, calls.
    """
    from groundhop import failures
    from groundhop import trace as tracing

    with failures.explained(context.obj):
        tracing.trace(thread, context.obj, as_json)


@app.command(
    epilog="""\b
Examples:
  groundhop doctor
  groundhop doctor --repair
  groundhop doctor --json"""
)
def doctor(
    context: typer.Context,
    repair: Annotated[
        bool,
        typer.Option("--repair", help="First restore the indexes from the catalogue."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Check installation, data folder, indexes.

    Without --repair nothing is changed. Ends with 1 if there is a problem.
    """
    from groundhop import doctor as examination
    from groundhop import failures

    with failures.explained(context.obj):
        examination.doctor(context.obj, as_json, repair)


eval_commands.add_commands(app)
keeping.add_commands(app)
sources.add_commands(app)
app.add_typer(tools.app, name="tools")


def main() -> None:
    """The entry point: silence others' telemetry first, then run the command."""
    keep_quiet()
    # Imports make half a million objects that stay: fewer collections save 0.2 s of 1.5 s.
    gc.set_threshold(100_000, 50, 50)
    # What is wrong with a database server is told in a sentence of ours.
    logging.getLogger("psycopg.pool").addHandler(logging.NullHandler())
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        try:
            app(prog_name="groundhop")
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        from groundhop import failures

        sys.exit(failures.reader_gone())


if __name__ == "__main__":
    main()
