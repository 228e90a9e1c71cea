import pytest

from policy.language.decompose import decompose, through_parents


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("What is the date of birth of the director of Lab Theta?",
         ["Who is the director of Lab Theta?", "When was {s1} born?"]),
        ("Where was the place of death of Ann Lee?", ["Where did Ann Lee die?"]),
        ("When is Ann Lee's birthday?", ["When was Ann Lee born?"]),
        ("What is the date of the party?", ["What is the date of the party?"]),
    ],
)  # fmt: skip
def test_an_attribute_is_asked_for_as_texts_state_it(question: str, parts: list[str]) -> None:
    assert ([one.question for one in decompose(question)] or [question]) == parts


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("Who was the maternal grandmother of Tom Vane?",
         ["Who is the mother of Tom Vane?", "Who is the mother of {s1}?"]),
        ("Who is Tom Vane's paternal grandfather?",
         ["Who is the father of Tom Vane?", "Who is the father of {s1}?"]),
        ("Bà nội của Trần Thị Mận là ai?", ["Bố của Trần Thị Mận là ai?", "Mẹ của {s1} là ai?"]),
        ("Ong ngoai cua Tran Thi Man la ai?", ["Me cua Tran Thi Man la ai?", "Bo cua {s1} la ai?"]),
        ("Who is the grandmother of Tom Vane?", []),
    ],
)  # fmt: skip
def test_a_grandparent_whose_side_is_told_is_found_through_a_parent(
    question: str, parts: list[str]
) -> None:
    assert [one.question for one in through_parents(question)] == parts


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("What was the cause of death of Joan, Lady of Ware's father?",
         "Who is the father of Joan, Lady of Ware?"),
        ("Who was married to the creator of Ruby Turning a Screw Ring?",
         "Who is the creator of Ruby Turning a Screw Ring?"),
        ("Where did the creator of the Feast of Isabella d'Arno's Crown die?",
         "Who is the creator of the Feast of Isabella d'Arno's Crown?"),
        ("Who is the boss of the head of Lab Theta in the Marrow building?",
         "Who is the head of Lab Theta?"),
    ],
)  # fmt: skip
def test_a_name_keeps_its_rank_and_its_small_words(question: str, first: str) -> None:
    assert decompose(question)[0].question == first
