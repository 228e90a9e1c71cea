"""Nations, regions and parents as answers, and what only looks like one."""

from typing import Any

import pytest

from policy.extractive.answers import extract
from policy.extractive.entities import entities, subject_of
from policy.extractive.nations import nation_in
from policy.extractive.parents import parent_in, spouse_in
from policy.extractive.regions import region_in
from policy.language.questions import read


@pytest.mark.parametrize(
    ("question", "sentence", "nation"),
    [
        ("What nationality is Ann Lee?", "Ann Lee was a Danish printer.", "Danish"),
        ("Which country is Ann Lee from?", "Ann Lee is a retired New Zealand diver.",
         "New Zealand"),
        ("Which country is Ann Lee from?", "Ann Lee is a Catholic priest.", ""),
        ("Which country did Ann Lee visit?", "Ann Lee is a Danish printer.", ""),
        ("Trần Thị Mận là người nước nào?", "Trần Thị Mận là nhà văn người Pháp.", "Pháp"),
        ("Quốc tịch của Trần Thị Mận là gì?", "Bà Mận mang quốc tịch Việt Nam.", "Việt Nam"),
        ("Trần Thị Mận làm ở phòng nào?", "Trần Thị Mận là nhà văn người Pháp.", ""),
    ],
)  # fmt: skip
def test_a_nation_is_told_by_what_somebody_is(question: str, sentence: str, nation: str) -> None:
    assert nation_in(read(question), sentence) == nation


@pytest.mark.parametrize(
    ("question", "sentence", "place"),
    [
        ("In which country is Brennick located?",
         "Brennick is a town in the Eastern Region of Marrowland.", "Marrowland"),
        ("In which country is Masher located?",
         "Masher is located in the Ganch District, Gilgit of Pakland and is high.", "Pakland"),
        ("In which state is Redan School located?",
         "Redan School is a school in Kalb County, Georgia, United States.", "Georgia"),
        ("In which county is Redan School located?",
         "Redan School is a school in Kalb County, Georgia, United States.", "Kalb County"),
        ("In which city was Ann Lee born?", "Ann Lee was born in Appleton, Wisconsin.",
         "Appleton"),
        ("In which state is the farm located?",
         "It has 107 turbines, located in Sac and Vista counties in north-west Iowa.", "Iowa"),
        ("Which country did the team beat?", "The team beat Norway in Lund, Sweden.", ""),
    ],
)  # fmt: skip
def test_a_place_is_read_level_by_level(question: str, sentence: str, place: str) -> None:
    assert region_in(read(question), sentence) == place


@pytest.mark.parametrize(
    ("question", "sentence", "parent"),
    [
        ("Who is the father of Ann Lee?", "She was the second daughter of Ben Lee and Ida Holm.",
         "Ben Lee"),
        ("Who is the mother of Ann Lee?", "She was the second daughter of Ben Lee and Ida Holm.",
         "Ida Holm"),
        ("Who is the mother of Ann Lee?", "Her mother, Ida Holm, was a diver.", "Ida Holm"),
        ("Who is the father of Tom Vane?",
         "He was the son of Otto II the Tall by his wife Ida of Marrow.", "Otto II the Tall"),
        ("Who is the mother of Tom Vane?",
         "He was the son of Otto II the Tall by his wife Ida of Marrow.", "Ida of Marrow"),
        ("Bố của Trần Thị Mận là ai?", "Trần Thị Mận là con gái của ông Trần Văn Bình.",
         "Trần Văn Bình"),
        ("Who is the manager of Ann Lee?", "Ann Lee was the daughter of Ben Lee.", ""),
    ],
)  # fmt: skip
def test_a_parent_is_the_one_whose_child_somebody_is(
    question: str, sentence: str, parent: str
) -> None:
    assert parent_in(read(question), sentence) == parent


@pytest.mark.parametrize(
    ("question", "sentence", "answer"),
    [
        ("When did Ann Lee die?", "Ann Lee (May 2, 1936 – March 27, 1989) was a printer.",
         "March 27, 1989"),
        ("When was Ann Lee born?", "Ann Lee (May 2, 1936 – March 27, 1989) was a printer.",
         "May 2, 1936"),
        ("Where did Marc Costa die?",
         "Marc Costa (Lund, 30 May 1904 – Oslo, 22 October 1995) was a baker.", "Oslo"),
        ("Trần Thị Mận mất khi nào?",
         "Trần Thị Mận (10 tháng 7 năm 1910 – 28 tháng 7 năm 1987) là nhà văn.",
         "28 tháng 7 năm 1987"),
        ("Who is the performer of Night Lamp?",
         "Night Lamp is a song performed by American musician Scott R. Dunn.", "Scott R. Dunn"),
        ("Who directed The Lamp?", "The Lamp was directed by M. Krishna Rao in 1960.",
         "M. Krishna Rao"),
        ("Who wrote The Lamp?", "The Lamp was written by J.K. Rowe.", "J.K. Rowe"),
    ],
)  # fmt: skip
def test_lives_and_initials_are_read_whole(question: str, sentence: str, answer: str) -> None:
    found, fit = extract(read(question), sentence)
    assert (found, fit >= 0.7) == (answer, True)


def test_a_birth_date_does_not_tell_when_somebody_died() -> None:
    assert extract(read("When did Ida Holm die?"), "Ida Holm (born 26 August 1970) dives.") == (
        "",
        0,
    )


def test_where_somebody_is_from_is_nobody_to_ask_about() -> None:
    passage = {"heading": "", "title": "", "text": "", "id": "1"}
    ask = read("Who married the musician behind Night Lamp?")
    sentence = "Night Lamp is the work of American musician Scott Dunn."
    named = [one.name for one in entities(ask, sentence, None, passage)]  # type: ignore[arg-type]
    assert named == ["Scott Dunn"]


@pytest.mark.parametrize(
    ("question", "sentence", "answer"),
    [
        ("Who manages payroll?", "Payroll is managed by Susan in Hanoi.", "Susan"),
        ("Who approves claims?", "Claims are approved by Ivan and checked later.", "Ivan"),
        ("When was Ann Lee born?", "Ann Lee (born 1990, hired 2015) is a manager.", "1990"),
        ("When was Ann Lee born?", "Ann Lee (Head of IT, 2015 – 2019) was born in 1970.", "1970"),
        ("Mất thẻ thì báo trước ngày nào?", "Thẻ (2023 - 2024) phải báo trước 5/5/2024.",
         "5/5/2024"),
        ("In which state is the plant located?", "It opened in March 2010 in Austin, Texas.",
         "Texas"),
        ("In which country is the branch located?",
         "The branch in Munich, Germany, opened in May.", "Germany"),
    ],
)  # fmt: skip
def test_what_only_looks_like_a_nation_a_life_or_a_place_is_read_as_before(
    question: str, sentence: str, answer: str
) -> None:
    assert extract(read(question), sentence)[0] == answer


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("What nationality is Ann Lee?", "Ann Lee is a Senior Manager at the office."),
        ("Which country is Ann Lee from?", "Ann Lee is an IT specialist."),
        ("Who checks the nationality of applicants?", "Ann Lee is a Danish officer."),
        ("Ai kiểm tra quốc tịch của ứng viên?", "Chị Lan kiểm tra quốc tịch Việt Nam."),
    ],
)
def test_a_post_is_no_nation_and_a_person_is_not_answered_by_one(
    question: str, sentence: str
) -> None:
    assert nation_in(read(question), sentence) == ""


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Who is the father of Ann Lee?", "Ben is the son of Ann Lee."),
        ("Bố của Lan là ai?", "Minh là con của Lan."),
        ("Bố của Lan là ai?", "Lan là con gái của bà Trần Hoa."),
    ],
)
def test_the_child_of_the_one_in_question_tells_no_parent(question: str, sentence: str) -> None:
    assert parent_in(read(question), sentence) == ""


def test_who_is_told_to_be_a_child_is_not_taken_for_the_parent() -> None:
    passage: Any = {"heading": "Elena Marrow", "title": "Elena Marrow", "text": "", "id": "1"}
    told = "She was the daughter of Otto Marrow and Ida Holm."
    assert subject_of(read("Who is the mother of Ida Holm?"), told, passage) == ""
    assert subject_of(read("Who is the mother of Tom?"), "She is the mother of Tom.", passage)


@pytest.mark.parametrize(
    ("question", "sentence", "answer"),
    [
        ("Which country is Ann Lee from?", "Ann Lee is a retired cyclist from Denmark.",
         ("Denmark", 1.0)),
        ("Which country is Ann Lee from?", "Ann Lee is a manager from Acme.", ("Acme", 0.6)),
        ("In which country Ann Lee is a citizen?", "Ann Lee was a Scottish poet.",
         ("Scottish", 1.0)),
        ("What nationality is Ann Lee?", "Ann Lee, a Danish printer, lives in Varn.",
         ("Danish", 1.0)),
        ("What nationality was Ann Lee?", "Ann Lee was a Christian minister.", ("", 0.0)),
        ("What nationality is Ann Lee?", "Ann Lee created Python in Varn.", ("", 0.0)),
        ("What nationality is Ann Lee?", "Acme, the German company, hired Ann Lee.", ("", 0.0)),
        ("What nationality is Ann Lee?", "Nationality: Danish", ("Danish", 1.0)),
        ("Which country is Signe from?", "Signe sang in Finland's national qualifications.",
         ("Finland", 1.0)),
    ],
)  # fmt: skip
def test_what_tells_no_nation_is_no_answer(
    question: str, sentence: str, answer: tuple[str, float]
) -> None:
    assert extract(read(question), sentence) == answer


@pytest.mark.parametrize(
    ("question", "sentence", "answer"),
    [
        ("Is Tide an American documentary?", "Tide is a 2003 Australian documentary.", "No"),
        ("Is Tide an American documentary?", "Tide is an American documentary.", "Yes"),
        ("Is Tide a US-based magazine?", "Tide is a British magazine on tides.", "No"),
        ("Is Tide a US company?", "Tide is an American company.", "Yes"),
    ],
)
def test_another_nation_than_the_one_asked_about_is_a_no(
    question: str, sentence: str, answer: str
) -> None:
    found, fit = extract(read(question), sentence)
    assert (found, fit >= 0.7) == (answer, True)


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Is Ann Lee a British citizen?", "Ann Lee is an English engineer."),
        ("Is Acme a Danish company?", "Acme was founded in Varn; its rival is a Thai company."),
    ],
)
def test_no_other_nation_is_read_out_of_what_does_not_tell_it(question: str, sentence: str) -> None:
    found, fit = extract(read(question), sentence)
    assert found == "Yes" or fit < 0.7


@pytest.mark.parametrize(
    ("sentence", "place"),
    [
        ("Lan works at McDonald's in Hanoi.", "McDonald's"),
        ("The files are stored in Acme's cloud.", "Acme's cloud"),
    ],
)
def test_a_place_that_belongs_to_somebody_is_told_whole(sentence: str, place: str) -> None:
    assert extract(read("Where is it?"), sentence)[0] == place


def test_a_number_that_a_sentence_lacks_is_no_yes() -> None:
    ask = read("Was the Aurora project led by Ann Lee in Varn since 2019?")
    assert extract(ask, "The Aurora project was led by Ann Lee in Varn since 2021.")[1] < 0.7


@pytest.mark.parametrize(
    ("question", "sentence", "name"),
    [
        ("Who is the father of Sir Mort Dunn, 4th Baronet?",
         "Sir Mort Dunn, 4th Baronet was son of Sir Rolf Dunn, 3rd Baronet and Ann.",
         "Sir Rolf Dunn, 3rd Baronet"),
        ("Who is the father of Sir Rolf Dunn, 3rd Baronet?",
         "He was son of Sir Rolf Dunn, 2nd Baronet and Ann Harv.", "Sir Rolf Dunn, 2nd Baronet"),
        ("Who is the father of Tom Dunn?", "The second son of the Hon. George Dunn.",
         "George Dunn"),
    ],
)  # fmt: skip
def test_a_father_of_the_same_name_is_told_by_his_rank(
    question: str, sentence: str, name: str
) -> None:
    assert parent_in(read(question), sentence) == name


@pytest.mark.parametrize(
    ("question", "sentence", "name"),
    [
        ("Who is the husband of Maria Lund?",
         "Maria Lund was the First Lady of Norland, as wife of the Norlandian President Jac Ar.",
         "Jac Ar"),
        ("Who is the spouse of Ann Lee?", "Ann Lee was married to the painter Bo Ek.", "Bo Ek"),
        ("Who founded Lab Theta?", "Ann Lee was married to the painter Bo Ek.", ""),
        ("Who is the wife of Ben Kim?", "Mary Poe was the wife of Tom Hill and knew Ben Kim.",
         ""),
        ("Who is the husband of Ann Lee?",
         "Mary Poe is the wife of Tom Hill, and Ann Lee's husband is Ben Kim.", ""),
        ("Vợ của Minh là ai?", "Chồng của Hoa là Nam, còn vợ của Minh là Lan.", ""),
        ("Chồng của Lê Thị Hoa là ai?", "Lê Thị Hoa là vợ của ông Trần Văn Nam.",
         "Trần Văn Nam"),
        ("Chong cua Le Thi Hoa la ai?", "Le Thi Hoa la vo cua ong Tran Van Nam.",
         "Tran Van Nam"),
    ],
)  # fmt: skip
def test_whose_husband_or_wife_somebody_is(question: str, sentence: str, name: str) -> None:
    assert spouse_in(read(question), sentence) == name
