from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.nodes.scripting import Script, Search, World


@pytest.fixture
def world(tmp_path: Path) -> Iterator[Callable[..., World]]:
    """A function that makes a world of a script and searches, in its own data folder."""
    made: list[World] = []

    def make(policy: Script, *searches: Search) -> World:
        made.append(World(tmp_path / str(len(made)), policy, *searches))
        return made[-1]

    yield make
    for one in made:
        one.ledger.close()
