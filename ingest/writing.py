"""What a sync does about the files that were examined: embed, store, take out, report."""

from ingest.documents import Verdict
from ingest.run import ModelDownError, Run
from ingest.vectors import write_vectors
from retrieval.catalogue import Document
from retrieval.errors import EmbeddingError


def carry_out(run: Run, verdict: Verdict) -> None:
    """Do what a verdict says, and count it in the report."""
    if verdict.note:
        run.report.notes.append((verdict.source, verdict.note))
    if verdict.kind == "failed":
        if verdict.takes_out and verdict.earlier:
            run.catalogue.remove(verdict.earlier.id)
            run.names.forget(verdict.earlier)
        run.fail(verdict.source, verdict.reason)
        return
    if verdict.origin and verdict.earlier:
        run.catalogue.move(verdict.earlier.id, verdict.origin)
    if verdict.document is None or _store(run, verdict, verdict.document):
        run.report.count(verdict.kind)


def _store(run: Run, verdict: Verdict, document: Document) -> bool:
    """Embed a document, and only then put it in the place of what was there."""
    try:
        vectors = run.embed(document.source, verdict.chunks)
    except EmbeddingError as error:
        what = _unless_readers_changed(run, document, verdict.earlier)
        run.fail(document.source, f"{error}{what}")
        if isinstance(error, ModelDownError):
            raise
        return False
    run.catalogue.replace(document, verdict.chunks)
    write_vectors(run.catalogue, run.dense, document, verdict.chunks, vectors)
    return True


def _unless_readers_changed(run: Run, document: Document, earlier: Document | None) -> str:
    """Let the earlier form of a document stay if the same people may read it; what was done."""
    if earlier is None:
        return ""
    if earlier.access == document.access:
        return " What an earlier run took from it stays."
    run.catalogue.remove(earlier.id)
    return " What an earlier run took from it was taken out, because its readers have changed."
