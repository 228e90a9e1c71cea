from collections.abc import Callable
from pathlib import Path

import pytest

from ingest import watching
from ingest.watching import changes, signature
from tests.ingest.conftest import Write


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Does one step each time that the watcher sleeps, and stops it after the last."""

    def follow(*planned: Callable[[], object] | None) -> None:
        left = list(planned)

        def sleep(_: float) -> None:
            if not left:
                raise KeyboardInterrupt
            step = left.pop(0)
            if step:
                step()

        monkeypatch.setattr(watching.time, "sleep", sleep)

    return follow


def seen(folder: Path, *others: Path) -> int:
    """How often the watcher saw a change before it was stopped."""
    count = 0
    try:
        for _ in changes([folder], 1, others):
            count += 1
    except KeyboardInterrupt:
        return count
    raise AssertionError("the watcher ended by itself")


def test_new_changed_and_deleted_files_are_noticed(
    folder: Path, write: Write, steps: Callable[..., None]
) -> None:
    write("phép.md", "x")
    steps(
        None,
        lambda: write("lương.md", "y"),
        None,
        lambda: write("phép.md", "khác"),
        None,
        lambda: (folder / "phép.md").unlink(),
        None,
        None,
    )
    assert seen(folder) == 3


def test_a_file_that_is_still_written_is_waited_for(
    folder: Path, write: Write, steps: Callable[..., None]
) -> None:
    steps(*[lambda size=size: write("lớn.md", "x" * size) for size in range(1, 5)], None, None)
    assert seen(folder) == 1


def test_sidecars_ignore_files_and_settings_are_watched(
    folder: Path, write: Write, steps: Callable[..., None], tmp_path: Path
) -> None:
    write("phép.md", "x")
    settings = tmp_path / "groundhop.toml"
    steps(
        lambda: write("phép.md.meta.yaml", "version: 1"),
        None,
        lambda: write(".groundhopignore", "*.txt"),
        None,
        lambda: settings.write_text("[ingest]"),
        None,
    )
    assert seen(folder, settings) == 3


def test_files_that_are_not_taken_in_are_not_watched(folder: Path, write: Write) -> None:
    write("phép.md", "x")
    before = signature([folder])
    write("ảnh.png", "x")
    assert signature([folder]) == before
