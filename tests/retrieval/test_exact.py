import stat

import numpy as np
import pytest

from retrieval.exact import ExactVectors, nearest


@pytest.fixture
def path(tmp_path):
    return tmp_path / "exact.sqlite"


def rows(*numbers):
    return np.eye(8, dtype=np.float32)[list(numbers)]


def kept(vectors):
    loaded = vectors.loaded()
    return {
        one: int(row.argmax()) for one, row in zip(loaded.ids, loaded.matrix, strict=True) if one
    }


def test_what_was_put_is_loaded_as_it_was(path):
    vectors = ExactVectors(path)
    vectors.put(["một", "hai"], rows(1, 2))
    assert kept(vectors) == {"một": 1, "hai": 2}
    assert vectors.stored() == {"một", "hai"}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_reader_sees_what_another_wrote_meanwhile(path):
    writer, reader = ExactVectors(path), ExactVectors(path)
    writer.put(["a", "b"], rows(1, 2))
    assert kept(reader) == {"a": 1, "b": 2}
    writer.put(["b", "c"], rows(3, 4))
    assert kept(reader) == {"a": 1, "b": 3, "c": 4}
    writer.remove(["a", "never there"])
    assert reader.stored() == {"b", "c"}


def test_a_file_that_was_made_anew_is_read_from_its_start(path):
    reader = ExactVectors(path)
    ExactVectors(path).put(["old", "older"], rows(1, 2))
    assert set(kept(reader)) == {"old", "older"}
    for one in path.parent.iterdir():
        one.unlink()
    ExactVectors(path).put(["new"], rows(3))
    assert kept(reader) == {"new": 3}


def test_reading_makes_no_file(path):
    vectors = ExactVectors(path)
    assert vectors.stored() == set()
    with pytest.raises(FileNotFoundError):
        vectors.loaded()
    assert not path.exists()


@pytest.mark.parametrize("share", [1.0, 0.5, 0.02])
def test_the_nearest_allowed_rows_are_those_of_a_full_sort(share):
    chance = np.random.default_rng(0)
    matrix = chance.normal(size=(500, 8)).astype(np.float32)
    allowed = chance.random(500) < share
    vector = matrix[7]
    cosines = matrix @ vector
    wanted = [row for row in np.argsort(-cosines, kind="stable") if allowed[row]][:5]
    found = nearest(matrix, vector, allowed, 5)
    assert [row for row, _ in found] == wanted
    assert [cosine for _, cosine in found] == pytest.approx(cosines[wanted].tolist(), rel=1e-5)


def test_equal_rows_keep_their_order_and_nothing_allowed_finds_nothing():
    matrix = np.repeat(rows(1), 9, axis=0)
    assert [row for row, _ in nearest(matrix, matrix[0], np.ones(9, bool), 4)] == [0, 1, 2, 3]
    assert nearest(matrix, matrix[0], np.zeros(9, bool), 4) == []
