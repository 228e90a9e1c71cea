"""What one sync works on, and how far it is."""

from pathlib import Path
from typing import Literal

from ingest.documents import Reading, Verdict
from ingest.names import Names
from ingest.report import OnProgress, Progress, Report
from ingest.vectors import embed_chunks
from retrieval.catalogue import Catalogue, Chunk
from retrieval.dense import DenseIndex
from retrieval.embeddings.protocol import Embedder, UnembeddableTextError, Vectors
from retrieval.errors import EmbeddingError

_FAILURES_IN_A_ROW = 3
"""Documents in a row for which no model answers: it is down."""


class ModelDownError(EmbeddingError):
    """The embedding model failed for several documents in a row."""


class Run:
    """The parts of the knowledge base that are written, the report, and the progress."""

    def __init__(
        self,
        home: Path,
        catalogue: Catalogue,
        dense: DenseIndex,
        embedder: Embedder,
        reading: Reading,
        on_progress: OnProgress | None,
    ) -> None:
        self.catalogue, self.dense, self.embedder = catalogue, dense, embedder
        self.reading = reading
        self.names = Names(home, catalogue.documents())
        self.report = Report()
        self.waiting: list[Verdict] = []
        """Documents that were read and are not stored yet."""
        self.files = self.files_done = self.chunks = 0
        self._on_progress = on_progress
        self._failures = 0

    def tell(
        self, event: Literal["discovered", "document", "embedded", "indexing"], source: str = ""
    ) -> None:
        """Report a step to whoever watches."""
        if self._on_progress:
            self._on_progress(Progress(event, self.files, self.files_done, self.chunks, source))

    def done(self, source: str) -> None:
        """Count a file whose turn is over."""
        self.files_done += 1
        self.tell("document", source)

    def fail(self, source: str, reason: str) -> None:
        """Note that a file was not taken in."""
        self.report.failed.append((source, reason))

    def embed(self, source: str, chunks: list[Chunk]) -> Vectors:
        """Vectors of chunks, of one document or ("") of several.

        Raises `EmbeddingError` if this document has none, `ModelDownError` if none has any more.
        """

        def embedded(count: int) -> None:
            self.chunks += count
            self.tell("embedded", source)

        try:
            vectors = embed_chunks(self.embedder, chunks, embedded)
        except UnembeddableTextError:
            raise
        except EmbeddingError as error:
            self._failures += bool(source)
            if self._failures < _FAILURES_IN_A_ROW:
                raise
            raise ModelDownError(
                f"{error} The ingest stops after {self._failures} documents in a row without "
                f"vectors; what was finished is kept: run it again once the model answers."
            ) from error
        self._failures = 0

        return vectors
