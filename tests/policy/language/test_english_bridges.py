"""English questions inside questions: participles, offices, places, several askings at once."""

import pytest

from policy.language.comparing import decide, read_comparison
from policy.language.decompose import decompose


def _parts(question: str) -> list[str]:
    return [one.question for one in decompose(question)]


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (
            "Which university did the woman leading the research team of Project Ember attend?",
            [
                "Who is leading the research team of Project Ember?",
                "Which university did {s1} attend?",
            ],
        ),
        (
            "Who is the manager of the person in charge of Project Ember?",
            ["Who is in charge of Project Ember?", "Who is the manager of {s1}?"],
        ),
        (
            "How heavy is the camera used on the Ember drones?",
            ["Which camera was used on the Ember drones?", "How heavy is {s1}?"],
        ),
        (
            "How many people live in the town of the university to which Lab Rho belongs?",
            [
                "To which university Lab Rho belongs?",
                "In which town is {s1}?",
                "How many people live in {s2}?",
            ],
        ),
        (
            "Which organisation employed the founder of the lab that designed Ember?",
            [
                "Which lab designed Ember?",
                "Who is the founder of {s1}?",
                "Which organisation employed {s2}?",
            ],
        ),
        (
            "When was the university founded at which the leader of Project Ember studied?",
            None,
        ),
    ],
)
def test_a_noun_phrase_that_asks_is_a_question_of_its_own(
    question: str, parts: list[str] | None
) -> None:
    found = _parts(question)
    assert found[0] == "Who is the leader of Project Ember?" if parts is None else found == parts


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (
            "When and where was Ann Lee born?",
            ["When was Ann Lee born?", "where was Ann Lee born?"],
        ),
        (
            "Who founded Lab Rho and in what year?",
            ["Who founded Lab Rho?", "in what year was Lab Rho founded?"],
        ),
        (
            "What did Ann Lee and Bo Olsen study?",
            ["What did Ann Lee study?", "What did Bo Olsen study?"],
        ),
        (
            "Dự án Ember do phòng thí nghiệm nào thực hiện và phòng thí nghiệm đó ở đâu?",
            ["Dự án Ember do phòng thí nghiệm nào thực hiện?", "{s1} ở đâu?"],
        ),
    ],
)
def test_what_and_joins_is_asked_one_by_one(question: str, parts: list[str]) -> None:
    assert _parts(question) == parts


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("QX-1 or QX-2: which one keeps going longer on a battery?", "How long does QX-1 last"),
        ("Was Lab Rho founded before or after Lab Phi?", "When was Lab Rho founded?"),
        ("Which of the two labs, Lab Rho or Lab Phi, is older?", "When was Lab Rho founded?"),
        (
            "Who was born earlier, the founder of Lab Rho or the founder of Lab Phi?",
            "When was the founder of Lab Rho born?",
        ),
        ("Which costs more, the QX-1 or the QX-2?", "How much does the QX-1 cost?"),
    ],
)
def test_a_comparison_asks_for_the_value_of_each_side(question: str, first: str) -> None:
    comparison = read_comparison(question)
    assert comparison is not None
    assert comparison.sides[0].startswith(first)


@pytest.mark.parametrize(
    "question", ["Which is older, Lab Rho or Lab Phi?", "Lab Rho hay Lab Phi thành lập trước?"]
)
def test_a_comparison_is_not_decided_by_numbers_somewhere_in_sentences(question: str) -> None:
    comparison = read_comparison(question)
    assert comparison is not None
    sentence = "The instrument called QX-1 looks like its sister and weighs 3 kilograms."
    assert decide(comparison, sentence, "2012") is None
    assert decide(comparison, "2010", "2012") == 0
