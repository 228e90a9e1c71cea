from collections.abc import Callable
from typing import Any

import pytest

from policy.extractive.calibration import HARDLY, LIKELY_THERE, PRESENT, WEAK, is_long
from policy.extractive.grading import Finding
from policy.extractive.verdicts import graded
from policy.language.questions import read

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


ASKED = {
    "en": "Who wrote the overture for the harbour festival in Torvik?",
    "vi": "Ai viết khúc mở màn cho lễ hội bến cảng ở Vĩnh Xuyên?",
}
IN_BOTH = pytest.mark.parametrize("language", ["en", "vi"])


def covered(question: str, score: float, presence: float | None, **more: Any) -> str:
    told: dict[str, Any] = {"quote": "It was told at length.", "answer": "", "fit": 0.5, **more}
    finding = Finding("p1", score=score, presence=presence, reason="it is close", **told)
    view: Any = {
        "original_question": question,
        "subgoal": {"id": "s1", "question": question},
        "passages": [],
        "facts": [],
    }
    return graded(read(question), [finding], view).covered


@IN_BOTH
def test_what_all_sentences_say_decides_and_not_the_likeliest_alone(language: str) -> None:
    assert covered(ASKED[language], 0.1, None) == "no"
    assert covered(ASKED[language], 0.1, PRESENT) == "yes"
    assert covered(ASKED[language], 0.9, None) == "yes"
    assert covered(ASKED[language], 0.9, PRESENT - 0.01) == "no"


@IN_BOTH
def test_a_sentence_that_is_hardly_likely_needs_a_sure_answer_in_it(language: str) -> None:
    sure = {"answer": "Edda Lindqvist", "fit": 1.0}
    assert covered(ASKED[language], HARDLY, 0.9) == "no"
    assert covered(ASKED[language], HARDLY, 0.9, **sure) == "yes"
    assert covered(ASKED[language], 0.0, 0.9, **sure) == "no"


@IN_BOTH
def test_a_sentence_without_anything_of_the_asked_kind_needs_more(language: str) -> None:
    assert covered(ASKED[language], 0.3, LIKELY_THERE - 0.01, fit=0.0) == "no"
    assert covered(ASKED[language], 0.3, LIKELY_THERE, fit=0.0) == "yes"


@IN_BOTH
def test_a_passage_that_lacks_the_name_needs_its_own_probability_as_well(language: str) -> None:
    assert covered(ASKED[language], 0.5, 0.99, nameless=True) == "no"
    assert covered(ASKED[language], 0.9, WEAK - 0.01, nameless=True) == "no"
    assert covered(ASKED[language], 0.9, WEAK, nameless=True) == "yes"


@IN_BOTH
def test_a_doubted_sentence_and_a_row_are_judged_alone(language: str) -> None:
    assert covered(ASKED[language], 0.2, 0.99, doubted=True) == "no"
    assert covered(ASKED[language], 0.1, 0.99, quote="| Torvik | Edda |") == "no"
    assert covered(ASKED[language], 0.9, 0.01, quote="| Torvik | Edda |") == "yes"


LED = {
    "en": ("Who wrote the overture for the Torvik festival?", "Where was {s1} born?",
           "Edda Lindqvist"),
    "vi": ("Ai viết khúc mở màn cho lễ hội Vĩnh Xuyên?", "{s1} sinh ở đâu?", "Đặng Hữu Lâm"),
}  # fmt: skip


def answer_of_a_hop(language: str, score: float, presence: float | None) -> str:
    first, second, name = LED[language]
    quote = f"Years later {name} told of it at length."
    finding = Finding("p1", quote, name, score, "it is close", fit=0.6, presence=presence)
    view: Any = {
        "original_question": first,
        "subgoal": {"id": "s1", "question": first},
        "passages": [],
        "facts": [],
        "parts": [
            {"id": "s1", "question": first},
            {"id": "s2", "question": second, "depends_on": ["s1"]},
        ],
    }
    return graded(read(first), [finding], view).answer or ""


@IN_BOTH
def test_a_likely_name_is_asked_about_where_all_sentences_say_that_it_is_there(
    language: str,
) -> None:
    name = LED[language][2]
    assert answer_of_a_hop(language, 0.5, LIKELY_THERE) == name
    assert answer_of_a_hop(language, 0.5, LIKELY_THERE - 0.01) != name
    assert answer_of_a_hop(language, 0.2, LIKELY_THERE) != name
