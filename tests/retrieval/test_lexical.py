import math
import stat
import unicodedata

import numpy as np
import pytest
from rank_bm25 import BM25Okapi

from retrieval.errors import KnowledgeBaseError
from retrieval.lexical import load_lexical, query_terms, saved_generation
from retrieval.lexical_build import build_lexical
from retrieval.tokens import folded, tokens

LEAVE = "Nhân viên chính thức được nghỉ phép năm 12 ngày."
CONTRACT = "Hợp đồng lao động ký lại sau 36 tháng."
ROAD = "Văn phòng ở số 5 đường Trần Phú."


class Library(BM25Okapi):
    """The library with its own loops, as an oracle; only its idf is the positive one."""

    def _calc_idf(self, nd):
        for word, df in nd.items():
            self.idf[word] = math.log(1 + (self.corpus_size - df + 0.5) / (df + 0.5))


def both_fields(text):
    accented = tokens(text)
    return [*accented, *map(folded, accented)]


def library_of(texts):
    return Library([both_fields(text) for text in texts], k1=1.2, b=0.75)


def found(index, query, allowed=None, k=5):
    return [chunk for chunk, _ in index.search(query, allowed, k)]


def test_an_empty_body_finds_nothing(lexical_of):
    assert found(lexical_of(), "nghỉ phép") == []


def test_passages_without_a_word_are_no_obstacle(lexical_of):
    assert found(lexical_of("?", "---"), "nghỉ phép") == []
    assert found(lexical_of("?", LEAVE), "nghỉ phép") == ["1"]


@pytest.mark.parametrize("bodies", [[LEAVE], [CONTRACT, LEAVE], [CONTRACT, ROAD, LEAVE]])
def test_the_right_passage_is_first_with_a_positive_score_in_a_tiny_body(lexical_of, bodies):
    (best, score), *_ = lexical_of(*bodies).search("nghỉ phép mấy ngày?", None, 5)
    assert bodies[int(best)] == LEAVE
    assert score > 0


def test_a_term_in_every_passage_still_counts_for_it(lexical_of):
    index = lexical_of("phép năm", "phép tháng", "phép tuần")
    assert sorted(found(index, "phép")) == ["0", "1", "2"]


@pytest.mark.parametrize("query", ["zzz", "xyzzy qwerty", "", "???", "the of"])
def test_a_query_that_matches_nothing_finds_nothing(lexical_of, query):
    assert found(lexical_of(LEAVE, CONTRACT, "An annual report of the lab."), query) == []


def test_scores_are_those_of_rank_bm25(lexical_of):
    texts = [LEAVE, CONTRACT, ROAD, "Error ERR_4021 means the sync failed.", "phép phép phép", "?"]
    index, model = lexical_of(*texts), library_of(texts)
    for query in ("nghỉ phép năm", "hop dong lao dong", "ERR_4021 sync", "phép phép", "zzz"):
        words = both_fields(query)
        weights = {word: float(words.count(word)) for word in words}
        np.testing.assert_allclose(index.scores(weights), model.get_scores(words), atol=1e-9)


def test_idf_is_the_one_that_the_scores_use(lexical_of):
    texts = [LEAVE, CONTRACT, ROAD]
    index, model = lexical_of(*texts), library_of(texts)
    for term in ("nghỉ phép", "~nghi", "36"):
        assert index.idf(term) == pytest.approx(model.idf[term])
    assert index.idf("zzz") > index.idf("36")


def test_a_passage_that_is_not_allowed_is_not_found_and_takes_no_place(lexical_of):
    index = lexical_of(LEAVE, LEAVE, LEAVE + " " + CONTRACT)
    assert found(index, "nghỉ phép", np.array([False, False, True]), k=1) == ["2"]
    assert found(index, "nghỉ phép", np.array([False, False, False])) == []


def test_how_often_a_word_stands_in_hidden_passages_does_not_show_in_a_score(lexical_of):
    seen = ["nghỉ phép năm", "nghỉ lễ tết", "lương tháng mười"]
    alone = lexical_of(*seen).search("nghỉ phép", None, 5)
    index = lexical_of(*seen, *["phép bí mật"] * 9)
    beside = index.search("nghỉ phép", np.array([True] * 3 + [False] * 9), 5)
    assert [one for one, _ in beside] == [one for one, _ in alone]
    assert [score for _, score in beside] == pytest.approx([score for _, score in alone])


def test_at_most_k_passages_are_found(lexical_of):
    assert len(found(lexical_of(*[LEAVE] * 9), "nghỉ phép", k=4)) == 4


@pytest.mark.parametrize(("stored", "asked"), [("NFC", "NFD"), ("NFD", "NFC")])
def test_unicode_forms_do_not_matter(lexical_of, stored, asked):
    texts = [LEAVE, CONTRACT, ROAD]
    index = lexical_of(*(unicodedata.normalize(stored, text) for text in texts))
    query = "Hợp đồng lao động được ký lại khi nào?"
    plain = index.search(query, None, 5)
    assert plain[0][0] == "1"
    assert index.search(unicodedata.normalize(asked, query), None, 5) == plain


def test_the_place_of_the_tone_mark_does_not_matter(lexical_of):
    index = lexical_of(LEAVE, "Thoả thuận hoà giải", CONTRACT)
    assert found(index, "thỏa thuận hòa giải")[0] == "1"
    assert index.search("hòa giải", None, 5) == index.search("hoà giải", None, 5)


@pytest.mark.parametrize(
    ("query", "best"),
    [("hop dong lao dong", "1"), ("duong tran phu", "2"), ("nghi phep nam may ngay", "0")],
)
def test_a_question_without_accents_finds_accented_text(lexical_of, query, best):
    assert found(lexical_of(LEAVE, CONTRACT, ROAD), query)[0] == best


def test_the_spelling_that_was_typed_comes_first(lexical_of):
    index = lexical_of("Ông Dương họp", "Xe chạy trên duong", "Xe chạy trên đường", "dưỡng sức")
    assert found(index, "đường")[0] == "2"
    assert found(index, "dương")[0] == "0"
    assert found(index, "duong")[0] == "1"
    assert sorted(found(index, "đường")) == ["0", "1", "2", "3"]


def test_the_whole_code_beats_its_parts(lexical_of):
    index = lexical_of(
        "Mã lỗi ERR_4022: err 4022, err 4021 khác nhau, err err err.",
        "Mã lỗi ERR_4021 nghĩa là mất kết nối.",
        "Mã lỗi ERR_4023 nghĩa là hết dung lượng.",
    )
    assert found(index, "ERR_4021 là lỗi gì?")[0] == "1"
    assert found(index, "What is err_4021?")[0] == "1"


def test_a_question_with_accents_leans_on_the_accented_field():
    assert query_terms("đường")["đường"] > query_terms("đường")["~duong"] > 0
    assert query_terms("duong")["duong"] == query_terms("duong")["~duong"]


def test_the_newest_generation_is_loaded_and_older_ones_are_deleted(tmp_path):
    build_lexical(tmp_path, [("cũ", LEAVE)], 9)
    build_lexical(tmp_path, [("mới", LEAVE)], 10)
    assert saved_generation(tmp_path) == 10
    assert found(load_lexical(tmp_path), "nghỉ phép") == ["mới"]
    assert len(list(tmp_path.iterdir())) == 1


def test_what_a_killed_build_left_is_never_loaded(tmp_path):
    build_lexical(tmp_path, [("a", LEAVE)], 1)
    (tmp_path / ".new-killed").mkdir()
    (tmp_path / ".new-killed" / "chunk_ids.json").write_text("{")
    assert found(load_lexical(tmp_path), "nghỉ phép") == ["a"]
    build_lexical(tmp_path, [("a", LEAVE)], 1)
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("name", ["chunk_ids.json", "keys.npy", "values.npy", "rows.npy"])
@pytest.mark.parametrize("content", [None, b"", b"garbage"])
def test_a_damaged_index_is_one_sentence_with_the_command(tmp_path, name, content):
    build_lexical(tmp_path, [("a", LEAVE)], 1)
    file = tmp_path / f"{1:012d}" / name
    file.unlink() if content is None else file.write_bytes(content)
    with pytest.raises(KnowledgeBaseError, match="groundhop ingest --rebuild"):
        load_lexical(tmp_path)


def test_a_missing_index_is_one_sentence_with_the_command(tmp_path):
    with pytest.raises(KnowledgeBaseError, match=r"is missing.*groundhop ingest"):
        load_lexical(tmp_path / "nowhere")


def test_the_files_are_for_their_owner_alone(tmp_path):
    build_lexical(tmp_path / "lexical", [("a", LEAVE)], 1)
    for one in (tmp_path / "lexical").rglob("*"):
        assert stat.S_IMODE(one.stat().st_mode) == (0o700 if one.is_dir() else 0o600)
