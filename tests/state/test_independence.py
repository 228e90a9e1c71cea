import unicodedata

import pytest

from state.independence import independent, is_copy, resemblance, same_source, sketch
from state.text import fold_accents
from tests.state.evidence import evidence

TEXT = (
    "Nhân viên chính thức được nghỉ phép năm 15 ngày làm việc, hưởng nguyên lương. Cứ đủ năm năm "
    "làm việc tại công ty, nhân viên chính thức được cộng thêm 1 ngày phép. Thâm niên được chốt "
    "vào ngày 01/01 của năm tính phép."
)
OTHER = (
    "Theo thỏa ước lao động, mỗi người ký hợp đồng không thời hạn có mười lăm ngày nghỉ trong "
    "một năm; số này tăng dần theo thời gian gắn bó và không quy đổi ra tiền."
)
FIRST, SECOND = TEXT.split(". ")[:2]


@pytest.mark.parametrize(
    "copied",
    [
        TEXT,
        TEXT.upper(),
        unicodedata.normalize("NFD", TEXT),
        fold_accents(TEXT),
        TEXT.replace(",", " –").replace(". ", "!\n\n"),
        TEXT + " Ban hành kèm theo quyết định số 12.",
    ],
    ids=["same", "capitals", "decomposed", "unaccented", "punctuation", "longer"],
)
def test_a_copied_passage_is_told_although_another_sentence_of_it_was_quoted(copied: str) -> None:
    one = evidence("e1", FIRST, text=TEXT)
    other = evidence("e2", SECOND, text=copied)
    assert is_copy(one, other)
    assert len(independent([one, other])) == 1


def test_two_texts_that_say_the_same_in_words_of_their_own_are_two_sources() -> None:
    one, other = evidence("e1", FIRST, text=TEXT), evidence("e2", OTHER)
    assert resemblance(one["sketch"], other["sketch"]) < 0.1
    assert [[item["id"] for item in group] for group in independent([one, other])] == [
        ["e1"],
        ["e2"],
    ]


def test_a_sentence_that_was_taken_over_into_another_text_is_no_second_source() -> None:
    quoting = f"Trích sổ tay: “{FIRST}.”"
    one = evidence("e1", FIRST, text=TEXT)
    assert is_copy(one, evidence("e2", quoting, text=f"{OTHER} {quoting}"))


@pytest.mark.parametrize("quote", ["15 ngày", "nghỉ 15 ngày", "mỗi năm nghỉ 15 ngày"])
def test_a_short_quote_is_no_copy_for_standing_in_a_longer_one(quote: str) -> None:
    one = evidence("e1", quote, text=TEXT)
    assert not is_copy(one, evidence("e2", "mỗi năm nghỉ 15 ngày", text=OTHER))


def test_two_places_of_one_document_are_one_source() -> None:
    one = evidence("e1", FIRST)
    assert same_source(one, evidence("e2", OTHER, document_id=one["document_id"]))


def test_two_files_of_the_same_bytes_are_one_source() -> None:
    assert same_source(evidence("e1", FIRST, sha256="a"), evidence("e2", OTHER, sha256="a"))


def test_pages_of_one_web_site_are_one_source_and_of_two_sites_two() -> None:
    def page(name: str, quote: str, source: str) -> object:
        return evidence(name, quote, kind="external", source=source, tool="web_search")

    here, there = page("e1", FIRST, "https://a.vn/1"), page("e2", OTHER, "https://a.vn/2")
    elsewhere = page("e3", OTHER + " Hết.", "https://b.vn/2")
    assert same_source(here, there)
    assert not same_source(here, elsewhere)
    for address in ("https://www.a.vn/3", "https://A.vn./4"):
        assert same_source(here, page("e4", OTHER, address))


@pytest.mark.parametrize("source", ["notes.search", "", "http://[", "ghi chú 2"])
def test_a_tool_outside_is_one_source_whatever_names_it_gives(source: str) -> None:
    one = evidence("e1", FIRST, kind="external", source="x", tool="notes.search")
    other = evidence("e2", OTHER, kind="external", source=source, tool="notes.search")
    assert same_source(one, other)


def test_the_tools_of_one_server_are_one_source() -> None:
    one = evidence("e1", FIRST, kind="external", source="x", tool="notes.search")
    assert same_source(one, evidence("e2", OTHER, kind="external", source="y", tool="notes.read"))
    assert not same_source(one, evidence("e2", OTHER, kind="external", tool="wiki.search"))


def test_a_database_is_a_source_beside_a_document_and_one_however_often_it_is_read() -> None:
    rows = {"kind": "rows", "document_id": "database:hr"}
    one, two = evidence("e1", "Còn 11 ngày.", **rows), evidence("e2", "Đã nghỉ 4 ngày.", **rows)
    groups = independent([one, evidence("e3", OTHER), two])
    assert [[item["id"] for item in group] for group in groups] == [["e1", "e2"], ["e3"]]


def test_what_ties_two_groups_together_makes_them_one() -> None:
    one, other = evidence("e1", FIRST, text=FIRST), evidence("e2", SECOND, text=SECOND)
    both = evidence("e3", f"{FIRST}. {SECOND}", text=TEXT)
    assert len(independent([one, other])) == 2
    assert len(independent([one, other, both])) == 1


def test_a_sketch_is_small_and_the_same_on_every_machine() -> None:
    assert len(sketch(TEXT * 20)) <= 128
    assert sketch("mười lăm ngày") == sketch("muoi  LAM ngay.")
    assert (sketch(""), resemblance("", "")) == ("", 0.0)
