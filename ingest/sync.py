"""Files → knowledge base, so that it holds what the files hold now.

A file is embedded first, then put into the catalogue (whose markers say that vectors must
follow), then its vectors are written, last the lexical index. Killed at any point, the next
run completes what the markers and the generation say is missing.
"""

import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from ingest.discover import discover
from ingest.documents import take_file
from ingest.guard import alone, explained
from ingest.report import OnProgress, Report
from ingest.run import ModelDownError, Run
from ingest.vectors import pending_documents, repair, take_out_deleted, write_vectors
from retrieval.catalogue import Catalogue, open_catalogue, search_text
from retrieval.dense import DenseIndex, delete_vectors
from retrieval.embeddings.cache import CachedEmbedder, cached
from retrieval.embeddings.protocol import Embedder
from retrieval.errors import EmbeddingError, KnowledgeBaseError
from retrieval.knowledge_base import CATALOGUE, LEXICAL, VECTORS
from retrieval.lexical import saved_generation
from retrieval.lexical_build import build_lexical

EMBEDDINGS = "embeddings.sqlite"


def sync(
    home: Path,
    paths: Iterable[Path],
    embedder: Embedder,
    *,
    rebuild: bool = False,
    progress: OnProgress | None = None,
) -> Report:
    """Bring the knowledge base in `home` up to date with the files of `paths`.

    Unchanged files cost a hash; documents below `paths` whose file is gone are taken out,
    those elsewhere stay. `rebuild` reads all given files anew and makes the vectors of the
    whole catalogue anew, with the given embedder. Files that cannot be taken in are lines of
    the report. Raises `KnowledgeBaseError` (another embedding model, another ingest at work,
    a disk that refuses, a damaged catalogue) and `EmbeddingError` (the model is down); what
    was finished until then is kept.
    """
    started = time.monotonic()
    with explained(home), alone(home), closing(_open(home)) as catalogue:
        _agree_on_model(catalogue, home, embedder, rebuild)
        dense = DenseIndex(home / VECTORS, embedder.name, create=True)
        with closing(dense), _keeping(embedder, home) as keeping:
            run = Run(home, catalogue, dense, keeping, progress)
            repair(catalogue, dense)
            try:
                _take_in(run, paths, rebuild)
            except EmbeddingError:
                _index_words(run, home / LEXICAL)
                raise
            _index_words(run, home / LEXICAL)
            run.report.documents = len(catalogue.documents())
            run.report.chunks = len(catalogue.chunk_documents())
    run.report.seconds = time.monotonic() - started
    return run.report


def _open(home: Path) -> Catalogue:
    return open_catalogue(home / CATALOGUE, create=True)


def _agree_on_model(catalogue: Catalogue, home: Path, embedder: Embedder, rebuild: bool) -> None:
    """Store the name of the model, or refuse one that did not build this knowledge base."""
    built_with = catalogue.get_setting("embedding_model")
    if rebuild:
        catalogue.mark_all_pending()
        delete_vectors(home / VECTORS)
    elif built_with not in (None, embedder.name):
        raise KnowledgeBaseError(
            f"The knowledge base in {home} was built with the embedding model {built_with!r}, "
            f"not with {embedder.name!r}: run `groundhop ingest --rebuild`, or set the former."
        )
    if built_with is None or rebuild:
        # Last, so that a run killed here is not taken for a finished one.
        catalogue.put_setting("embedding_dimensions", str(embedder.dimensions))
        catalogue.put_setting("embedding_model", embedder.name)


@contextmanager
def _keeping(embedder: Embedder, home: Path) -> Iterator[Embedder]:
    """The embedder with its vectors kept in the knowledge base, unless they are kept already."""
    if isinstance(embedder, CachedEmbedder):
        yield embedder
        return
    keeping = cached(embedder, home / EMBEDDINGS)
    try:
        yield keeping
    finally:
        keeping.close_file()


def _take_in(run: Run, paths: Iterable[Path], rebuild: bool) -> None:
    found = discover(paths)
    run.report.failed.extend(found.failed)
    run.report.other_kinds = dict(found.other_kinds)
    run.files = len(found.files)
    run.tell("discovered")
    for document in run.names.gone(found):
        run.catalogue.remove(document.id)
        run.names.forget(document)
        run.report.removed += 1
    for file in found.files:
        take_file(run, file, rebuild)
        run.files_done += 1
        run.tell("document", file.source)
    take_out_deleted(run.catalogue, run.dense)
    _complete_vectors(run)


def _complete_vectors(run: Run) -> None:
    """Write the vectors that are missing: of a run that was cut short, or of a rebuild."""
    failed = {source for source, _ in run.report.failed}
    for document, chunks in pending_documents(run.catalogue):
        if document.source in failed:
            continue
        try:
            vectors = run.embed(document.source, chunks)
        except ModelDownError:
            raise
        except EmbeddingError as error:
            run.fail(document.source, f"{error} Until it works, only keyword search finds it.")
            continue
        write_vectors(run.catalogue, run.dense, document, chunks, vectors)


def _index_words(run: Run, folder: Path) -> None:
    """Build the lexical index anew if documents have changed since it was built."""
    generation = run.catalogue.generation()
    if saved_generation(folder) != generation:
        run.tell("indexing")
        passages = ((one.id, search_text(one)) for one, _ in run.catalogue.all_chunks())
        build_lexical(folder, passages, generation)
