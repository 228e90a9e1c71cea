from collections.abc import Callable
from typing import Any

import pytest

from policy.extractive.calibration import is_long

Run = Callable[..., Any]
Make = Callable[..., dict[str, Any]]

ENGLISH = {
    "question": "Which composer wrote the overture for the harbour festival in Torvik?",
    "told": "The harbour festival in Torvik, which the fishermen of the northern islands had paid "
    "for with the money of three good summers, was opened by an overture that the composer Edda "
    "Lindqvist wrote in the last weeks before the first guests arrived.",
    "others": (
        "Fishermen of the northern islands dried their nets on the long wooden racks behind the "
        "old customs house, and in good summers the smell of tar and salt reached the upper town "
        "before anybody there had opened a window.",
        "The customs house, whose roof had been covered with slates from a quarry on the other "
        "side of the fjord, was turned into a library after the railway had taken the last of "
        "the trade away from the small ships.",
    ),
}
VIETNAMESE = {
    "question": "Nhạc sĩ nào đã viết khúc mở màn cho lễ hội bến cảng ở thị trấn Vĩnh Xuyên?",
    "told": "Lễ hội bến cảng ở thị trấn Vĩnh Xuyên, vốn do những người đánh cá góp tiền sau ba mùa "
    "hè được mùa liên tiếp, được mở đầu bằng một khúc mở màn mà nhạc sĩ Đặng Hữu Lâm đã viết "
    "trong những tuần cuối cùng trước khi khách đến.",
    "others": (
        "Những người đánh cá trên các đảo phía bắc phơi lưới trên dãy giàn gỗ dài sau nhà thuế "
        "quan cũ, và vào những mùa hè được mùa thì mùi muối lan đến tận khu phố trên cao trước "
        "khi có ai kịp mở cửa sổ.",
        "Nhà thuế quan cũ, với mái lợp bằng đá phiến lấy từ mỏ đá ở bờ bên kia vịnh, được đổi "
        "thành thư viện sau khi đường sắt lấy đi phần buôn bán cuối cùng của những chiếc thuyền "
        "nhỏ trong vùng.",
    ),
}
BOTH = pytest.mark.parametrize("case", [ENGLISH, VIETNAMESE], ids=["en", "vi"])


@BOTH
def test_a_long_sentence_that_states_the_answer_is_believed_among_others(
    grade: Run, passage: Make, case: dict[str, Any]
) -> None:
    found = [passage(one) for one in (*case["others"], case["told"])]
    graded = grade(case["question"], *found)
    assert graded.covered == "yes"
    assert [one.passage_id for one in graded.verdicts if one.relevant == "yes"] == [found[2]["id"]]


@BOTH
def test_long_sentences_that_do_not_state_it_are_turned_down_with_a_reason(
    grade: Run, passage: Make, case: dict[str, Any]
) -> None:
    graded = grade(case["question"], *[passage(one) for one in case["others"]])
    assert graded.covered == "no"
    assert all(one.relevant == "no" and one.reason for one in graded.verdicts)


@BOTH
def test_a_long_sentence_about_another_place_is_turned_down_whatever_the_others_say(
    grade: Run, passage: Make, case: dict[str, Any]
) -> None:
    other = case["question"].replace("in Torvik", "on Project Halden").replace("Xuyên", "Hòa")
    told = case["told"].replace("in Torvik", "on Project Torvik")
    denied = grade(other, passage(told), *[passage(one) for one in case["others"]])
    assert denied.covered == "no"


def test_sentences_are_long_from_nineteen_words_on_average() -> None:
    words = "một hai ba bốn năm sáu bảy tám chín mười"
    assert is_long([f"{words} {words}", f"{words} tám chín mười một hai ba bốn năm"])
    assert not is_long([f"{words} {words}", f"{words} bảy tám chín mười một hai ba"])
    assert not is_long([])
