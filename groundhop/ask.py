"""`groundhop ask` and `groundhop resume`."""

import sys
import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from groundhop import answers, failures, narrowing, replies
from groundhop.printing import command, err, out, say, to_json
from groundhop.progress import follow

if TYPE_CHECKING:
    from graph.agent import Agent
    from graph.context import Context
    from retrieval.filters import Filters

Json = dict[str, Any]
_MOST_BYTES = 4_000_000


def ask(
    question: str, home: Path | None, thread: str | None, context: "Context", as_json: bool
) -> None:
    """Answer one question; "-" reads it from standard input."""
    if question == "-":
        question = sys.stdin.buffer.read(_MOST_BYTES).decode("utf-8", "replace")
    name = str(uuid.uuid4()) if thread is None else thread
    with open_agent(home) as agent:
        events = agent.stream(question, thread=name, context=context)
        _run(agent, name, events, home, context, as_json)


def resume(
    thread: str,
    home: Path | None,
    context: "Context",
    as_json: bool,
    reply: Any = None,
    add_steps: int | None = None,
) -> None:
    """Go on where a thread was interrupted; a finished one shows its answer again."""
    with open_agent(home) as agent:
        events = agent.stream_resume(thread, context=context, reply=reply, add_steps=add_steps)
        _run(agent, thread, events, home, context, as_json)


def make_context(
    user: str | None,
    groups: list[str],
    depth: int,
    steps: int,
    *,
    filters: "Filters",
    seconds: float | None = None,
    pause: bool = False,
    web: bool = False,
    independent: int = 1,
) -> "Context":
    """The context of a run; the limits of calls grow with the steps asked for."""
    from graph.context import Context
    from state.text import clean

    default = Context()
    return Context(
        user=clean(user) if user else None,
        groups=[clean(group) for group in groups],
        depth=depth,
        pause=pause,
        web=web,
        independent=independent,
        steps=steps,
        seconds=seconds or default.seconds,
        tool_calls=max(default.tool_calls, 2 * steps),
        model_calls=max(default.model_calls, 5 * steps),
        collections=list(filters.collections),
        sources=list(filters.sources),
        departments=list(filters.departments),
        versions=list(filters.versions),
        languages=list(filters.languages),
        as_of=filters.as_of,
    )


def open_agent(home: Path | None) -> "Agent":
    """The agent of the data folder; its embedding model loads while the rest is imported."""
    from graph.settings import load_settings

    settings = load_settings(home)
    from graph.embeddings import open_embeddings

    embedder = open_embeddings(settings)
    from graph.agent import Agent

    return Agent.open(settings=settings, embedder=embedder)


def _run(
    agent: "Agent",
    thread: str,
    events: Iterator[Json],
    home: Path | None,
    context: "Context",
    as_json: bool,
) -> None:
    with closing(events):  # type: ignore[type-var]
        try:
            result = follow(events, None if as_json else err())
        except KeyboardInterrupt:
            words = _resume_words(thread, context)
            _interrupted(agent, thread, command(home, *words))
            return
    if as_json:
        sys.stdout.write(to_json(answers.as_json(result)) + "\n")
    elif result.pauses:
        replies.show_pauses(result, _resume_words(thread, context), home, err())
    else:
        err().print()
        answers.show_answer(result, out())
        answers.show_status(result, home, err())
        if narrowed := narrowing.words(context.filters()):
            say(err(), narrowing.told(narrowed, result.state.get("seen_queries", []), home))
        if result.stop_reason == "budget_exhausted":
            words = [*_resume_words(thread, context), "--add-steps", "4"]
            say(err(), f"go on with more steps: {command(home, *words)}", style="dim")
    raise typer.Exit(failures.EXIT_CODES.get(result.status, failures.FAILED))


def _interrupted(agent: "Agent", thread: str, resume_command: str) -> None:
    from graph.threads import UnknownThreadError

    try:
        agent.state(thread)
    except UnknownThreadError:
        failures.fail("Interrupted before anything was saved: ask again.", failures.FAILED)
    say(err(), "groundhop: Interrupted. Nothing that was finished is lost; go on with:")
    say(err(), resume_command)
    raise typer.Exit(failures.RESUMABLE)


def _resume_words(thread: str, context: "Context") -> list[str]:
    """The words of the command that goes on, with identity, depth and filters as it was begun."""
    asker = ["--as", context.user] if context.user else []
    groups = [part for group in context.groups for part in ("--group", group)]
    default = type(context)().depth
    depth = ["--depth", str(context.depth)] if context.depth != default else []
    pause = ["--pause"] if context.pause else []
    web = ["--web"] if context.web else []
    narrowed = narrowing.words(context.filters())
    return ["resume", thread, *asker, *groups, *depth, *narrowed, *pause, *web]
