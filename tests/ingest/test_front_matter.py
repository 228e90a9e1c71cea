import pytest

from ingest.errors import RefusedError
from ingest.front_matter import read_front_matter


def test_front_matter_is_read_and_ends_where_the_body_begins() -> None:
    text = "---\ntitle: 'Quy chế  lương'\nversion: 2026.10\naccess: [nhân sự, giám đốc]\n---\nThân"
    found = read_front_matter(text)
    assert (found.title, found.version) == ("Quy chế lương", "2026.10")
    assert found.access == ("nhân sự", "giám đốc")
    assert text[found.body :] == "Thân"


def test_other_keys_are_kept_as_written() -> None:
    found = read_front_matter("---\nTác giả: Lan\nngày: 2026-01-01\nthẻ: [a, no]\n---\nx")
    assert found.metadata == {"Tác giả": "Lan", "ngày": "2026-01-01", "thẻ": ["a", "no"]}


@pytest.mark.parametrize("text", ["# Không có\n", "", "Đầu\n---\naccess: [hr]\n---\n"])
def test_a_text_without_front_matter_is_all_body(text: str) -> None:
    assert read_front_matter(text).body == 0


@pytest.mark.parametrize(
    "text",
    ["---\n\nGhi chú: một: hai.\n\n---\nx", "---\n\n| a |\n\n---\nx", "---\nKẻ, không đóng."],
)
def test_a_rule_at_the_top_is_no_front_matter(text: str) -> None:
    assert read_front_matter(text).body == 0


@pytest.mark.parametrize(
    ("line", "access"),
    [
        ("title: x", None),
        ("access: null", None),
        ("access:", None),
        ("access: []", ()),
        ("Access: [hr]", ("hr",)),
        ("access:\n  - nhân sự\n  - nhân sự\n  - no", ("nhân sự", "no")),
        ("{title: x, access: [hr]}", ("hr",)),
    ],
)
def test_access_is_a_list_or_everybody(line: str, access: tuple[str, ...] | None) -> None:
    assert read_front_matter(f"---\n{line}\n---\nx").access == access


@pytest.mark.parametrize(
    "text",
    [
        "---\naccess: hr\n---\nx",
        "---\naccess: {nhóm: hr}\n---\nx",
        "---\naccess: [[hr]]\n---\nx",
        "---\naccess: ['']\n---\nx",
        "---\naccess: [hr\n---\nx",
        "---\naccess: [hr]\naccess: null\n---\nx",
        "---\nmeta:\n  access: [hr]\n---\nx",
        "---\ntitle: quên đóng\naccess: [hr]\n\n# Bảng lương\n",
        "---\nQuy chế\naccess: [hr]\n---\nx",
        "---\n\n: :\naccess: [hr]\n---\nx",
        "---\na: &a [hr]\naccess: *a\n---\nx",
        "---\na: \t- b\n: : :\n---\nx",
        "---\n" + "[" * 50_000 + "\n---\nx",
    ],
)
def test_front_matter_that_cannot_be_read_refuses_the_file(text: str) -> None:
    with pytest.raises(RefusedError):
        read_front_matter(text)


@pytest.mark.parametrize(
    "text",
    [
        "---\naccess = [hr]\n---\nLương",
        "---\naccess： [hr]\n---\nLương",
        '+++\naccess = ["nhân sự"]\n+++\nLương',
        "--- # hạn chế\naccess: [hr]\n---\nLương",
        "---\u00a0\naccess: [hr]\n---\nLương",
        "---\n- access: [hr]\n---\nLương",
        "---\n<<: {access: [hr]}\n---\nLương",
    ],
)
def test_access_that_is_nearly_stated_refuses_the_file(text: str) -> None:
    with pytest.raises(RefusedError, match="mentions access"):
        read_front_matter(text)


@pytest.mark.parametrize("opening", ["\n\n---\n", "\u200b---\n", "--- \r\n"])
def test_access_is_read_where_an_editor_left_something_above(opening: str) -> None:
    assert read_front_matter(f"{opening}access: [hr]\n---\nx").access == ("hr",)


def test_the_line_of_a_mistake_is_named() -> None:
    with pytest.raises(RefusedError, match="line 3"):
        read_front_matter("---\ntitle: ok\nlương: a: b\n---\nx")


def test_an_escape_that_is_no_character_is_replaced() -> None:
    found = read_front_matter('---\nghi chú: "\\ud800"\n---\nx')
    assert found.metadata["ghi chú"].encode()
