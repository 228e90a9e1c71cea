import pytest

from ingest.errors import RefusedError
from ingest.formats.protocol import Fields
from ingest.formats.records import load_json, load_json_lines

FAQ = (
    '{"hỏi": "Nghỉ mấy ngày?", "đáp": {"text": "Mười lăm ngày."}, "mã": 1}\n'
    "\n"
    '{"hỏi": "Trả lương khi nào?", "đáp": {"text": "Ngày 5."}, "mã": 2}\n'
).encode()


def test_each_line_is_a_section_with_the_mapped_title_and_text() -> None:
    fields = Fields(title="hỏi", text=("đáp.text",))
    assert load_json_lines(FAQ, fields).text == (
        "## Nghỉ mấy ngày?\n\nMười lăm ngày.\n\n## Trả lương khi nào?\n\nNgày 5.\n"
    )


def test_without_a_mapping_every_value_stands_under_its_name() -> None:
    assert load_json_lines(FAQ, Fields()).text.startswith(
        "hỏi: Nghỉ mấy ngày?\nđáp.text: Mười lăm ngày.\nmã: 1\n\nhỏi: Trả"
    )


def test_records_are_found_where_the_mapping_says() -> None:
    data = '{"data": {"items": [{"t": "Một"}, {"t": "Hai"}]}}'.encode()
    assert load_json(data, Fields(records="data.items", text=("t",))).text == "Một\n\nHai\n"


@pytest.mark.parametrize(
    ("data", "fields", "reason"),
    [
        (b'{"a": 1', Fields(), "not JSON at line 1"),
        (b'{"a": 1}', Fields(records="b"), "nothing at 'b'"),
        (b'[{"a": "x"}]', Fields(text=("b", "c")), "none of its records has a text at b or c"),
        (b"[" * 100_000, Fields(), "nested too deeply|not JSON"),
        (b'[{"access": ["a"]}, {"access": ["b"]}]', Fields(), "differ in `access`"),
        (b'[{"access": ["a"], "t": "x"}, {"t": "y"}]', Fields(), "differ in `access`"),
    ],
)
def test_json_that_cannot_be_taken_in_is_refused(data: bytes, fields: Fields, reason: str) -> None:
    with pytest.raises(RefusedError, match=reason):
        load_json(data, fields)


def test_a_line_that_is_not_json_is_named() -> None:
    with pytest.raises(RefusedError, match="line 2 is not JSON"):
        load_json_lines(b'{"a": 1}\n{"a": \n', Fields())


def test_records_without_text_are_counted() -> None:
    found = load_json(b'[{"t": "x"}, {"u": "y"}]', Fields(text=("t",)))
    assert (found.text, found.note) == ("x\n", "1 of its 2 records hold no text")


def test_the_readers_that_all_records_name_are_those_of_the_file() -> None:
    from ingest.loaders import load

    data = '[{"access": ["nhân sự"], "t": "x"}, {"access": ["nhân sự"], "t": "y"}]'.encode()
    assert load("a.json", data).stated.access == ("nhân sự",)
