"""What is told of a round while it goes on."""

from groundhop.progress import turned_down


def test_the_reasons_that_are_left_out_are_counted_in_words() -> None:
    reasons = ["không nêu số", "nói về năm khác", "không nêu tên", "nói về người khác"]
    assert turned_down(reasons).endswith("; 1 more reason")
    assert turned_down([*reasons, "it is close"]).endswith("; 2 more reasons")
    assert turned_down(["không nêu số"] * 2) == "không nêu số (2)"
