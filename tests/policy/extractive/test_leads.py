"""A sentence that tells a part of a question leads on to the next hop, without grammar."""

from typing import Any

import pytest

from policy.extractive.accents import accented
from policy.extractive.entities import entities
from policy.extractive.noun_phrases import lacks_article
from policy.extractive.stretches import (
    lacks_verb,
    left_open,
    opens_phrase,
    phrase_of,
    stretch_told,
    told_share,
)
from policy.language.questions import read

Run = Any
Make = Any

TRIAL = "Khách hàng thử nghiệm đầu tiên của Dự án Sơn Trà là Thủy sản Vàm Nâu."
DIRECTOR = "Oren Castell became director of Lab Kappa in 2020."


@pytest.mark.parametrize(
    ("question", "sentence", "title", "name", "next_question"),
    [
        ("Khách hàng thử nghiệm đầu tiên của Sơn Trà do ai quản lý?", TRIAL, "Dự án Sơn Trà",
         "Thủy sản Vàm Nâu", "Thủy sản Vàm Nâu do ai quản lý?"),
        ("Where did the director of Lab Kappa study?", DIRECTOR, "Lab Kappa", "Oren Castell",
         "Where did Oren Castell study?"),
        ("How heavy is the spectrometer carried by Borealis masts?",
         "Masts of Borealis carry an SPX-220 spectrometer.", "Project Borealis", "SPX-220",
         "How heavy is SPX-220?"),
    ],
)  # fmt: skip
def test_what_a_sentence_tells_gives_way_to_whom_it_names(
    question: str, sentence: str, title: str, name: str, next_question: str, passage: Make
) -> None:
    ask = read(question)
    stretch = stretch_told(ask, sentence, title)
    assert stretch is not None
    names = [one.name for one in entities(ask, sentence, None, passage(sentence, title))]
    assert name in names
    assert left_open(ask, stretch, name)[0] == next_question


def test_a_name_alone_is_no_description_that_a_sentence_could_tell() -> None:
    ask = read("Giá trị hợp đồng HĐ-2025-011 là bao nhiêu?")
    sentence = "Người phụ trách hợp đồng HĐ-2025-011 là Đoàn Thế Vinh."
    assert stretch_told(ask, sentence, "Hợp đồng mua hàng") is None


def test_no_stretch_holds_a_name_that_the_passage_lacks() -> None:
    ask = read("Ai quản lý người phụ trách Dự án Sơn Trà?")
    stretch = stretch_told(ask, "Hà Kiều Linh phụ trách Dự án Tam Giang.", "Dự án Tam Giang")
    assert stretch is None or "Sơn Trà" not in ask.text[stretch.start : stretch.end]


def test_the_noun_of_a_kind_goes_with_what_is_replaced_and_the_post_before_it_stays() -> None:
    ask = read("Trưởng nhóm chịu trách nhiệm về ERR_5130 ngồi ở đâu?")
    sentence = "Nhóm Cảnh báo chịu trách nhiệm về ERR_5130."
    stretch = stretch_told(ask, sentence, "Mã lỗi thiết bị")
    assert stretch is not None
    assert ask.text[phrase_of(ask.text, stretch, "Nhóm Cảnh báo") :].startswith("nhóm")
    assert left_open(ask, stretch, "Nhóm Cảnh báo")[0] == "Trưởng Nhóm Cảnh báo ngồi ở đâu?"


def test_the_share_that_is_told_grows_with_the_second_sentence() -> None:
    ask = read("Where did the director of Lab Kappa study?")
    first, second = (DIRECTOR, "Lab Kappa"), ("Oren Castell studied physics.", "Profiles")
    assert told_share(ask, [first]) < told_share(ask, [first, second]) == 1.0


def test_a_question_that_no_sentence_answers_is_led_on_by_one_that_tells_a_part_of_it(
    grade: Run, passage: Make
) -> None:
    graded = grade(
        "Khách hàng thử nghiệm đầu tiên của Sơn Trà do ai quản lý?", passage(TRIAL, "Dự án Sơn Trà")
    )
    assert graded.covered == "no"
    assert graded.lead.answer == "Thủy sản Vàm Nâu"
    assert [one.question for one in graded.lead.rest] == ["Thủy sản Vàm Nâu do ai quản lý?"]
    assert [(one.relevant, one.quote) for one in graded.verdicts] == [("yes", TRIAL)]


def test_a_sibling_of_what_is_asked_about_leads_nowhere(grade: Run, passage: Make) -> None:
    graded = grade(
        "How many employees has the lab that ran Project Halo?",
        passage("Halo II is a project of the lab that ran wards.", "Project Halo II"),
    )
    assert graded.lead is None


@pytest.mark.parametrize(
    ("question", "sentence", "title", "named"),
    [
        ("How many employees has the lab that ran Project Halo?",
         "Halo II is run by Lab Delta.", "Halo II", ["Lab Delta"]),
        ("Ai là giám đốc của nơi làm ra Project Halo?",
         "Halo II do Lab Delta làm ra.", "Halo II", ["Lab Delta"]),
    ],
)  # fmt: skip
def test_the_name_of_a_sibling_is_no_name_to_ask_about(
    question: str, sentence: str, title: str, named: list[str], passage: Make
) -> None:
    found = entities(read(question), sentence, None, passage(sentence, title))
    assert [one.name for one in found] == named


def test_a_question_typed_without_accents_is_read_with_those_of_the_passages() -> None:
    ask = accented(
        read("mat khau phai co it nhat may ky tu"), ["Mật khẩu phải có ít nhất 14 ký tự."]
    )
    assert (ask.text, ask.kind) == ("mật khẩu phải có ít nhất mấy ký tự", "number")


def test_a_question_with_accents_and_an_english_one_stay_as_they_are() -> None:
    for question in ("Bạn ở đâu?", "How long is a ban?"):
        assert accented(read(question), ["Ban ở đầu hàng, à bản dài."]).text == question


@pytest.mark.parametrize(
    "part",
    [
        "Trần Quang Minh ngồi",
        "ERR_70 thì phải xử lý",
        "năm 2026",
        "nhận xử lý phàn nàn",
        "2026) thì được nghỉ",
        "năm 2025 ấy, khách phàn nàn",
    ],
)
def test_what_is_no_noun_phrase_gives_way_to_no_name(part: str) -> None:
    question = f"Tại công ty {part} bao nhiêu ngày?"
    left = question.index(part)
    assert not opens_phrase(question, left, left + len(part))


def test_a_noun_phrase_may_give_way_to_a_name() -> None:
    question = "Khách hàng đầu tiên của Dự án Sao Mai do ai quản lý?"
    assert opens_phrase(question, 0, question.index(" do ai"))


def test_an_english_question_without_its_verb_is_no_next_hop() -> None:
    assert lacks_verb("How much do Tau Grant per year?", "Tau Grant")
    assert not lacks_verb("How much does Lab Tau earn per year?", "Lab Tau")


@pytest.mark.parametrize(
    ("question", "part", "lacks"),
    [
        ("Which party had the candidate who ran for president in 1912?", "president in 1912", True),
        ("What is the highest city in Texas?", "city in Texas", True),
        ("Who voices Batman in the film?", "Batman in the film", True),
        ("When did Norland launch an attack on Marl?", "Norland launch an attack", True),
        ("Where did the director of Lab Kappa study?", "director of Lab Kappa", False),
        ("How heavy is Borealis's spectrometer?", "spectrometer", False),
        ("Khách hàng của Sơn Trà do ai quản lý?", "hàng của Sơn Trà", False),
    ],
)
def test_a_name_takes_the_place_of_whole_english_phrases_only(
    question: str, part: str, lacks: bool
) -> None:
    assert lacks_article(question, question.index(part)) is lacks


def test_what_stands_between_an_article_and_its_noun_goes_with_it(passage: Make) -> None:
    ask = read("Who headed the soil study called Loam?")
    stretch = stretch_told(ask, "The study Loam was called off by Kappa Trust.", "Project Loam")
    assert stretch is not None
    assert ask.text[phrase_of(ask.text, stretch, "Kappa Trust") :].startswith("soil study")
