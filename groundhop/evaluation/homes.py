"""Where a set is asked: its own knowledge base, made on the spot, or the one that is there."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from groundhop.evaluation.datasets import known_evidence
from groundhop.evaluation.outcomes import matching
from groundhop.evaluation.running import OnStep, Step
from groundhop.evaluation.schema import Dataset

if TYPE_CHECKING:
    from graph.settings import Settings
    from retrieval.embeddings.protocol import Embedder

HOMES = "evaluation"
"""The folder, in the data folder, of the knowledge bases that are made for data sets."""


def home_of(dataset: Dataset, settings: "Settings", embedder: "Embedder", tell: OnStep) -> Path:
    """The data folder that a set is asked on: its own where it brings what it is about."""
    home = settings.home / HOMES / dataset.name
    text = f"passages of {dataset.name}"
    if dataset.passages:
        from groundhop.evaluation.corpus import build_knowledge_base

        build_knowledge_base(
            home, dataset.passages, embedder, lambda done, total: tell(Step(done, total, text))
        )
    elif dataset.documents:
        from ingest.sync import sync

        _take_out_others(home, dataset.documents)
        sync(home, [dataset.documents], embedder)
    return home if dataset.self_contained else settings.home


def _take_out_others(home: Path, folder: Path) -> None:
    """Take out what another set of that name left there, or a copy of this one elsewhere."""
    from ingest.discover import is_below
    from ingest.removal import remove
    from retrieval.catalogue import open_catalogue
    from retrieval.knowledge_base import CATALOGUE

    if not (home / CATALOGUE).exists():
        return
    with closing(open_catalogue(home / CATALOGUE)) as catalogue:
        others = [
            one.source
            for one in catalogue.documents()
            if not is_below((home / one.origin).resolve(), [folder.resolve()])
        ]
    if others:
        remove(home, others)


def usable(dataset: Dataset, home: Path) -> Dataset:
    """Without the questions whose evidence the knowledge base does not have."""
    if dataset.passages:
        return dataset
    from retrieval.catalogue import open_catalogue
    from retrieval.knowledge_base import CATALOGUE

    catalogue = open_catalogue(home / CATALOGUE)
    try:
        return known_evidence(dataset, [one.source for one in catalogue.documents()])
    finally:
        catalogue.close()


@contextmanager
def texts(home: Path, dataset: Dataset) -> Iterator[Callable[[str], str]]:
    """The texts of evidence by the names that the data set gives its documents."""
    from retrieval.catalogue import open_catalogue
    from retrieval.knowledge_base import CATALOGUE

    catalogue = open_catalogue(home / CATALOGUE)
    wanted = frozenset(one for question in dataset.questions for one in question.documents)
    by_name: dict[str, str] = {}
    for document in catalogue.documents():
        named = matching(document.source, (wanted & {document.source}) or wanted)
        if named:
            by_name[named] = document.id

    @lru_cache(maxsize=2048)
    def text_of(name: str) -> str:
        return catalogue.text(by_name[name]) if name in by_name else ""

    try:
        yield text_of
    finally:
        catalogue.close()
