"""Killed at any point, the next run ends where an undisturbed one would have."""

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.ingest.conftest import Base

DRIVER = """
import importlib, os, signal, sys
from pathlib import Path
from ingest import writing
from ingest.sync import sync
from retrieval.embeddings.hashing import HashingEmbedder

home, folder, rebuild, where, name, when, calls = sys.argv[1:]
owner = importlib.import_module(where.partition(":")[0])
if ":" in where:
    owner = getattr(owner, where.partition(":")[2])
function = getattr(owner, name)
left = int(calls)

def fatal(*arguments, **options):
    global left
    left -= 1
    if left == 0 and when == "before":
        os.kill(os.getpid(), signal.SIGKILL)
    result = function(*arguments, **options)
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return result

setattr(owner, name, fatal)
writing._CHUNKS_AT_ONCE = 2
sync(Path(home), [Path(folder)], HashingEmbedder(32), rebuild=rebuild == "rebuild")
"""


def documents(base: Base) -> set[tuple[str, str, tuple[str, ...] | None]]:
    return {(one.source, one.sha256, one.access) for one in base.catalogue().documents()}


def write_first(folder: Path) -> None:
    folder.mkdir(parents=True)
    for number in range(4):
        text = f"# Điều {number}\n\nNội dung cũ {number}.\n\n## Mục\n\nGiữ nguyên {number}.\n"
        (folder / f"điều {number}.md").write_text(text, encoding="utf-8")


def write_second(folder: Path) -> None:
    """One file goes, one is renamed, two change (one of them its readers), two come."""
    (folder / "điều 3.md").rename(folder / "điều 3 mới.md")
    (folder / "điều 0.md").unlink()
    (folder / "điều 1.md").write_text("# Điều 1\n\nNội dung mới.\n", encoding="utf-8")
    restricted = "---\naccess: [nhân sự]\n---\n" + (folder / "điều 2.md").read_text("utf-8")
    (folder / "điều 2.md").write_text(restricted, encoding="utf-8")
    for number in (7, 8):
        (folder / f"điều {number}.md").write_text(f"# Điều {number}\n\nThêm.\n", encoding="utf-8")


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `docs` after the second writing and `home` before it."""
    root = tmp_path_factory.mktemp("prepared")
    base = Base(root / "home", root / "docs")
    write_first(base.folder)
    base.sync()
    write_second(base.folder)
    return root


@pytest.fixture(scope="module")
def undisturbed(prepared: Path, tmp_path_factory: pytest.TempPathFactory) -> Base:
    root = tmp_path_factory.mktemp("undisturbed") / "copy"
    shutil.copytree(prepared, root)
    base = Base(root / "home", root / "docs")
    report = base.sync()
    assert (report.added, report.changed, report.moved, report.removed) == (2, 2, 1, 1)
    assert 0 < len(base.nearest()) < len(base.nearest("nhân sự"))
    return base


@pytest.mark.parametrize(
    ("mode", "where", "name", "when", "calls"),
    [
        ("sync", "retrieval.catalogue:Catalogue", "remove", "after", 1),
        ("sync", "retrieval.embeddings.hashing:HashingEmbedder", "passages", "before", 2),
        ("sync", "retrieval.catalogue:Catalogue", "replace_all", "after", 1),
        ("sync", "retrieval.dense:DenseIndex", "upsert", "before", 2),
        ("sync", "retrieval.dense:DenseIndex", "upsert", "after", 2),
        ("sync", "ingest.sync", "take_out_deleted", "before", 1),
        ("sync", "retrieval.dense:DenseIndex", "delete", "after", 2),
        ("sync", "ingest.sync", "build_lexical", "before", 1),
        ("sync", "ingest.names:Names", "new_id", "after", 1),
        ("rebuild", "retrieval.dense:DenseIndex", "upsert", "after", 1),
        ("rebuild", "retrieval.catalogue:Catalogue", "switch_vectors", "before", 1),
        ("rebuild", "retrieval.catalogue:Catalogue", "switch_vectors", "after", 1),
        ("rebuild", "retrieval.dense:DenseIndex", "upsert", "before", 3),
    ],
)
def test_the_next_run_completes_a_killed_one(
    prepared: Path, undisturbed: Base, tmp_path: Path,
    mode: str, where: str, name: str, when: str, calls: int,
) -> None:  # fmt: skip
    root = tmp_path / "copy"
    shutil.copytree(prepared, root)
    base = Base(root / "home", root / "docs")
    arguments = [str(base.home), str(base.folder), mode, where, name, when, str(calls)]
    killed = subprocess.run([sys.executable, "-c", DRIVER, *arguments], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert base.sync().failed == []
    base.assert_complete()
    assert documents(base) == documents(undisturbed)
    assert base.chunk_ids() == undisturbed.chunk_ids()
    assert base.nearest() == undisturbed.nearest()
    assert base.nearest("nhân sự") == undisturbed.nearest("nhân sự")
