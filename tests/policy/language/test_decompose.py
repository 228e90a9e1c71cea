import unicodedata

import pytest

from policy.language.decompose import decompose

CASES = {
    "Who founded the organisation that developed Project Aurora?": [
        "Which organisation developed Project Aurora?", "Who founded {s1}?",
    ],
    "Ai sáng lập tổ chức đã phát triển Project Aurora?": [
        "Tổ chức nào đã phát triển Project Aurora?", "Ai sáng lập {s1}?",
    ],
    "Where was the director of the lab that built SPX-210 born?": [
        "Which lab built SPX-210?", "Who is the director of {s1}?", "Where was {s2} born?",
    ],
    "Quản lý của người phụ trách Dự án Hải Vân là ai?": [
        "Ai phụ trách Dự án Hải Vân?", "Quản lý của {s1} là ai?",
    ],
    "Trưởng phòng của trưởng dự án Sao Mai là ai?": [
        "Ai là trưởng dự án Sao Mai?", "Trưởng phòng của {s1} là ai?",
    ],
    "Trong quý có doanh thu cao nhất năm 2025, khách hàng phàn nàn về điều gì?": [
        "Quý nào có doanh thu cao nhất năm 2025?",
        "Trong {s1}, khách hàng phàn nàn về điều gì?",
    ],
    "What is the capital of the country where Ann Lee was born?": [
        "In which country Ann Lee was born?", "What is the capital of {s1}?",
    ],
    "How many people work at the lab founded by Ann Lee?": [
        "Which lab was founded by Ann Lee?", "How many people work at {s1}?",
    ],
    "Địa chỉ của văn phòng mà trưởng nhóm Lưu trữ đang ngồi là gì?": [
        "Ai là trưởng nhóm Lưu trữ?", "{s1} đang ngồi ở văn phòng nào?",
        "Địa chỉ của {s2} là gì?",
    ],
    "ai sang lap to chuc da phat trien Project Aurora": [
        "To chuc nao da phat trien Project Aurora?", "Ai sang lap {s1}?",
    ],
}  # fmt: skip


@pytest.mark.parametrize("question", CASES)
def test_a_nested_question_is_asked_from_the_inside_out(question: str) -> None:
    assert [part.question for part in decompose(question)] == CASES[question]


def test_a_later_part_depends_on_the_parts_whose_answers_it_holds() -> None:
    parts = decompose("Where was the director of the lab that built SPX-210 born?")
    assert [part.depends_on for part in parts] == [[], ["s1"], ["s2"]]


@pytest.mark.parametrize(
    "question",
    [
        "Who founded Lab Delta?", "Who is the director of Lab Delta?", "Ai phụ trách Dự án X1?",
        "Nhân viên chính thức được nghỉ phép bao nhiêu ngày?", "Trưởng phòng Kế toán là ai?",
        "Nhóm nào chịu trách nhiệm xử lý ERR_4021?", "nghỉ đẻ được mấy tháng?",
        "What's the capital of Mongolia?", "Nguyên nhân của ERR_4021 là gì?",
    ],
)  # fmt: skip
def test_a_question_about_one_fact_stays_whole(question: str) -> None:
    assert len(decompose(question)) == 1


def test_a_decomposed_question_in_nfd_gives_the_same_parts_as_in_nfc() -> None:
    question = "Ai sáng lập tổ chức đã phát triển Project Aurora?"
    assert decompose(unicodedata.normalize("NFD", question)) == decompose(question)


@pytest.mark.parametrize(
    ("question", "sides"),
    [
        ("Which lab was founded earlier, Lab Kappa or Lab Theta?",
         ["When was Lab Kappa founded?", "When was Lab Theta founded?"]),
        ("Was the Salt Grant or the Sea Grant the larger one?",
         ["What is the amount of the Salt Grant?", "What is the amount of the Sea Grant?"]),
        ("Văn phòng nào mở trước, Hà Nội hay Cần Thơ?",
         ["Văn phòng Hà Nội mở khi nào?", "Văn phòng Cần Thơ mở khi nào?"]),
        ("Minh Tran va Oren Castell, ai sinh truoc?",
         ["Minh Tran sinh nam nao?", "Oren Castell sinh nam nao?"]),
        ("ERR_4021 và ERR_4024 khác nhau về nguyên nhân thế nào?",
         ["Nguyên nhân của ERR_4021 là gì?", "Nguyên nhân của ERR_4024 là gì?"]),
        ("Which project has the larger budget, Sơn Trà or Cửu Long?",
         ["What is the budget of Sơn Trà project?", "What is the budget of Cửu Long project?"]),
    ],
)  # fmt: skip
def test_a_comparison_asks_for_the_value_of_each_side(question: str, sides: list[str]) -> None:
    assert [part.question for part in decompose(question)] == sides


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("Who led Project Halo, and which grant paid for its sensors?",
         ["Who led Project Halo?", "which grant paid for Project Halo's sensors?"]),
        ("Who is the director of Lab Delta and where was she born?",
         ["Who is the director of Lab Delta?", "where was {s1} born?"]),
        ("Dự án Bạch Mã có ngân sách bao nhiêu và ai phụ trách?",
         ["Dự án Bạch Mã có ngân sách bao nhiêu?", "ai phụ trách Dự án Bạch Mã?"]),
        ("Lab Delta nằm ở đâu, và Vân Sam tài trợ Project Aurora bao nhiêu tiền?",
         ["Lab Delta nằm ở đâu?", "Vân Sam tài trợ Project Aurora bao nhiêu tiền?"]),
    ],
)  # fmt: skip
def test_joined_questions_are_split_and_share_their_subject(
    question: str, parts: list[str]
) -> None:
    assert [part.question for part in decompose(question)] == parts


def test_a_name_that_looks_like_a_question_word_does_not_hide_a_nested_question() -> None:
    assert len(decompose("Ngân sách của dự án do Ai Linh phụ trách là bao nhiêu?")) == 2
