"""`groundhop ask`, `search` and `resume`: what may be given to them."""

from typing import Annotated

import typer

from groundhop import narrowing
from groundhop.options import Depth, Groups, Json, Pause, Seconds, User, Web


def add_commands(app: typer.Typer) -> None:
    """Register the commands of this module."""
    app.command(
        epilog="""\b
Examples:
  groundhop ask "Who founded the lab that developed Aurora?"
  groundhop ask "Và năm 2023?" --thread hr-1         (a follow-up)
  groundhop ask "Ngân sách đào tạo là bao nhiêu?" --as an --group hr
  groundhop ask "Nghỉ phép mấy ngày?" --collection nhan-su --as-of 2025-06-30
  groundhop ask --json - < question.txt"""
    )(ask)
    app.command(
        epilog="""\b
Examples:
  groundhop search "nghỉ phép năm" --explain
  groundhop search '"annual report"' --language en      (the phrase in quotes)
  groundhop search "số ngày phép" --as-of 2025-06-30 --source nhan-su"""
    )(search)
    app.command(
        epilog="""\b
Examples:
  groundhop resume 0b6cf1c2-4b5e-4a57-9a39-6a3f8d1c2e11
  groundhop resume hr-1 --as an --group hr
  groundhop resume hr-1 --approve            (let a tool be called)
  groundhop resume hr-1 --query "…"          (let it be called with this)
  groundhop resume hr-1 --arguments '{"number": 7}'
  groundhop resume hr-1 --choose 2           (one of the readings shown)
  groundhop resume hr-1 --add-steps 4        (when the budget was used up)"""
    )(resume)


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
    seconds: Seconds = 120,
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
