"""Files → knowledge base, so that it holds what the files hold now.

A file is embedded first, then put into the catalogue (whose markers say that vectors must
follow), then its vectors are written, last the lexical index. Killed at any point, the next
run completes what the markers and the generation say is missing.
"""

import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path

from ingest.chunks import Limits, limits_for
from ingest.discover import Discovery, SourceFile, discover
from ingest.documents import Reading, examine
from ingest.errors import RefusedError
from ingest.formats.isolated import IsolatedLoader
from ingest.guard import alone, explained
from ingest.loaders import read_bytes
from ingest.names import Names
from ingest.rebuild import drop_leftovers, rebuild_beside
from ingest.report import OnProgress, Report
from ingest.rules import Rules, keep_to, unused
from ingest.run import ModelDownError, Run
from ingest.vectors import documents_of, repair, take_out_deleted, write_vectors
from ingest.writing import carry_out, store_waiting
from retrieval.catalogue import Catalogue, open_catalogue, search_text
from retrieval.dense import DenseIndex
from retrieval.embeddings.cache import CachedEmbedder, cached
from retrieval.embeddings.protocol import Embedder
from retrieval.errors import EmbeddingError, KnowledgeBaseError
from retrieval.knowledge_base import CATALOGUE, LEXICAL
from retrieval.lexical import saved_generation
from retrieval.lexical_build import build_lexical

EMBEDDINGS = "embeddings.sqlite"


def sync(
    home: Path,
    paths: Iterable[Path],
    embedder: Embedder,
    *,
    rules: Rules | None = None,
    rebuild: bool = False,
    progress: OnProgress | None = None,
    catalogue_url: str | None = None,
    collection: str | None = None,
) -> Report:
    """Bring the knowledge base in `home` up to date with the files of `paths`.

    Unchanged files cost a hash; documents below `paths` whose file is gone are taken out,
    those elsewhere stay. `rebuild` makes the vectors of the whole catalogue anew, with the
    given embedder and beside the old ones, then reads all given files anew. Files that cannot
    be taken in are lines of the report. Raises `UsageError` where the rules of an earlier run
    are missing, `KnowledgeBaseError` (another embedding model,
    another ingest at work, a disk that refuses, a damaged catalogue) and `EmbeddingError` (the
    model is down); what was finished until then is kept. `catalogue_url` is that of a
    PostgreSQL catalogue in the place of the file. The documents of the files go into `collection`;
    without one, known ones stay where they are.
    """
    started = time.monotonic()
    with (
        explained(home),
        alone(home),
        closing(open_catalogue(home / CATALOGUE, create=True, url=catalogue_url)) as catalogue,
        catalogue.held(),
    ):
        keep_to(catalogue, rules or Rules())
        drop_leftovers(catalogue)
        with _keeping(embedder, home) as keeping, closing(IsolatedLoader()) as loader:
            limits = limits_of(embedder, catalogue)
            reading = Reading(rules or Rules(), limits, loader.extract, collection)
            report = _synchronise(home, catalogue, keeping, reading, list(paths), rebuild, progress)
            owners = catalogue.chunk_documents()
            report.documents, report.chunks = len(set(owners.values())), len(owners)
    report.seconds = time.monotonic() - started
    return report


def limits_of(embedder: Embedder, catalogue: Catalogue | None) -> Limits:
    """The sizes of chunks that suit a model, which is asked once: a local one loads for it."""
    if catalogue and catalogue.get_setting("embedding_model") == embedder.name:
        kept = catalogue.get_setting("embedding_window")
        if kept:
            return limits_for(int(kept))
    return limits_for(int(getattr(embedder, "window", 512)))


def _synchronise(
    home: Path,
    catalogue: Catalogue,
    embedder: Embedder,
    reading: Reading,
    paths: list[Path],
    rebuild: bool,
    progress: OnProgress | None,
) -> Report:
    failed = _agree_on_model(catalogue, home, embedder, rebuild, progress)
    dense = DenseIndex(catalogue.vectors_folder(), embedder.name, create=True)
    with closing(dense):
        run = Run(home, catalogue, dense, embedder, reading, progress)
        run.report.failed.extend(failed)
        repair(catalogue, dense)
        try:
            _take_in(run, paths, rebuild)
        finally:
            # A model that is down, Ctrl-C: what was taken in until then is to be found.
            run.tell("indexing")
            index_words(catalogue, home / LEXICAL)
    return run.report


def _agree_on_model(
    catalogue: Catalogue,
    home: Path,
    embedder: Embedder,
    rebuild: bool,
    progress: OnProgress | None,
) -> list[tuple[str, str]]:
    """Make sure that the vectors are this model's, or refuse; documents that have none."""
    built_with = catalogue.get_setting("embedding_model")
    failed: list[tuple[str, str]] = []
    if built_with is None:
        catalogue.put_setting("embedding_dimensions", str(embedder.dimensions))
        catalogue.put_setting("embedding_model", embedder.name)
    elif rebuild:
        failed = rebuild_beside(catalogue, embedder, progress)
    elif built_with != embedder.name:
        raise KnowledgeBaseError(
            f"The knowledge base in {home} was built with the embedding model {built_with!r}, "
            f"not with {embedder.name!r}: run `groundhop ingest --rebuild`, or set the former."
        )
    if rebuild or catalogue.get_setting("embedding_window") is None:
        catalogue.put_setting("embedding_window", str(getattr(embedder, "window", 512)))
    return failed


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


def _take_in(run: Run, paths: list[Path], rebuild: bool) -> None:
    found = discover(paths)
    run.report.failed.extend(found.failed)
    run.report.other_kinds, run.report.ignored = dict(found.other_kinds), found.ignored
    run.files = len(found.files)
    run.tell("discovered")
    _remove_gone(run, found, arriving(run.names, found))
    for file in found.files:
        carry_out(run, examine(file, run.names, run.reading, rebuild))
    store_waiting(run)
    _remove_gone(run, found, set())
    run.report.notes.extend(notes_on_rules(run.reading.rules, found.files))
    take_out_deleted(run.catalogue, run.dense)
    _complete_vectors(run)


def arriving(names: Names, found: Discovery) -> set[str]:
    """The contents of new files, if documents are gone whose new place they may be."""
    contents: set[str] = set()
    if names.gone(found):
        for file in found.files:
            if names.at(file.path) is None:
                try:
                    contents.add(sha256(read_bytes(file.path)).hexdigest())
                except (OSError, RefusedError):
                    continue
    return contents


def notes_on_rules(rules: Rules, files: list[SourceFile]) -> Iterator[tuple[str, str]]:
    """A note for each rule that covers no file: its pattern may be misspelt."""
    if rules.rules and files:
        used = {rule.match for file in files for rule in rules.of(file.path, file.real)}
        for match in unused(rules, used):
            yield "[[ingest.rules]]", f"the rule for {match!r} covers none of these files"


def _remove_gone(run: Run, found: Discovery, arriving: set[str]) -> None:
    """Take out documents whose file is gone, but for those that may have been moved."""
    for document in run.names.gone(found):
        if document.file_sha256 not in arriving:
            run.catalogue.remove(document.id)
            run.names.forget(document)
            run.report.removed += 1


def _complete_vectors(run: Run) -> None:
    """Write the vectors that are missing: of a run that was cut short, or of a rebuild."""
    failed = {source for source, _ in run.report.failed}
    for document, chunks in documents_of(run.catalogue, run.catalogue.pending().upsert):
        if document.source in failed:
            continue
        try:
            vectors = run.embed(document.source, chunks)
        except ModelDownError:
            raise
        except EmbeddingError as error:
            run.fail(document.source, f"{error} Until it works, only keyword search finds it.")
            continue
        write_vectors(run.catalogue, run.dense, chunks, vectors)


def index_words(catalogue: Catalogue, folder: Path) -> None:
    """Build the lexical index anew if documents have changed since it was built."""
    generation = catalogue.generation()
    if saved_generation(folder) != generation:
        passages = ((one.id, search_text(one)) for one, _ in catalogue.all_chunks())
        build_lexical(folder, passages, generation)
