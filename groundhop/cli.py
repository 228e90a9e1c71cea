"""The command line. Everything heavy is imported inside the commands, so that help is quick."""

import gc
import sys
from pathlib import Path
from typing import Annotated

import typer

from groundhop.quiet import keep_quiet

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
User = Annotated[str | None, typer.Option("--as", metavar="USER", help="Who asks.")]
Groups = Annotated[
    list[str] | None,
    typer.Option("--group", metavar="GROUP", help="A group of the asker; may be repeated."),
]
Depth = Annotated[int, typer.Option(min=1, max=50, help="Passages that one search returns.")]


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
  groundhop ingest --rebuild       (new vectors, after a change of model)"""
)
def ingest(
    context: typer.Context,
    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="PATH", help="Files and folders: Markdown, text, HTML."),
    ] = None,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Read all again and make all vectors anew.")
    ] = False,
) -> None:
    """Take in new, changed and deleted files.

    Ends with 1 if some files could not be read (the others are taken in), with 2 if none could.
    """
    from groundhop import failures, ingest_files

    with failures.explained():
        ingest_files.ingest(paths or [], context.obj, rebuild)


@app.command(
    epilog="""\b
Examples:
  groundhop ask "Who founded the lab that developed Aurora?"
  groundhop ask "Và năm 2023?" --thread hr-1         (a follow-up)
  groundhop ask "Ngân sách đào tạo là bao nhiêu?" --as an --group hr
  groundhop ask --json - < question.txt"""
)
def ask(
    context: typer.Context,
    question: Annotated[
        str, typer.Argument(metavar="QUESTION", help="The question; - reads standard input.")
    ],
    thread: Annotated[
        str | None, typer.Option(metavar="ID", help="Go on with this conversation, or name it.")
    ] = None,
    user: User = None,
    groups: Groups = None,
    depth: Depth = 6,
    steps: Annotated[
        int,
        typer.Option(
            min=1, max=100, help="Rounds of retrieval, at most; limits of calls grow with it."
        ),
    ] = 6,
    as_json: Json = False,
) -> None:
    """Answer a question, or say what is missing.

    Every sentence of the answer names the passages that prove it. Progress goes to standard
    error, the answer to standard output.
    """
    from groundhop import ask as asking
    from groundhop import failures

    with failures.explained():
        limits = asking.make_context(user, groups or [], depth, steps)
        asking.ask(question, context.obj, thread, limits, as_json)


@app.command(
    epilog="""\b
Examples:
  groundhop resume 0b6cf1c2-4b5e-4a57-9a39-6a3f8d1c2e11
  groundhop resume hr-1 --as an --group hr"""
)
def resume(
    context: typer.Context,
    thread: Annotated[str, typer.Argument(metavar="ID", help="The thread, as `threads` shows it.")],
    user: User = None,
    groups: Groups = None,
    depth: Depth = 6,
    as_json: Json = False,
) -> None:
    """Go on with an interrupted question.

    Nothing that was finished runs again. Identity and depth are not stored: give the same ones
    as before.
    """
    from groundhop import ask as asking
    from groundhop import failures

    with failures.explained():
        limits = asking.make_context(user, groups or [], depth, 6)
        asking.resume(thread, context.obj, limits, as_json)


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

    with failures.explained():
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

    with failures.explained():
        tracing.trace(thread, context.obj, as_json)


@app.command(
    epilog="""\b
Examples:
  groundhop doctor
  groundhop doctor --json"""
)
def doctor(context: typer.Context, as_json: Json = False) -> None:
    """Check installation, data folder, indexes.

    Nothing is changed. Ends with 1 if there is a problem.
    """
    from groundhop import doctor as examination
    from groundhop import failures

    with failures.explained():
        examination.doctor(context.obj, as_json)


def main() -> None:
    """The entry point: silence others' telemetry first, then run the command."""
    keep_quiet()
    # Imports make half a million objects that stay: fewer collections save 0.2 s of 1.5 s.
    gc.set_threshold(100_000, 50, 50)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    app(prog_name="groundhop")


if __name__ == "__main__":
    main()
