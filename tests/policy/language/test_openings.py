import pytest

from policy.language.decompose import decompose, self_contained
from policy.language.openings import read_message


@pytest.mark.parametrize(
    ("message", "question"),
    [
        ("quick question: how many beds does Mercy Hospital have?",
         "How many beds does Mercy Hospital have?"),
        ("Could you tell me when the Tarn ferry leaves? I live right by it.",
         "When the Tarn ferry leaves?"),
        ("I'm putting a guide together - how high is Mount Arden?", "How high is Mount Arden?"),
        ("Population of Port Ness, please", "What is the population of Port Ness?"),
        ("Give me the names of the founders of Vega Motors",
         "Who are the founders of Vega Motors?"),
        ("Does anyone know whether the reading room is open on Sundays?",
         "Is the reading room open on Sundays?"),
        ("Cho em hỏi cầu Rồng dài bao nhiêu mét ạ?", "cầu Rồng dài bao nhiêu mét?"),
        ("chị ơi cho em hỏi bến tàu mở cửa lúc mấy giờ vậy", "Bến tàu mở cửa lúc mấy giờ?"),
        ("anh chi cho em hoi thu vien dong cua luc may gio a", "Thu vien dong cua luc may gio?"),
        ("Vé tàu Sao Biển giá bao nhiêu? khách đang hỏi em", "Vé tàu Sao Biển giá bao nhiêu?"),
    ],
)  # fmt: skip
def test_politeness_and_reasons_for_asking_are_no_part_of_the_question(
    message: str, question: str
) -> None:
    assert self_contained(message) == question


@pytest.mark.parametrize(
    "question",
    ["Who runs Halo II day to day?", "How far did boat no. 17 drift?",
     "Did the ferry sink before Dr. Lee came?", "Minh Tran và Lê An, ai sinh trước?",
     "Phép 2026 dùng không hết, chuyển sang năm sau thì phải dùng trước ngày nào?"],
)  # fmt: skip
def test_words_that_belong_to_the_question_stay(question: str) -> None:
    assert read_message(question).question == question.rstrip("?")


@pytest.mark.parametrize(
    ("message", "question"),
    [
        ("I was reading about Vega Motors. Who founded it?", "Who founded Vega Motors?"),
        ("We may visit the old lighthouse at Cape Torrin; how tall is it?",
         "How tall is the old lighthouse at Cape Torrin?"),
        ("Orchard rules 2025 - how soon must a form be sent?",
         "How soon must a form be sent (Orchard rules 2025)?"),
        ("Em sắp qua Xưởng Hoa Mai, bên đó mở cửa ngày nào ạ?", "Xưởng Hoa Mai mở cửa ngày nào?"),
        ("Em được phân về Dự án Sông Xanh, cho em hỏi ngân sách dự án là bao nhiêu ạ",
         "Ngân sách Dự án Sông Xanh là bao nhiêu?"),
    ],
)  # fmt: skip
def test_the_background_says_what_the_question_refers_to(message: str, question: str) -> None:
    assert self_contained(message) == question


@pytest.mark.parametrize(
    ("message", "parts"),
    [
        ("A ship called at Port Ness in 1921, and that ship was built where?",
         ["which ship called at Port Ness in 1921?", "{s1} was built where?"]),
        ("The novel Salt Roads won a prize. Which year was that prize first awarded?",
         ["The novel Salt Roads won which prize?", "Which year was {s1} first awarded?"]),
        ("Whoever designed the Kestrel Bridge used to live in Hull. Where was she born?",
         ["Who designed the Kestrel Bridge?", "Where was {s1} born?"]),
        ("Harbour Museum -> architect -> birthplace -> ?",
         ["Who is the architect of Harbour Museum?", "What is the birthplace of {s1}?"]),
        ("Cầu Rồng do một công ty xây, giám đốc công ty đó là ai?",
         ["Cầu Rồng do công ty nào xây?", "giám đốc {s1} là ai?"]),
        ("Tàu Sao Biển có nhà tài trợ chính, trụ sở của nhà tài trợ này ở đâu?",
         ["Nhà tài trợ chính của Tàu Sao Biển là nhà tài trợ nào?", "trụ sở của {s1} ở đâu?"]),
    ],
)  # fmt: skip
def test_what_the_background_leaves_open_is_asked_first(message: str, parts: list[str]) -> None:
    assert [part.question for part in decompose(message)] == parts
