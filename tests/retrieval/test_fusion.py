import pytest

from retrieval.fusion import reciprocal_rank_fusion, search_weights


def test_scores_follow_the_formula():
    fused = dict(reciprocal_rank_fusion([["a", "b"], ["b"]]))
    assert fused == {"a": pytest.approx(1 / 61), "b": pytest.approx(1 / 62 + 1 / 61)}


def test_what_both_rankings_found_beats_what_one_did():
    assert reciprocal_rank_fusion([["a", "x"], ["b", "x"]])[0][0] == "x"


def test_an_empty_ranking_leaves_the_other_as_it_is():
    assert [item for item, _ in reciprocal_rank_fusion([["c", "a", "b"], []])] == ["c", "a", "b"]
    assert reciprocal_rank_fusion([[], []]) == []


def test_weights_belong_to_an_item_and_a_ranking():
    by_item = {"việt": (1.0, 1.0), "english": (1.8, 0.2)}
    fused = dict(reciprocal_rank_fusion([["english"], ["việt", "english"]], by_item))
    assert fused["english"] == pytest.approx(1.8 / 61 + 0.2 / 62)
    assert fused["việt"] == pytest.approx(1 / 61)


def weights(query, passage, *, without_accents=False, shared_code=False):
    return search_weights(query, passage, without_accents=without_accents, shared_code=shared_code)


def test_words_count_less_across_languages_and_the_same_within_one():
    assert weights("vi", "vi") == weights("en", "en") == (1.0, 1.0)
    dense, words = weights("vi", "en")
    assert dense > 1 > words > 0


def test_vectors_count_less_for_vietnamese_without_accents():
    dense, words = weights("vi", "vi", without_accents=True)
    assert words > 1 > dense > 0
    assert weights("en", "en", without_accents=True) == (1.0, 1.0)


def test_an_unknown_language_counts_as_the_same():
    assert weights("und", "vi") == weights("vi", "") == (1.0, 1.0)


@pytest.mark.parametrize("passage", ["vi", "en"])
def test_a_passage_with_the_code_asked_for_beats_one_that_is_first_in_both(passage):
    by_item = {"code": weights("vi", passage, shared_code=True), "other": weights("vi", "vi")}
    fused = reciprocal_rank_fusion([["other"], ["other", "code"]], by_item)
    assert [item for item, _ in fused] == ["code", "other"]
