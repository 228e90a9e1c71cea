"""What a sync does about the files that were examined: embed, store, take out, report.

Documents are stored several at a time: a transaction of each index costs as much for one.
"""

from ingest.documents import Verdict
from ingest.run import ModelDownError, Run
from ingest.vectors import write_vectors
from retrieval.catalogue import Chunk
from retrieval.embeddings.protocol import Vectors
from retrieval.errors import EmbeddingError

_CHUNKS_AT_ONCE = 128
_CHARACTERS_AT_ONCE = 2_000_000


def carry_out(run: Run, verdict: Verdict) -> None:
    """Do what a verdict says, at once or together with others, and count it in the report."""
    if verdict.note:
        run.report.notes.append((verdict.source, verdict.note))
    if verdict.document is not None:
        run.waiting.append(verdict)
        chunks = sum(len(one.chunks) for one in run.waiting)
        characters = sum(len(one.document.text) for one in run.waiting if one.document)
        if chunks >= _CHUNKS_AT_ONCE or characters >= _CHARACTERS_AT_ONCE:
            store_waiting(run)
        return
    if verdict.kind == "failed":
        if verdict.takes_out and verdict.earlier:
            run.catalogue.remove(verdict.earlier.id)
            run.names.forget(verdict.earlier)
        run.fail(verdict.source, verdict.reason)
    else:
        if verdict.origin and verdict.earlier:
            run.catalogue.move(verdict.earlier.id, verdict.origin)
        run.report.count(verdict.kind)
    run.done(verdict.source)


def store_waiting(run: Run) -> None:
    """Embed the documents that wait, and only then put them in the place of what was there."""
    waiting, run.waiting = run.waiting, []
    chunks = [chunk for one in waiting for chunk in one.chunks]
    if len(waiting) > 1:
        try:
            _write(run, waiting, chunks, run.embed("", chunks))
            return
        except EmbeddingError:
            pass  # one by one, to find out whose text it is; what was embedded is kept
    for one in waiting:
        try:
            vectors = run.embed(one.source, one.chunks)
        except EmbeddingError as error:
            run.fail(one.source, f"{error}{_unless_readers_changed(run, one)}")
            run.done(one.source)
            if isinstance(error, ModelDownError):
                raise
            continue
        _write(run, [one], one.chunks, vectors)


def _write(run: Run, verdicts: list[Verdict], chunks: list[Chunk], vectors: Vectors) -> None:
    documents = [(one.document, one.chunks) for one in verdicts if one.document]
    run.catalogue.replace_all(documents)
    write_vectors(run.catalogue, run.dense, chunks, vectors)
    for one in verdicts:
        if one.kind != "failed":
            run.report.count(one.kind)
        run.done(one.source)


def _unless_readers_changed(run: Run, verdict: Verdict) -> str:
    """Let the earlier form of a document stay if the same people may read it; what was done."""
    earlier, document = verdict.earlier, verdict.document
    if earlier is None or document is None:
        return ""
    if earlier.access == document.access:
        return " What an earlier run took from it stays."
    run.catalogue.remove(earlier.id)
    return " What an earlier run took from it was taken out, because its readers have changed."
