"""The options by which `ask`, `resume` and `search` are narrowed to some of the documents."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from groundhop.printing import command, quoted

if TYPE_CHECKING:
    from retrieval.filters import Filters
    from state.types import SeenQuery

Collections = Annotated[
    list[str] | None,
    typer.Option("--collection", metavar="NAME", help="Only in this collection."),
]
Departments = Annotated[
    list[str] | None, typer.Option("--department", metavar="NAME", help="Only of this department.")
]
Versions = Annotated[
    list[str] | None,
    typer.Option("--version", metavar="VERSION", help="Only this version, such as 2026."),
]
Languages = Annotated[
    list[str] | None,
    typer.Option("--language", metavar="CODE", help="Only in this language: vi, en."),
]
Sources = Annotated[
    list[str] | None,
    typer.Option("--source", metavar="PATH", help="Only this file or folder; * and ? work."),
]
AsOf = Annotated[
    str, typer.Option("--as-of", metavar="DATE", help="Only what is in force that day.")
]


def filters(
    collections: list[str] | None,
    departments: list[str] | None,
    versions: list[str] | None,
    languages: list[str] | None,
    sources: list[str] | None,
    as_of: str,
) -> "Filters":
    """The filters of the options; `UsageError` for a date that is none."""
    from retrieval.filters import Filters

    return Filters(
        tuple(departments or ()),
        tuple(versions or ()),
        tuple(languages or ()),
        tuple(sources or ()),
        as_of,
        tuple(collections or ()),
    )


def words(filters: "Filters") -> list[str]:
    """The options that give these filters."""
    named = {
        "--collection": filters.collections,
        "--department": filters.departments,
        "--version": filters.versions,
        "--language": filters.languages,
        "--source": filters.sources,
        "--as-of": (filters.as_of,) if filters.as_of else (),
    }
    return [part for option, values in named.items() for one in values for part in (option, one)]


def told(words: Sequence[str], searches: "Sequence[SeenQuery]", home: Path | None) -> str:
    """That a question was narrowed by these options, and whether they left nothing to find."""
    options = " ".join(map(quoted, words))
    if searches and not any(one["hits"] for one in searches):
        listed = command(home, "sources")
        return f"nothing was found with {options}: `{listed}` shows what documents there are"
    return f"only these documents were searched: {options}"
