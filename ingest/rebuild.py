"""Vectors made anew beside the old ones, which count until the new ones are complete."""

import secrets
import shutil
from pathlib import Path

from ingest.report import OnProgress, Progress
from ingest.vectors import documents_of, embed_chunks
from retrieval.catalogue import Catalogue
from retrieval.dense import DenseIndex
from retrieval.embeddings.protocol import Embedder, UnembeddableTextError

_FOLDERS = "vectors*"


def rebuild_beside(
    catalogue: Catalogue, embedder: Embedder, progress: OnProgress | None
) -> list[tuple[str, str]]:
    """Make the vectors of all chunks in a new folder and let them count at the end.

    Readers go on with the old ones until then, and after a kill. Returns (source, reason) of
    documents that have no vector; raises `EmbeddingError` if the model is down.
    """
    folder = _free_folder(catalogue)
    failed: list[tuple[str, str]] = []
    missing: list[str] = []
    done = 0
    dense = DenseIndex(folder, embedder.name, create=True)
    try:
        for document, chunks in documents_of(catalogue, list(catalogue.chunk_documents())):
            ids = [chunk.id for chunk in chunks]
            try:
                vectors = embed_chunks(embedder, chunks, lambda _: None)
            except UnembeddableTextError as error:
                failed.append((document.source, f"{error} Only keyword search finds it."))
                missing.extend(ids)
                continue
            dense.upsert(ids, vectors)
            done += len(ids)
            if progress:
                progress(Progress("embedded", 0, 0, done, document.source))
    finally:
        dense.close()
    catalogue.switch_vectors(folder, embedder.name, embedder.dimensions, missing)
    return failed


def drop_leftovers(catalogue: Catalogue) -> None:
    """Delete vectors that do not count: of a rebuild that was cut short, or before the last one.

    The latter stay until the next run, for readers that were searching them at the switch.
    """
    counting = catalogue.vectors_folder()
    for folder in catalogue.folder.glob(_FOLDERS):
        if folder.is_dir() and folder != counting:
            shutil.rmtree(folder, ignore_errors=True)


def _free_folder(catalogue: Catalogue) -> Path:
    """A name that no rebuild ever had: a Chroma server may still keep what one left behind."""
    return catalogue.folder / f"vectors-{secrets.token_hex(4)}"
