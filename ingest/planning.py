"""What a sync would do, without doing it."""

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from ingest.chunks import Limits
from ingest.discover import discover
from ingest.documents import Reading, Verdict, examine
from ingest.formats.isolated import IsolatedLoader
from ingest.guard import explained
from ingest.names import Names
from ingest.report import Plan
from ingest.rules import Rules, keep_to
from ingest.sync import arriving, limits_of, notes_on_rules
from retrieval.catalogue import Document, open_catalogue
from retrieval.embeddings.protocol import Embedder
from retrieval.errors import NothingIngestedError
from retrieval.knowledge_base import CATALOGUE


def plan(
    home: Path,
    paths: Iterable[Path],
    embedder: Embedder,
    *,
    rules: Rules | None = None,
    catalogue_url: str | None = None,
    collection: str | None = None,
) -> Plan:
    """What `sync` would do with the same arguments; all files are read, nothing is written.

    The embedder only says how large chunks are.
    """
    with explained(home), closing(IsolatedLoader()) as loader:
        documents, limits = _known(home, embedder, catalogue_url, rules or Rules())
        names = Names(home, documents)
        reading = Reading(rules or Rules(), limits, loader.extract, collection)
        found = discover(paths)
        planned = Plan(failed=list(found.failed))
        coming = arriving(names, found)
        for document in names.gone(found):
            if document.file_sha256 not in coming:
                names.forget(document)
                planned.removed.append(document.source)
        for file in found.files:
            _add(planned, examine(file, names, reading))
        planned.removed.extend(document.source for document in names.gone(found))
        planned.notes.extend(notes_on_rules(reading.rules, found.files))
    return planned


def _known(
    home: Path, embedder: Embedder, catalogue_url: str | None, rules: Rules
) -> tuple[list[Document], Limits]:
    """The documents that are there, and the sizes of chunks."""
    try:
        with closing(open_catalogue(home / CATALOGUE, url=catalogue_url)) as catalogue:
            keep_to(catalogue, rules, remember=False)
            return catalogue.documents(), limits_of(embedder, catalogue)
    except NothingIngestedError:
        return [], limits_of(embedder, None)


def _add(planned: Plan, verdict: Verdict) -> None:
    if verdict.note:
        planned.notes.append((verdict.source, verdict.note))
    if verdict.kind == "failed":
        planned.failed.append((verdict.source, verdict.reason))
    elif verdict.kind == "unchanged":
        planned.unchanged += 1
    elif verdict.kind == "moved":
        was = verdict.earlier.source if verdict.earlier else ""
        planned.moved.append((verdict.source, was))
    else:
        (planned.added if verdict.kind == "added" else planned.changed).append(verdict.source)
        planned.chunks += len(verdict.chunks)
