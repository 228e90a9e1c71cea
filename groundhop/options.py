"""Options that several commands have."""

from typing import Annotated

import typer

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
Seconds = Annotated[
    float,
    typer.Option(
        min=1, envvar="GROUNDHOP_SECONDS", help="Seconds inside tool and policy calls, at most."
    ),
]
