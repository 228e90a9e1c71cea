"""One file → one document of the knowledge base, or the reason why not."""

from datetime import UTC, datetime
from hashlib import sha256

from ingest.chunks import chunk
from ingest.discover import SourceFile
from ingest.errors import RefusedError
from ingest.loaders import Extracted, load, read_bytes
from ingest.run import ModelDownError, Run
from ingest.vectors import write_vectors
from retrieval.catalogue import Chunk, Document
from retrieval.errors import EmbeddingError


def take_file(run: Run, file: SourceFile, rebuild: bool) -> None:
    """Take in one file, or add why not to the report."""
    claimed = run.names.claim(file)
    if claimed is None:
        run.fail(file.source, "a file beside it has a name that is spelt alike: rename one")
        return
    source, earlier = claimed
    try:
        data = read_bytes(file.path)
        unchanged = earlier is not None and earlier.file_sha256 == sha256(data).hexdigest()
        if earlier and unchanged and not rebuild:
            _note_place(run, file, earlier)
            return
        extracted = load(file.path.name, data)
    except OSError as error:
        stays = "; what an earlier run took from it stays" if earlier else ""
        run.fail(source, f"it cannot be read ({(error.strerror or str(error)).lower()}){stays}")
    except RefusedError as error:
        _take_out(run, source, earlier, str(error))
    else:
        document = _document(source, extracted, data, run.names.origin(file.path))
        _store(run, document, chunk(document.id, extracted), earlier)


def _note_place(run: Run, file: SourceFile, earlier: Document) -> None:
    origin = run.names.origin(file.path)
    if origin != earlier.origin:
        run.catalogue.move(earlier.id, origin)
    run.report.unchanged += 1


def _take_out(run: Run, source: str, earlier: Document | None, reason: str) -> None:
    """Report a file; what an earlier run took from it may be no longer true, or not public."""
    if earlier:
        run.catalogue.remove(earlier.id)
        reason += "; what an earlier run took from it was taken out"
    run.fail(source, reason)


def _document(source: str, extracted: Extracted, data: bytes, origin: str) -> Document:
    return Document(
        id=sha256(source.encode()).hexdigest()[:32],
        source=source,
        title=extracted.title,
        text=extracted.text,
        sha256=sha256(extracted.text.encode()).hexdigest(),
        language=extracted.language,
        version=extracted.version,
        access=extracted.access,
        metadata=extracted.metadata,
        ingested_at=datetime.now(UTC).isoformat(timespec="seconds"),
        file_sha256=sha256(data).hexdigest(),
        origin=origin,
    )


def _store(run: Run, document: Document, chunks: list[Chunk], earlier: Document | None) -> None:
    """Embed a document, and only then put it in the place of what was there."""
    try:
        vectors = run.embed(document.source, chunks)
    except EmbeddingError as error:
        run.fail(document.source, f"{error}{_unless_readers_changed(run, document, earlier)}")
        if isinstance(error, ModelDownError):
            raise
        return
    run.catalogue.replace(document, chunks)
    write_vectors(run.catalogue, run.dense, document, chunks, vectors)
    if earlier is None:
        run.report.added += 1
    elif earlier.file_sha256 == document.file_sha256:
        run.report.unchanged += 1
    else:
        run.report.changed += 1


def _unless_readers_changed(run: Run, document: Document, earlier: Document | None) -> str:
    """Let the earlier form of a document stay if the same people may read it; what was done."""
    if earlier is None:
        return ""
    if earlier.access == document.access:
        return " What an earlier run took from it stays."
    run.catalogue.remove(earlier.id)
    return " What an earlier run took from it was taken out, because its readers have changed."
