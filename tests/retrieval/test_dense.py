import os
import re
import sqlite3
import stat
import subprocess
import sys

import numpy as np
import pytest

from retrieval.dense import DenseIndex, collection_name
from retrieval.errors import KnowledgeBaseError

MODEL = "hashing-8"


def axis(number, dimensions=8):
    vector = np.zeros(dimensions, dtype=np.float32)
    vector[number] = 1
    return vector


@pytest.fixture
def folder(home):
    return home / "vectors"


@pytest.fixture
def index(folder):
    opened = DenseIndex(folder, MODEL, create=True)
    yield opened
    opened.close()


def ids(index, vector, k=5):
    return [one for one, _ in index.search(vector, k)]


def test_an_empty_index_finds_nothing(index):
    assert index.search(axis(0), 5) == []


@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_nearest_vector_is_first_with_its_cosine(index, count):
    index.upsert(list("abc")[:count], np.stack([axis(n) for n in range(count)]))
    (best, cosine), *others = index.search(axis(0), 5)
    assert (best, cosine) == ("a", pytest.approx(1.0, abs=1e-6))
    assert [score for _, score in others] == pytest.approx([0.0] * (count - 1), abs=1e-6)


def test_writing_an_id_again_replaces_its_vector(index):
    index.upsert(["a"], axis(0)[None])
    index.upsert(["a"], axis(1)[None])
    assert index.search(axis(1), 5) == [("a", pytest.approx(1.0, abs=1e-6))]
    assert index.ids() == {"a"}


def test_a_deleted_vector_is_gone_and_unknown_ids_are_ignored(index):
    index.upsert(["a", "b"], np.stack([axis(0), axis(1)]))
    index.delete(["a", "never there"])
    assert ids(index, axis(0)) == ["b"]


def test_nothing_to_write_or_delete_is_no_error(index):
    index.upsert([], np.zeros((0, 8), dtype=np.float32))
    index.delete([])
    assert index.ids() == set()


def test_the_vectors_themselves_are_kept_beside_the_index(index):
    index.upsert(["a", "b"], np.stack([axis(0), axis(1)]))
    index.upsert(["a"], axis(2)[None])
    index.delete(["b"])
    loaded = index.exact()
    kept = {one: row for one, row in zip(loaded.ids, loaded.matrix, strict=True) if one}
    assert kept.keys() - {"b"} == {"a"}
    np.testing.assert_array_equal(kept["a"], axis(2))


def test_a_vector_that_is_in_one_place_only_counts_as_missing(index, folder):
    index.upsert(["a", "b"], np.stack([axis(0), axis(1)]))
    with sqlite3.connect(folder / "exact.sqlite") as file:
        file.execute("DELETE FROM vectors WHERE id = 'a'")
    assert index.ids() == {"b"}


def test_more_vectors_than_a_batch_of_chroma_are_written(index):
    count = 6000
    vectors = np.random.default_rng(0).normal(size=(count, 8)).astype(np.float32)
    index.upsert([str(n) for n in range(count)], vectors)
    assert len(index.ids()) == count
    assert ids(index, vectors[5999], k=1) == ["5999"]


@pytest.mark.parametrize(
    "name", ["tài-liệu", "Tài liệu nội bộ", "ab", "", "中文", "a" * 900, "a/b:c"]
)
def test_every_model_name_gives_a_collection_name_that_chroma_takes(name):
    assert re.fullmatch(r"[a-zA-Z0-9][a-zA-Z0-9._-]{1,510}[a-zA-Z0-9]", collection_name(name))


def test_names_that_look_alike_give_different_collections():
    names = ["tài liệu", "tai lieu", "tai-lieu", "Tai lieu"]
    assert len({collection_name(name) for name in names}) == len(names)


def test_missing_vectors_are_one_sentence_with_the_command(folder):
    with pytest.raises(KnowledgeBaseError, match=r"are missing.*groundhop ingest --rebuild"):
        DenseIndex(folder, MODEL)
    assert not folder.exists()


def test_vectors_of_another_model_are_one_sentence_with_the_command(index, folder):
    with pytest.raises(KnowledgeBaseError, match="groundhop ingest --rebuild"):
        DenseIndex(folder, "another model").open()


def test_damaged_vectors_are_one_sentence_with_the_command(folder):
    folder.mkdir(parents=True)
    (folder / "chroma.sqlite3").write_bytes(b"garbage" * 1000)
    with pytest.raises(KnowledgeBaseError, match="groundhop ingest --rebuild"):
        DenseIndex(folder, MODEL).open()
    (folder / "exact.sqlite").write_bytes(b"garbage" * 1000)
    with pytest.raises(KnowledgeBaseError, match="groundhop ingest --rebuild"):
        DenseIndex(folder, MODEL).exact()


def test_a_disk_that_refuses_is_not_answered_with_rebuilding(index, monkeypatch):
    def full():
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(index._exact, "loaded", full)
    with pytest.raises(KnowledgeBaseError, match="free some space") as told:
        index.exact()
    assert "--rebuild" not in str(told.value)


def test_files_are_for_their_owner_alone(index, folder):
    index.upsert(["a"], axis(0)[None])
    for one in [folder, *folder.rglob("*")]:
        assert stat.S_IMODE(one.stat().st_mode) == (0o700 if one.is_dir() else 0o600)


def test_what_another_process_wrote_is_seen_after_reopening(index, folder):
    index.upsert(["old"], axis(0)[None])
    assert ids(index, axis(1)) == ["old"]
    program = (
        "import sys, numpy as np; from pathlib import Path; from retrieval.dense import *\n"
        f"index = DenseIndex(Path(sys.argv[1]), {MODEL!r}, create=True)\n"
        "index.upsert(['new'], np.eye(8, dtype=np.float32)[1:2]); index.delete(['old'])\n"
        "index.close()"
    )
    subprocess.run([sys.executable, "-c", program, str(folder)], check=True)
    index.reopen()
    assert ids(index, axis(1)) == ["new"]


def test_nothing_is_sent_and_nothing_is_said_or_kept_outside_the_folder(folder, tmp_path):
    program = (
        "import socket, sys; from pathlib import Path\n"
        "def refuse(*_): print('connection tried'); raise OSError\n"
        "socket.socket.connect = refuse; socket.getaddrinfo = refuse\n"
        "import numpy as np; from retrieval.dense import *\n"
        f"index = DenseIndex(Path(sys.argv[1]), {MODEL!r}, create=True)\n"
        "index.upsert(['a'], np.eye(8, dtype=np.float32)[:1])\n"
        "assert index.search(np.eye(8, dtype=np.float32)[0], 50)\n"
    )
    user = tmp_path / "user"
    user.mkdir()
    places = {"HOME": str(user), "XDG_CACHE_HOME": str(user)}
    places["PYTHONPATH"] = os.pathsep.join(sys.path)
    shown = subprocess.run(
        [sys.executable, "-c", program, str(folder)], env=places, capture_output=True, check=True
    )
    assert (shown.stdout, shown.stderr) == (b"", b"")
    assert list(user.rglob("*")) == []


def test_importing_the_module_does_not_import_chroma():
    program = "import sys, retrieval.knowledge_base; print({'chromadb', 'scipy'} & {*sys.modules})"
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert shown.stdout.strip() == b"set()"
