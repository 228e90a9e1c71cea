"""`groundhop tools`: what a question may be asked of, and approval of what has changed."""

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from groundhop import failures
from groundhop.printing import command, one_line, out, say, show, to_json

if TYPE_CHECKING:
    from rich.console import Console

    from graph.tool_list import Listed

_MOST = 4_000
_WAITING = ("changed", "new")
app = typer.Typer(invoke_without_command=True, context_settings={"max_content_width": 80})


@app.callback(
    epilog="""\b
Examples:
  groundhop tools
  groundhop tools --json
  groundhop tools approve helpdesk.ticket"""
)
def tools(
    context: typer.Context,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON list and nothing else.")
    ] = False,
) -> None:
    """List the tools that a question may be asked of.

    Asks each MCP server what it has. One whose description has changed is off until it is
    approved.
    """
    if context.invoked_subcommand:
        return
    with failures.explained(context.obj):
        from graph.settings import load_settings
        from graph.tool_list import list_tools

        found, refused = list_tools(load_settings(context.obj))
        if as_json:
            sys.stdout.write(to_json([asdict(one) for one in found]) + "\n")
        else:
            for one in found:
                _show(one, out())
            for one in found:
                if one.state in _WAITING:
                    say(out(), command(context.obj, "tools", "approve", one.name))
        if refused:
            failures.fail(refused, failures.USAGE)


@app.command(
    epilog="""\b
Examples:
  groundhop tools approve helpdesk.ticket"""
)
def approve(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="SERVER.TOOL", help="As `tools` shows it.")],
) -> None:
    """Accept what a tool of an MCP server says of itself.

    What is accepted is what `groundhop tools` has shown last.
    """
    with failures.explained(context.obj):
        from graph.settings import load_settings
        from retrieval.tools.mcp_pins import approve as pin

        server, _, tool = name.partition(".")
        spec = pin(load_settings(context.obj).home, server, tool)
        show(out(), f"{one_line(name)} is approved: {one_line(spec['description'], 1_000)}")


def _show(one: "Listed", console: "Console") -> None:
    show(console, f"{one_line(one.name)}: {one.state}", style="bold")
    show(console, ", ".join(_traits(one)), lead="  ")
    if one.state in _WAITING:
        show(console, one_line(one.before or "(it was not there)", _MOST), lead="  - ")
        show(console, one_line(one.now, _MOST), lead="  + ")
    elif one.why:
        show(console, one_line(one.why, 500), lead="  ! ")
    if one.description and one.state not in _WAITING:
        show(console, one_line(one.description, 1_000), lead="  ", style="dim")


def _traits(one: "Listed") -> list[str]:
    """What is to be known of a tool, in words."""
    return [
        "reads private data" if one.reads_private else "reads nothing private",
        "trusted" if one.trusted else "not trusted",
        "reaches outside" if one.reaches_outside else "stays inside",
        "only reads" if one.read_only else "may change something",
        "needs approval" if one.needs_approval else "needs no approval",
        *(["only with --web"] if one.only_with_web else []),
        f"costs {one.cost:g} a call" if one.cost else "free",
    ]
