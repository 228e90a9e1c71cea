"""Whom a sentence is about, when it spells a name out or tells another deed."""

from collections.abc import Callable
from typing import Any

import pytest

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
