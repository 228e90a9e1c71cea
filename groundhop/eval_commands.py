"""`groundhop eval` and `golden`: what may be given to them."""

from pathlib import Path
from typing import Annotated

import typer

from groundhop.options import Seconds

golden = typer.Typer(
    no_args_is_help=True,
    help="Keep questions that went wrong as cases.",
    epilog="""\b
Examples:
  groundhop golden add hr-1 --answer "15 ngày" --document nghi-phep.md
  groundhop golden add hr-2 --unanswerable""",
)


def add_commands(app: typer.Typer) -> None:
    """Register the commands of this module."""
    app.command(
        name="eval",
        epilog="""\b
Examples:
  groundhop eval examples/labs-en --report report.html
  groundhop eval golden.jsonl --system single --system agent:other.toml
  groundhop eval xquad_vi xquad_vi+abstention --half odd
  groundhop eval --system run:before --system run:after

\b
A set is a JSONL or JSON file, a folder with questions.jsonl, or the name of
one below GROUNDHOP_DATASETS. One that brings passages or documents is asked
on a knowledge base of its own, any other on yours. Systems: closed (no
documents), single (one search), agent, a settings file, or run:NAME for
saved results.""",
    )(evaluate)
    app.add_typer(golden, name="golden")


def evaluate(
    context: typer.Context,
    datasets: Annotated[list[str] | None, typer.Argument(metavar="DATASET")] = None,
    systems: Annotated[
        list[str] | None,
        typer.Option("--system", help="May be repeated; default is single and agent."),
    ] = None,
    split: Annotated[str | None, typer.Option(help="Only this split, such as dev.")] = None,
    half: Annotated[
        str | None, typer.Option(help="odd or even: only ids with such a sha256.")
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="So many of each set, spread over its types.")
    ] = None,
    parallel: Annotated[
        int | None, typer.Option(min=1, max=32, help="Questions asked at once.")
    ] = None,
    run: Annotated[
        str | None, typer.Option(help="Name the run; the same name goes on with it.")
    ] = None,
    report: Annotated[Path | None, typer.Option(help="Write a page of HTML here.")] = None,
    gate: Annotated[
        Path | None, typer.Option(help="Thresholds (TOML); ends with 1 if one is not met.")
    ] = None,
    results: Annotated[
        Path | None, typer.Option(help="The SQLite file of all results, in the data folder.")
    ] = None,
    seconds: Seconds = 120,
    judge: Annotated[
        bool, typer.Option("--judge", help="Let the grading model compare the first two systems.")
    ] = False,
) -> None:
    """Measure systems on questions with known answers.

    A run that is interrupted goes on when the command is given again.
    """
    from groundhop import evaluate as evaluating
    from groundhop import failures

    if half not in (None, "odd", "even"):
        failures.fail(f"--half is odd or even, not {half!r}.", failures.USAGE)
    wanted = evaluating.Wanted(
        datasets or [],
        systems or [],
        split,
        half,
        limit,
        parallel,
        run,
        report,
        gate,
        results,
        seconds,
        judge,
    )
    with failures.explained(context.obj):
        evaluating.evaluate(context.obj, wanted)


@golden.command(
    name="add",
    epilog="""\b
Examples:
  groundhop golden add hr-1 --answer "15 ngày" --document nghi-phep.md
  groundhop golden add hr-2 --unanswerable
  groundhop eval golden.jsonl""",
)
def golden_add(
    context: typer.Context,
    thread: Annotated[str, typer.Argument(metavar="ID", help="The thread that went wrong.")],
    answers: Annotated[
        list[str] | None,
        typer.Option("--answer", metavar="TEXT", help="What is right; further forms repeat it."),
    ] = None,
    documents: Annotated[
        list[str] | None,
        typer.Option("--document", metavar="SOURCE", help="Where it stands; may be repeated."),
    ] = None,
    unanswerable: Annotated[
        bool, typer.Option("--unanswerable", help="The documents do not say.")
    ] = False,
    file: Annotated[Path, typer.Option("--to", help="The file of cases.")] = Path("golden.jsonl"),
) -> None:
    """Turn the question of a thread into a case for `eval`."""
    from groundhop import failures
    from groundhop import golden as keeping

    with failures.explained(context.obj):
        keeping.add(thread, context.obj, file, answers or [], documents or [], no=unanswerable)
