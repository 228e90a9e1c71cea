import random
from dataclasses import replace
from itertools import pairwise

import pytest

from ingest.chunks import Limits, chunk, limits_for, size
from ingest.loaders import load
from retrieval.catalogue import Chunk


def chunks_of(text: str, name: str = "tài liệu.md") -> list[Chunk]:
    extracted = load(name, text.encode())
    found = chunk("d", extracted)
    for one in found:
        assert extracted.text[one.start : one.end] == one.text
    return found


LIMITS = Limits()


def paragraph(count: int, word: str = "ngày") -> str:
    """`count` tokens in sentences of ten."""
    sentences = [" ".join([word] * 8 + [f"{number}."]) for number in range(count // 10)]
    return " ".join(sentences)


def test_each_section_is_a_chunk_with_its_heading_path() -> None:
    text = "# Nghỉ phép\n\nMở đầu.\n\n## Số ngày\n\n15 ngày.\n\n### Thâm niên\n\nCộng 1 ngày.\n"
    assert [(one.text, one.heading) for one in chunks_of(text)] == [
        ("# Nghỉ phép\n\nMở đầu.", "Nghỉ phép"),
        ("## Số ngày\n\n15 ngày.", "Nghỉ phép > Số ngày"),
        ("### Thâm niên\n\nCộng 1 ngày.", "Nghỉ phép > Số ngày > Thâm niên"),
    ]


def test_the_prefix_is_the_part_of_the_path_that_the_text_does_not_show() -> None:
    text = "# Nghỉ phép\n\nMở đầu.\n\n## Số ngày\n\n15 ngày.\n\n### Thâm niên\n\nCộng 1 ngày.\n"
    assert [one.prefix for one in chunks_of(text)] == ["", "Nghỉ phép", "Nghỉ phép > Số ngày"]


def test_a_title_of_the_front_matter_stands_before_all_headings() -> None:
    [found] = chunks_of("---\ntitle: Sổ tay\n---\n# Nghỉ phép\n\n15 ngày.\n")
    assert (found.heading, found.prefix) == ("Sổ tay > Nghỉ phép", "Sổ tay")
    assert found.text.startswith("# Nghỉ phép")


def test_a_heading_without_text_joins_its_first_subsection_only() -> None:
    found = chunks_of(
        "# Sổ tay\n\n## Phép\n\n15 ngày.\n\n## Hotline: 1900\n\n## Lương\n\nNgày 5.\n"
    )
    assert [one.text for one in found] == [
        "# Sổ tay\n\n## Phép\n\n15 ngày.",
        "## Hotline: 1900",
        "## Lương\n\nNgày 5.",
    ]


@pytest.mark.parametrize("text", ["# Chỉ có tiêu đề", "Tiêu đề\n===\n"])
def test_a_document_with_only_a_title_has_a_chunk(text: str) -> None:
    assert [one.text for one in chunks_of(text)] == [text.strip()]


def test_no_chunk_is_without_letters_or_digits() -> None:
    assert [one.text for one in chunks_of("***\n\nĐiều 1\n\n# \n\n---\n\n| | |\n|--|--|\n")] == [
        "***\n\nĐiều 1"
    ]


def test_nothing_of_a_document_is_lost() -> None:
    text = (
        "Đầu\n\n> trích\n\n1. một\n   - hai\n\n[liên kết]: https://x.vn 'Tên'\n\n"
        "<div>khối</div>\n\n"
        "    mã lệnh\n\n```\nmã\n```\nCuối\r\n\r\nHết\x0cthật\u2028rồi"
    )
    shown = "".join("".join(one.text.split()) for one in chunks_of(text))
    assert shown == "".join(text.split())


def test_paragraphs_of_a_section_are_packed_up_to_the_target() -> None:
    text = "# Điều\n\n" + "\n\n".join(paragraph(60) for _ in range(7))
    assert [size(one.text) for one in chunks_of(text)] == [242, 180]


def test_a_small_rest_joins_the_chunk_before_it() -> None:
    text = "\n\n".join([paragraph(260), paragraph(30)])
    assert [size(one.text) for one in chunks_of(text)] == [290]


def test_a_long_paragraph_is_cut_at_sentence_ends() -> None:
    found = chunks_of("# Điều\n\n" + paragraph(900))
    assert len(found) > 2
    assert all(size(one.text) <= LIMITS.maximum for one in found)
    assert all(one.text.endswith(".") for one in found)
    assert [one.prefix for one in found] == ["", *["Điều"] * (len(found) - 1)]


@pytest.mark.parametrize(
    "text",
    ["ngày " * 1000, "人" * 3000, "ก" * 5000, "x" * 30_000, "=" * 30_000 + "hết"],
)
def test_text_without_sentence_ends_is_cut_between_size(text: str) -> None:
    for one in chunks_of(text):
        assert size(one.text) <= LIMITS.maximum
        assert len(one.text) <= 30 * LIMITS.maximum


def test_list_items_stay_whole() -> None:
    items = [f"- Mục {number}: {paragraph(50)}" for number in range(12)]
    found = chunks_of("# Danh sách\n\n" + "\n".join(items) + "\n")
    assert len(found) > 2
    for one in found:
        assert all(line in items for line in one.text.splitlines() if line.startswith("-"))


def test_a_line_that_introduces_a_list_stays_with_it() -> None:
    text = (
        f"{paragraph(250)}\n\nNhân viên thử việc cần nộp:\n\n- {paragraph(60)}\n- {paragraph(60)}\n"
    )
    found = chunks_of(text)
    assert found[1].text.startswith("Nhân viên thử việc cần nộp:\n\n- ")


HEADER = "| Quý | Doanh thu |\n|-----|-----------|"


def table(rows: int) -> str:
    lines = [f"| Quý {number} | {paragraph(20)} |" for number in range(rows)]
    return "\n".join([HEADER, *lines]) + "\n"


def test_later_pieces_of_a_table_carry_its_header_in_the_prefix() -> None:
    found = chunks_of(f"# Báo cáo\n\n{table(30)}")
    assert len(found) > 2
    assert found[0].text.startswith(f"# Báo cáo\n\n{HEADER}\n| Quý 0")
    assert found[0].prefix == ""
    for one in found[1:]:
        assert one.text.startswith("| Quý ")
        assert one.prefix == f"Báo cáo\n{HEADER}"


def test_rows_of_a_table_stay_whole() -> None:
    rows = table(30).splitlines()
    for one in chunks_of(table(30)):
        assert set(one.text.splitlines()) <= set(rows)


def test_the_header_of_a_table_is_not_left_behind_by_its_first_row() -> None:
    found = chunks_of(f"{paragraph(260)}\n\n{table(10)}")
    assert HEADER not in found[0].text
    assert found[1].text.startswith(HEADER)


def test_front_matter_is_not_chunked_but_counts_in_the_offsets() -> None:
    text = "---\ntitle: Phép\n---\n15 ngày."
    [found] = chunks_of(text)
    assert (found.text, found.start) == ("15 ngày.", text.index("15"))


def test_identical_paragraphs_have_different_ids() -> None:
    found = chunks_of("# Lặp\n\nĐầu.\n\n## A\n\nNhư nhau.\n\n## A\n\nNhư nhau.\n")
    assert found[1].text == found[2].text
    assert len({one.id for one in found}) == len(found)


def test_ids_stay_the_same_and_differ_between_documents() -> None:
    extracted = load("a.md", "# Phép\n\n15 ngày.".encode())
    first, again, other = (chunk(one, extracted)[0].id for one in ("d", "d", "e"))
    assert first == again != other
    assert len(first) == 32


def test_any_mixture_of_blocks_keeps_the_order_and_the_limits() -> None:
    choice = random.Random(7)
    parts = [
        "# Một\n",
        "### Ba\n",
        paragraph(90),
        paragraph(400),
        table(15),
        "- mục\n  - con\n\n  đoạn\n",
        "```\n" + "lệnh một hai\n" * 200 + "```",
        "> " + paragraph(300),
        "Hai\n---",
        "từ " * 700,
        "---",
    ]
    for _ in range(60):
        end = choice.choice(["\n\n", "\r\n\r\n", "\r\r"])
        found = chunks_of(end.join(choice.choices(parts, k=8)) + end + "hết")
        assert all(size(one.text) <= LIMITS.maximum for one in found)
        assert all(first.start < second.start for first, second in pairwise(found))
        assert all(one.section_start <= one.start < one.end <= one.section_end for one in found)
        assert [one.ordinal for one in found] == list(range(len(found)))


def test_a_paragraph_that_is_cut_goes_on_with_the_sentence_before() -> None:
    found = chunks_of("# Điều\n\n" + paragraph(900))
    for first, second in pairwise(found):
        shared = second.text[: first.end - second.start]
        assert first.text.endswith(shared)
        assert 0 < size(shared) <= LIMITS.overlap


def test_whole_paragraphs_rows_and_items_are_not_repeated() -> None:
    items = "\n".join(f"- Mục {number}: {paragraph(50)}" for number in range(12))
    for text in (items, table(30), "\n\n".join(paragraph(60) for _ in range(20))):
        found = chunks_of(text)
        assert len(found) > 2
        assert all(first.end <= second.start for first, second in pairwise(found))


def test_every_chunk_knows_the_section_that_it_is_a_part_of() -> None:
    section = f"## Nghỉ phép\n\n{paragraph(200)}\n\n{paragraph(200)}"
    text = f"# Sổ tay\n\nMở đầu.\n\n{section}\n\n## Lương\n\nNgày 5.\n"
    found = chunks_of(text)
    assert [text[one.section_start : one.section_end] for one in found] == [
        "# Sổ tay\n\nMở đầu.",
        section,
        section,
        "## Lương\n\nNgày 5.",
    ]


def test_a_model_that_reads_less_gets_smaller_chunks() -> None:
    extracted = load("a.md", ("# Điều\n\n" + paragraph(900)).encode())
    small = chunk("d", extracted, limits_for(128))
    assert max(size(one.text) for one in small) <= 128 * LIMITS.maximum / 512
    assert len(small) > 3 * len(chunk("d", extracted, limits_for(512)))
    assert limits_for(8192) == limits_for(512) == LIMITS


def test_pages_are_those_of_the_first_character_and_of_what_follows() -> None:
    text = "Trang một.\n\nTrang hai.\n\nTrang ba.\n"
    starts = tuple(text.index(f"Trang {name}") for name in ("một", "hai", "ba"))
    extracted = replace(load("a.md", text.encode()), page_starts=starts)
    [found] = chunk("d", extracted)
    assert (found.page, found.page_breaks) == (1, starts[1:])
    assert [found.page_at(text.index(name)) for name in ("một", "hai", "ba")] == [1, 2, 3]
