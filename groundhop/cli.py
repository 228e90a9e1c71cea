"""The command line. Everything heavy is imported inside the commands, so that help is quick."""

import gc
import logging
import sys
from pathlib import Path
from typing import Annotated

import typer

from groundhop import keeping, narrowing, sources, tools
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
Pause = Annotated[
    bool,
    typer.Option(
        "--pause", help="Stop to ask where the question is ambiguous or the budget used up."
    ),
]
Web = Annotated[bool, typer.Option("--web", help="May search the web too, where that is set up.")]
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


@app.command(
    epilog="""\b
Examples:
  groundhop ask "Who founded the lab that developed Aurora?"
  groundhop ask "Và năm 2023?" --thread hr-1         (a follow-up)
  groundhop ask "Ngân sách đào tạo là bao nhiêu?" --as an --group hr
  groundhop ask "Nghỉ phép mấy ngày?" --collection nhan-su --as-of 2025-06-30
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
    collections: narrowing.Collections = None,
    departments: narrowing.Departments = None,
    versions: narrowing.Versions = None,
    languages: narrowing.Languages = None,
    sources: narrowing.Sources = None,
    as_of: narrowing.AsOf = "",
    seconds: Annotated[
        float,
        typer.Option(
            min=1, envvar="GROUNDHOP_SECONDS", help="Seconds inside tool and policy calls, at most."
        ),
    ] = 120,
    pause: Pause = False,
    web: Web = False,
    independent: Annotated[
        int, typer.Option(min=1, max=3, help="Independent sources that each part needs.")
    ] = 1,
    as_json: Json = False,
) -> None:
    """Answer a question, or say what is missing.

    Every sentence of the answer names the passages that prove it. Progress goes to standard
    error, the answer to standard output.
    """
    from groundhop import ask as asking
    from groundhop import failures

    with failures.explained(context.obj):
        filters = narrowing.filters(collections, departments, versions, languages, sources, as_of)
        limits = asking.make_context(
            user,
            groups or [],
            depth,
            steps,
            filters=filters,
            seconds=seconds,
            pause=pause,
            web=web,
            independent=independent,
        )
        asking.ask(question, context.obj, thread, limits, as_json)


@app.command(
    epilog="""\b
Examples:
  groundhop search "nghỉ phép năm" --explain
  groundhop search '"annual report"' --language en      (the phrase in quotes)
  groundhop search "số ngày phép" --as-of 2025-06-30 --source nhan-su"""
)
def search(
    context: typer.Context,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What to look for.")],
    explain: Annotated[
        bool, typer.Option("--explain", help="Show each stage's score and rank.")
    ] = False,
    depth: Depth = 6,
    user: User = None,
    groups: Groups = None,
    collections: narrowing.Collections = None,
    departments: narrowing.Departments = None,
    versions: narrowing.Versions = None,
    languages: narrowing.Languages = None,
    sources: narrowing.Sources = None,
    as_of: narrowing.AsOf = "",
    as_json: Json = False,
) -> None:
    """Show the passages that a search finds.

    All filters hold before anything is ranked; each may be repeated.
    """
    from groundhop import failures
    from groundhop import search as searching

    with failures.explained(context.obj):
        from retrieval.access import Identity

        filters = narrowing.filters(collections, departments, versions, languages, sources, as_of)
        identity = Identity(user, frozenset(groups or ()))
        searching.search(query, context.obj, identity, filters, depth, explain, as_json)


@app.command(
    epilog="""\b
Examples:
  groundhop resume 0b6cf1c2-4b5e-4a57-9a39-6a3f8d1c2e11
  groundhop resume hr-1 --as an --group hr
  groundhop resume hr-1 --approve            (let a tool be called)
  groundhop resume hr-1 --query "…"          (let it be called with this)
  groundhop resume hr-1 --arguments '{"number": 7}'
  groundhop resume hr-1 --choose 2           (one of the readings shown)
  groundhop resume hr-1 --add-steps 4        (when the budget was used up)"""
)
def resume(
    context: typer.Context,
    thread: Annotated[str, typer.Argument(metavar="ID", help="The thread, as `threads` shows it.")],
    user: User = None,
    groups: Groups = None,
    depth: Depth = 6,
    approve: Annotated[
        bool, typer.Option("--approve", help="Let the tool be called as it asks.")
    ] = False,
    refuse: Annotated[
        str | None, typer.Option(metavar="WHY", help="Do not let the tool be called.")
    ] = None,
    query: Annotated[
        str | None, typer.Option(metavar="QUERY", help="Let the tool be called with this.")
    ] = None,
    arguments: Annotated[
        str | None,
        typer.Option(metavar="JSON", help="Let the tool be called with these arguments."),
    ] = None,
    choose: Annotated[
        str | None, typer.Option(metavar="N", help="Reply with an option's number, or in words.")
    ] = None,
    add_steps: Annotated[
        int | None, typer.Option(min=1, max=100, help="Extend a used-up budget by so many rounds.")
    ] = None,
    collections: narrowing.Collections = None,
    departments: narrowing.Departments = None,
    versions: narrowing.Versions = None,
    languages: narrowing.Languages = None,
    sources: narrowing.Sources = None,
    as_of: narrowing.AsOf = "",
    pause: Pause = False,
    web: Web = False,
    as_json: Json = False,
) -> None:
    """Go on with an interrupted or paused question.

    Nothing that was finished runs again. Identity, depth and filters are not stored: give the
    same ones as before.
    """
    from groundhop import ask as asking
    from groundhop import failures, replies

    with failures.explained(context.obj):
        filters = narrowing.filters(collections, departments, versions, languages, sources, as_of)
        limits = asking.make_context(
            user, groups or [], depth, 6, filters=filters, pause=pause, web=web
        )
        reply = replies.make_reply(approve, refuse, query, arguments, choose)
        asking.resume(thread, context.obj, limits, as_json, reply, add_steps)


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


@app.command(
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
)
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
        judge,
    )
    with failures.explained(context.obj):
        evaluating.evaluate(context.obj, wanted)


golden = typer.Typer(
    no_args_is_help=True,
    help="Keep questions that went wrong as cases.",
    epilog="""\b
Examples:
  groundhop golden add hr-1 --answer "15 ngày" --document nghi-phep.md
  groundhop golden add hr-2 --unanswerable""",
)
app.add_typer(golden, name="golden")


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
