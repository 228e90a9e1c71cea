"""`groundhop prune`, `delete` and `fork`: what is kept of stored threads, going on from them."""

from datetime import timedelta
from typing import Annotated

import typer

from groundhop import failures
from groundhop.printing import command, count, one_line, out, say, show
from groundhop.stored import stored_runs

_MOMENTS = 200


def add_commands(app: typer.Typer) -> None:
    """Register the commands of this module."""
    app.command(
        epilog="""\b
Examples:
  groundhop prune --older-than 30
  groundhop prune hr-1 hr-2"""
    )(prune)
    app.command(
        epilog="""\b
Examples:
  groundhop delete hr-1"""
    )(delete)
    app.command(
        epilog="""\b
Examples:
  groundhop fork hr-1                        (lists the moments)
  groundhop fork hr-1 --at 3
  groundhop fork hr-1 --without e2
  groundhop fork hr-1 --at 1 --query "s1=Ai lập Lab Delta?\""""
    )(fork)


def prune(
    context: typer.Context,
    threads: Annotated[
        list[str] | None, typer.Argument(metavar="ID", help="Threads; all when none is named.")
    ] = None,
    older_than: Annotated[
        float,
        typer.Option(min=0, metavar="DAYS", help="Only threads that rested for so many days."),
    ] = 0,
) -> None:
    """Keep of finished threads only the last state.

    Answers, conversations and traces stay; stepping back is what is lost. The space goes back
    to the disk.
    """
    with failures.explained(context.obj), stored_runs(context.obj) as found:
        if found is None:
            show(out(), "There are no threads yet.")
            return
        from graph.threads import prune as pruning
        from graph.threads import thread_ids

        store, graph = found
        done = pruning(store, graph, threads or thread_ids(store), timedelta(days=older_than))
        sizes = f"{done.bytes_before / 1e6:.1f} MB before, {done.bytes_after / 1e6:.1f} MB now"
        show(out(), f"{count(done.threads, 'thread')} pruned; {sizes}.")
        if done.left_alone:
            text = f"{count(done.left_alone, 'thread')} left alone: unfinished, running or damaged."
            show(out(), text)


def delete(
    context: typer.Context,
    threads: Annotated[list[str], typer.Argument(metavar="ID", help="Threads to forget.")],
) -> None:
    """Forget threads, with all that was stored of them."""
    with failures.explained(context.obj), stored_runs(context.obj) as found:
        from graph.threads import UnknownThreadError, check_known, delete_thread, thread_name

        for thread in threads:
            if found is None:
                raise UnknownThreadError(thread)
            check_known(found[0], thread_name(thread))
        for thread in threads:
            assert found is not None  # an unknown thread has ended the command
            delete_thread(found[0], thread_name(thread))
        show(out(), f"{count(len(threads), 'thread')} deleted.")


def fork(
    context: typer.Context,
    thread: Annotated[str, typer.Argument(metavar="ID", help="The thread, as `threads` shows it.")],
    at: Annotated[int | None, typer.Option(metavar="N", help="The moment to go on from.")] = None,
    without: Annotated[
        list[str] | None,
        typer.Option(metavar="EVIDENCE", help="Evidence to disbelieve, such as e2."),
    ] = None,
    query: Annotated[
        list[str] | None,
        typer.Option(metavar="SUBGOAL=QUERY", help="What to search for a subgoal instead."),
    ] = None,
) -> None:
    """Go on from an earlier moment on a new thread.

    Without options it lists the moments. The old thread stays as it is.
    """
    with failures.explained(context.obj), stored_runs(context.obj) as found:
        from graph.forks import fork as forking
        from graph.forks import moments
        from graph.threads import UnknownThreadError

        if found is None:
            raise UnknownThreadError(thread)
        store, graph = found
        if at is None and not without and not query:
            for moment in moments(graph, thread)[-_MOMENTS:]:
                then = ", ".join(dict.fromkeys(moment.next)) or "the end"
                show(out(), f"{moment.number:>3}  {one_line(moment.did)}, then {then}")
            return
        name = forking(store, graph, thread, at, without or [], _queries(query or []), {})
        show(out(), f"Forked as {name}; go on with:")
        say(out(), command(context.obj, "resume", name))


def _queries(given: list[str]) -> dict[str, str]:
    queries = {}
    for one in given:
        subgoal, sign, query = one.partition("=")
        if not sign or not query.strip():
            failures.fail(f"--query takes SUBGOAL=QUERY, not {one!r}.", failures.USAGE)
        queries[subgoal.strip()] = query.strip()
    return queries
