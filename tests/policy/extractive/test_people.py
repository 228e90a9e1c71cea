"""Whom a sentence is about, when it spells a name out or tells another deed."""

from collections.abc import Callable
from typing import Any

import pytest

from policy.extractive.answers import extract
from policy.extractive.doubts import other_deed
from policy.extractive.objections import sentence_conflict, spells_out
from policy.language.questions import read

Grade = Callable[..., Any]
Make = Callable[..., dict[str, Any]]


def test_the_full_form_of_a_titled_name_is_no_other_person() -> None:
    ask = read("When was Karel Nowak born?")
    sentence = "Karel Antonin Nowak (born 29 March 1966) is a coach."
    assert sentence_conflict(ask, sentence, "29 March 1966", "Karel Nowak") == ""
    assert "Karel Antonin Nowak" in sentence_conflict(ask, sentence, "29 March 1966", "Coaches")


@pytest.mark.parametrize(
    ("sentence", "name", "title", "spelled"),
    [
        ('Karel "Tota" Nowak coached the team.', "Karel Nowak", "Karel Nowak", True),
        ("Karel Antonin Nowak coached the team.", "Karel Nowak", "The team", False),
        ("Karel Dvorak, a friend of Anna Nowak, coached.", "Karel Nowak", "Karel Nowak", False),
        ("Nguyễn Thị Ngọc Lan (sinh 1980) là kỹ sư.", "Nguyễn Lan", "Nguyễn Lan", True),
        ("Nguyễn Thị Lan Anh là kỹ sư.", "Nguyễn Lan", "Kỹ sư", False),
        ("Ann Ray reports to Bob Lee.", "Ann Lee", "Ann Lee", False),
        ("Nguyễn Minh thay Trần Lan ký.", "Nguyễn Lan", "Nguyễn Lan", False),
        ("Gold members pay more than on the Silver Plan.", "Gold Plan", "Gold Plan", False),
    ],
)
def test_a_name_is_spelled_out_only_under_its_own_title(
    sentence: str, name: str, title: str, spelled: bool
) -> None:
    assert spells_out(sentence, name, title) is spelled


@pytest.mark.parametrize(
    ("question", "sentence", "other"),
    [
        ("Who composed the music of Night Lamp?", "Night Lamp was directed by Ann Lee.", True),
        ("Who composed the music of Night Lamp?", "Its music was composed by Ann Lee.", False),
        ("Who is the grandmother of Tom Vane?", "Tom Vane was the son of Ben Vane.", True),
        ("Ai sáng tác bài Đèn Đêm?", "Bài Đèn Đêm do Hà Linh trình bày.", True),
        ("Con cưới thì bố mẹ được nghỉ mấy ngày?", "Con kết hôn: nghỉ 1 ngày.", False),
    ],
)
def test_who_did_one_thing_did_not_thereby_do_another(
    question: str, sentence: str, other: bool
) -> None:
    assert other_deed(read(question), sentence) is other


def test_a_date_of_death_in_a_bracket_answers(grade: Grade, passage: Make) -> None:
    one = passage("Karel Antonin Nowak (May 2, 1936 – June 7, 1989) was a coach.", "Karel Nowak")
    assert grade("When did Karel Nowak die?", one).answer == "June 7, 1989"


@pytest.mark.parametrize(
    ("question", "sentence", "name"),
    [
        ("Who is the creator of the Crowning?",
         "The Crowning is a painting by the Italian Renaissance painter Lorenz Costa.",
         "Lorenz Costa"),
        ("Who is the publisher of The North Light?",
         "The North Light was published from a hall in Rochester, New York by abolitionist "
         "Fred Douglas.", "Fred Douglas"),
        ("Who made Nothing Blue?",
         "Nothing Blue is an R&B/swing-styled single from American actor and singer Joe Lawr.",
         "Joe Lawr"),
        ("Who wrote dc?",
         "Ken Pizz <ken@example.org> wrote dc, with the code that Phil Nels wrote for it.",
         "Ken Pizz"),
        ("Who is the CEO of Acme?", "The CEO of Acme, Lan Pham, met the lawyer Tom Hill.",
         "Lan Pham"),
        ("Ai viết tập Sóng?", "Tập Sóng do nhà thơ Trần Thị Mận viết.", "Trần Thị Mận"),
    ],
)  # fmt: skip
def test_who_did_it_is_told_by_occupation_and_place_in_the_sentence(
    question: str, sentence: str, name: str
) -> None:
    assert extract(read(question), sentence)[0] == name


def test_an_english_preposition_is_no_vietnamese_noun() -> None:
    """Without accents "tổ" (team) is written as "to"."""
    ask = read("Which team is Adam Hamm on?")
    assert not extract(ask, "He moved to Walden Wanderers in 2011.")[0].startswith("to ")


@pytest.mark.parametrize(
    ("question", "sentence", "answer"),
    [
        ("When was Fern Leo born?",
         "Fern Leo( 11 January 1932 – 2 December 2003) was a director born in San Ferd, Italy.",
         "11 January 1932"),
        ("When did Sig Jens go into space?",
         "Sig Jens (born 13 February 1937) is a pilot, who in 1978 was the first to fly in space.",
         "1978"),
        ("When was Acme founded?", "From 2005 Lan has led Acme, which was founded in 1998.",
         "1998"),
        ("When was Violet formed?", "Violet is a band from Varn, formed from 1980 to 2009.",
         "1980"),
        ("Trần Văn Ba sinh năm nào?",
         "Trần Văn Ba (1932 – 2003) là đạo diễn sinh tại Huế.", "1932"),
    ],
)  # fmt: skip
def test_a_date_is_that_of_what_is_asked_for(question: str, sentence: str, answer: str) -> None:
    assert extract(read(question), sentence)[0] == answer
