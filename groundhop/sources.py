"""`groundhop sources`, `show` and `remove`: what the knowledge base holds."""

import sys
from collections import Counter
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from groundhop import failures
from groundhop.options import Json
from groundhop.printing import command, count, one_line, out, printable, show, to_json

if TYPE_CHECKING:
    from retrieval.catalogue import Chunk, Document

_START = 300
"""Characters of a chunk that `show` prints."""


def add_commands(app: typer.Typer) -> None:
    """Register the commands of this module."""
    app.command(
        epilog="""\b
Examples:
  groundhop sources
  groundhop sources handbook/hr/ --json"""
    )(sources)
    app.command(
        name="show",
        epilog="""\b
Examples:
  groundhop show handbook/hr/leave.pdf
  groundhop show handbook/hr/leave.pdf --text""",
    )(show_source)
    app.command(
        epilog="""\b
Examples:
  groundhop remove handbook/hr/leave-2024.pdf
  groundhop remove handbook/old/            (a folder ends with /)"""
    )(remove)


def sources(
    context: typer.Context,
    folder: Annotated[
        str, typer.Argument(metavar="[PREFIX]", help="Only sources that begin with this.")
    ] = "",
    as_json: Json = False,
) -> None:
    """List the documents of the knowledge base."""
    from state.text import nfc

    with failures.explained(context.obj):
        documents, chunks = _documents(context)
        chosen = [one for one in documents if one.source.startswith(nfc(folder))]
        if as_json:
            rows = [{**_described(one), "chunks": chunks[one.id]} for one in chosen]
            sys.stdout.write(to_json({"documents": rows}) + "\n")
            return
        console = out()
        for one in chosen:
            show(console, one_line(one.source), style="bold")
            show(console, _summary(one, chunks[one.id]), lead="  ", style="dim")
        total = sum(chunks[one.id] for one in chosen)
        show(console, f"{count(len(chosen), 'document')}, {count(total, 'chunk')}")


def show_source(
    context: typer.Context,
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="As `sources` lists it.")],
    text: Annotated[bool, typer.Option("--text", help="Print the extracted text only.")] = False,
    as_json: Json = False,
) -> None:
    """Show a document: what is known about it, and its passages."""
    from ingest.removal import named

    with failures.explained(context.obj), _catalogue(context) as catalogue:
        [found, *_] = named(catalogue.documents(), [source.rstrip("/")])
        whole = catalogue.document(found.id)
        written = whole.text if whole else ""
        if text:
            sys.stdout.write(printable(written))
            return
        pieces = catalogue.document_chunks(found.id)
        if as_json:
            rows = [asdict(one) for one in pieces]
            shown = {**_described(found), "text": written, "chunks": rows}
            sys.stdout.write(to_json(shown) + "\n")
            return
        _show_document(found, pieces, len(written), out(), context.obj)


def remove(
    context: typer.Context,
    names: Annotated[list[str], typer.Argument(metavar="SOURCE…", help="As `sources` lists them.")],
) -> None:
    """Take documents out of the knowledge base.

    The files stay where they are. The next ingest of their folder takes them in again, unless a
    .groundhopignore names them.
    """
    from graph.settings import load_settings

    with failures.explained(context.obj):
        from ingest.removal import remove as removing

        settings = load_settings(context.obj)
        for document in removing(settings.home, names, settings.server_url()):
            show(out(), f"removed {one_line(document.source)}")


def _catalogue(context: typer.Context) -> Any:
    from graph.settings import load_settings
    from retrieval.catalogue import open_catalogue
    from retrieval.knowledge_base import CATALOGUE

    settings = load_settings(context.obj)
    return closing(open_catalogue(settings.home / CATALOGUE, url=settings.server_url()))


def _documents(context: typer.Context) -> "tuple[list[Document], Counter[str]]":
    with _catalogue(context) as catalogue:
        return catalogue.documents(), Counter(catalogue.chunk_documents().values())


def _described(document: "Document") -> dict[str, Any]:
    hidden = ("text", "recipe", "origin")
    return {name: value for name, value in asdict(document).items() if name not in hidden}


def _summary(document: "Document", chunks: int) -> str:
    from retrieval.schema import DEFAULT_COLLECTION

    readers = ""
    if document.access is not None:
        readers = f"readers: {', '.join(map(one_line, document.access)) or 'nobody'}"
    version = f"version {one_line(document.version, 40)}" if document.version else ""
    named = document.collection != DEFAULT_COLLECTION
    collection = f"in {one_line(document.collection, 40)}" if named else ""
    about = [
        one_line(document.title, 80),
        version,
        _in_force(document),
        one_line(document.department, 40),
        collection,
        readers,
        document.language,
        count(chunks, "chunk"),
    ]
    return " · ".join(filter(None, about))


def _in_force(document: "Document") -> str:
    first = f"from {document.effective_from}" if document.effective_from else ""
    last = f"to {document.effective_to}" if document.effective_to else ""
    return " ".join(filter(None, ["in force" if first or last else "", first, last]))


def _show_document(
    document: "Document",
    pieces: "list[Chunk]",
    length: int,
    console: Console,
    home: Path | None,
) -> None:
    show(console, one_line(document.source), style="bold")
    show(console, _summary(document, len(pieces)), lead="  ", style="dim")
    facts = {
        "authority": document.authority,
        "taken in": document.ingested_at,
        "characters": f"{length:,}",
        "sha256": document.sha256,
        **{one_line(name, 40): str(value) for name, value in document.metadata.items()},
    }
    for name, value in facts.items():
        if value:
            show(console, f"{name}: {one_line(value, 300)}", lead="  ", style="dim")
    for piece in pieces:
        last = piece.page_at(piece.end - 1)
        pages = f"page {piece.page}" + (f"-{last}" if last != piece.page else "")
        place = f"{piece.start}-{piece.end}" + (f", {pages}" if piece.page else "")
        show(console, f"[{piece.ordinal + 1}] {one_line(piece.heading, 120)} ({place})")
        show(console, one_line(piece.text, _START), lead="    ")
    again = command(home, "show", document.source, "--text")
    show(console, f"The whole text: {again}", style="dim")
