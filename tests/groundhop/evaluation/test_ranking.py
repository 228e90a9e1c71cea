"""Every measure of a ranking against an example worked by hand."""

import pytest

from groundhop.evaluation import ranking
from retrieval.fusion import reciprocal_rank_fusion

A, B, C = frozenset({"a"}), frozenset({"b"}), frozenset({"c"})


def test_the_mean_reciprocal_rank_of_ranks_1_2_and_5_is_0_567() -> None:
    rankings = [["a", "x"], ["x", "a"], ["v", "w", "x", "y", "a"]]
    found = [ranking.reciprocal_rank(one, [A]) for one in rankings]
    assert sum(found) / 3 == pytest.approx(0.567, abs=0.0005)  # (1 + 1/2 + 1/5) / 3


def test_a_ranking_without_a_relevant_document_has_reciprocal_rank_0() -> None:
    assert ranking.reciprocal_rank(["x", "y"], [A]) == 0


def test_recall_counts_pieces_and_precision_divides_by_k() -> None:
    found = ["a", "x", "b", "y", "z", "c"]
    assert ranking.recall(found, [A, B, C], 5) == pytest.approx(2 / 3)
    assert ranking.precision(found, [A, B, C], 5) == pytest.approx(2 / 5)
    assert ranking.precision(["a"], [A], 5) == pytest.approx(1 / 5)
    assert ranking.precision(["a", "x"], [A]) == pytest.approx(1 / 2)


def test_all_found_needs_every_piece_within_k() -> None:
    assert ranking.all_found(["a", "x", "b"], [A, B], 3) == 1
    assert ranking.all_found(["a", "x", "b"], [A, B], 2) == 0


def test_any_document_of_a_piece_will_do_and_a_second_one_brings_nothing() -> None:
    either = frozenset({"a", "a2"})
    assert ranking.recall(["a2"], [either], 5) == 1
    once = ranking.ndcg(["a2", "x", "b"], [either, B], 5)
    assert ranking.ndcg(["a2", "a", "b"], [either, B], 5) == once


def test_ndcg_discounts_by_the_logarithm_of_the_rank() -> None:
    # gains at ranks 1 and 3: 1/log2(2) + 1/log2(4) = 1.5; best: 1 + 1/log2(3) = 1.6309
    assert ranking.ndcg(["a", "x", "b"], [A, B], 5) == pytest.approx(1.5 / 1.6309, abs=1e-4)
    assert ranking.ndcg(["a", "b"], [A, B], 5) == 1
    assert ranking.ndcg(["x"], [A], 5) == 0


def test_the_best_of_five_places_is_full_even_where_more_is_wanted() -> None:
    six = [frozenset({name}) for name in "abcdef"]
    assert ranking.ndcg(list("abcde"), six, 5) == 1


def test_several_searches_are_merged_by_rank_then_by_order() -> None:
    assert ranking.merged([["a", "b"], ["c", "a", "d"]]) == ["a", "c", "b", "d"]
    assert ranking.merged([["a", "a", "b"], ["c"]]) == ["a", "c", "b"]
    assert ranking.merged([]) == []


def test_rank_fusion_of_two_lists_by_hand() -> None:
    fused = dict(reciprocal_rank_fusion([["a", "b", "c"], ["c", "a"]]))
    assert fused["a"] == pytest.approx(1 / 61 + 1 / 62)
    assert fused["b"] == pytest.approx(1 / 62)
    assert fused["c"] == pytest.approx(1 / 63 + 1 / 61)
    assert sorted(fused, key=fused.__getitem__, reverse=True) == ["a", "c", "b"]
