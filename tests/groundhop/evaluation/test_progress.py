"""What `eval` says while it runs."""

from groundhop.evaluate import _left
from groundhop.evaluation.running import Step


def test_the_last_answer_is_followed_by_no_time_that_is_left() -> None:
    assert _left(Step(5, 6, seconds_left=2.0)) == ", about 2 s left"
    assert _left(Step(6, 6, seconds_left=0.0)) == ""
