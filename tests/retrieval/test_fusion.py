import pytest

from retrieval.fusion import convex_sum, dense_share, min_max, reciprocal_rank_fusion


def ranked(scores):
    return sorted(scores, key=lambda one: -scores[one])


def test_reciprocal_ranks_follow_the_formula():
    fused = reciprocal_rank_fusion([["a", "b"], ["b"]])
    assert fused == {"a": pytest.approx(1 / 61), "b": pytest.approx(1 / 62 + 1 / 61)}


def test_what_both_rankings_found_beats_what_one_did():
    assert ranked(reciprocal_rank_fusion([["a", "x"], ["b", "x"]]))[0] == "x"


def test_an_empty_ranking_leaves_the_other_as_it_is():
    assert ranked(reciprocal_rank_fusion([["c", "a", "b"], []])) == ["c", "a", "b"]
    assert reciprocal_rank_fusion([[], []]) == {}
    assert ranked(convex_sum({"c": 0.9, "a": 0.8, "b": 0.7}, {}, lambda one: 0.1)) == [*"cab"]
    assert convex_sum({}, {}, lambda one: 0.5) == {}


def test_weights_belong_to_an_item_and_a_ranking():
    by_item = {"việt": (1.0, 1.0), "english": (1.8, 0.2)}
    fused = reciprocal_rank_fusion([["english"], ["việt", "english"]], by_item)
    assert fused["english"] == pytest.approx(1.8 / 61 + 0.2 / 62)
    assert fused["việt"] == pytest.approx(1 / 61)


def test_normalised_scores_go_from_0_to_1_and_equal_ones_are_1():
    assert min_max({"a": 9.0, "b": 7.0, "c": 5.0}) == {"a": 1.0, "b": 0.5, "c": 0.0}
    assert min_max({"a": 3.0, "b": 3.0}) == {"a": 1.0, "b": 1.0}
    assert min_max({}) == {}


def test_the_sum_weighs_normalised_scores_by_the_share_of_the_item():
    share = {"việt": 0.6, "english": 0.9, "third": 0.6}
    dense = {"english": 0.9, "việt": 0.85, "third": 0.8}
    fused = convex_sum(dense, {"việt": 12.0, "third": 2.0}, share.__getitem__)
    assert fused == {
        "english": pytest.approx(0.9),
        "việt": pytest.approx(0.6 * 0.5 + 0.4),
        "third": pytest.approx(0.0),
    }


def share(query, passage, *, without_accents=False, words=8):
    return dense_share(query, passage, without_accents=without_accents, words=words)


def test_vectors_count_most_across_languages_and_least_for_bare_vietnamese():
    assert share("vi", "en") > share("vi", "vi") == share("en", "en") > 0.5
    assert share("vi", "vi", without_accents=True) < 0.5
    assert share("en", "en", without_accents=True) == share("en", "en")


@pytest.mark.parametrize("language", ["vi", "en", "und"])
def test_the_more_words_a_question_has_the_more_they_count(language):
    shares = [share(language, language, words=words) for words in (5, 20, 30, 40, 80)]
    assert shares == pytest.approx([0.65, 0.65, 0.45, 0.25, 0.25])


def test_the_length_of_a_question_says_nothing_across_languages_and_without_accents():
    assert share("vi", "en", words=60) == share("vi", "en")
    bare = share("vi", "vi", without_accents=True)
    assert share("vi", "vi", without_accents=True, words=60) == bare


def test_an_unknown_language_counts_as_the_same():
    assert share("und", "vi") == share("vi", "") == share("vi", "vi")
