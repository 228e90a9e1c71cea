"""Taking documents out, and making the indexes agree with the catalogue again."""

import shutil
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from ingest.guard import alone, explained
from ingest.report import OnProgress, Report
from ingest.sync import index_words, sync
from ingest.vectors import take_out_deleted
from retrieval.catalogue import Catalogue, Document, open_catalogue
from retrieval.dense import DenseIndex
from retrieval.embeddings.protocol import Embedder
from retrieval.errors import UsageError
from retrieval.knowledge_base import CATALOGUE, LEXICAL
from state.text import nfc


def remove(home: Path, sources: Sequence[str], catalogue_url: str | None = None) -> list[Document]:
    """Take documents out of the catalogue and every index; what was removed.

    A source that ends with "/" is a folder. Raises `UsageError` if one of them is not there
    (then nothing is removed), and as `sync` does. Files stay where they are: the next ingest
    of their folder takes them in again.
    """
    with (
        explained(home),
        alone(home),
        closing(open_catalogue(home / CATALOGUE, url=catalogue_url)) as catalogue,
        catalogue.held(),
    ):
        chosen = named(catalogue.documents(), sources)
        for document in chosen:
            catalogue.remove(document.id)
        model = catalogue.get_setting("embedding_model") or ""
        with closing(DenseIndex(catalogue.vectors_folder(), model, create=True)) as dense:
            take_out_deleted(catalogue, dense)
        index_words(catalogue, home / LEXICAL)
    return chosen


def named(documents: Sequence[Document], sources: Sequence[str]) -> list[Document]:
    """The documents of these sources and folders; `UsageError` for one that names none."""
    chosen: dict[str, Document] = {}
    for source in map(nfc, sources):
        found = [
            one
            for one in documents
            if one.source == source or (source.endswith("/") and one.source.startswith(source))
        ]
        if not found:
            raise UsageError(
                f"No document is called {source!r}: `groundhop sources` lists their names."
            )
        chosen |= {one.id: one for one in found}
    return list(chosen.values())


def restore(
    home: Path,
    embedder: Embedder,
    *,
    progress: OnProgress | None = None,
    catalogue_url: str | None = None,
) -> Report:
    """Make vectors and words agree with the catalogue, whatever happened to them.

    Words are indexed anew. Vectors that are missing are written and those left over deleted;
    if they cannot be opened all are made anew, from the kept embeddings where there are any.
    Raises as `sync` does, and `KnowledgeBaseError` if nothing was ingested.
    """
    with (
        explained(home),
        alone(home),
        closing(open_catalogue(home / CATALOGUE, url=catalogue_url)) as catalogue,
    ):
        broken = not _opens(catalogue)
        for folder in (home / LEXICAL).glob("*"):
            shutil.rmtree(folder, ignore_errors=True)
    return sync(home, (), embedder, rebuild=broken, progress=progress, catalogue_url=catalogue_url)


def _opens(catalogue: Catalogue) -> bool:
    """Whether the vectors can be opened; those that are missing altogether are made anyway."""
    folder = catalogue.vectors_folder()
    model = catalogue.get_setting("embedding_model") or ""
    try:
        with closing(DenseIndex(folder, model, create=True)) as dense:
            dense.ids()
    except Exception:  # Chroma's errors have no class of their own
        return False
    return True
