from collections.abc import Iterator

import pytest

from ingest.errors import RefusedError
from ingest.formats.isolated import IsolatedLoader
from ingest.formats.protocol import Fields
from ingest.formats.registry import FORMATS
from tests.ingest.formats.making import drawn, lines


@pytest.fixture
def loader() -> Iterator[IsolatedLoader]:
    made = IsolatedLoader(seconds=20)
    yield made
    made.close()


def test_a_file_is_read_as_in_this_process(loader: IsolatedLoader) -> None:
    data = drawn(lines("Page one."), lines("Page two."))
    found = loader.extract(".pdf", data, Fields())
    assert found.text == "Page one.\n\nPage two.\n"
    assert found.page_starts == (0, 11)


def test_a_refusal_comes_back_and_the_next_file_is_read(loader: IsolatedLoader) -> None:
    with pytest.raises(RefusedError, match="another kind of file"):
        loader.extract(".pdf", b"text", Fields())
    assert loader.extract(".html", "<p>Điều 1</p>".encode(), Fields()).text == "Điều 1\n"


def test_a_file_that_takes_too_long_is_refused_and_the_next_is_read() -> None:
    hasty = IsolatedLoader(seconds=0.01)
    with pytest.raises(RefusedError, match="takes more than 0 seconds"):
        hasty.extract(".html", b"<p>x", Fields())
    hasty._seconds = 20
    assert hasty.extract(".html", b"<p>x", Fields()).text == "x\n"
    hasty.close()


def test_the_death_of_the_process_costs_one_file(loader: IsolatedLoader) -> None:
    loader.extract(".html", b"<p>x", Fields())
    assert loader._process
    loader._process.kill()
    loader._process.wait()
    with pytest.raises(RefusedError, match="ended the reading process"):
        loader.extract(".html", b"<p>x", Fields())
    assert loader.extract(".html", b"<p>x", Fields()).text == "x\n"


def test_plain_formats_start_no_process(loader: IsolatedLoader) -> None:
    assert loader.extract(".csv", b"a,b\n1,2\n", Fields()).text.startswith("| a | b |")
    assert loader._process is None
    assert FORMATS[".pdf"].isolated
