"""Nested, compared and joined questions over topics that no sample has."""

import pytest

from policy.language.decompose import decompose

NESTED = {
    "What river flows through the city where the author of The Glass Harbour was born?": [
        "Who is the author of The Glass Harbour?", "In which city {s1} was born?",
        "What river flows through {s2}?",
    ],
    "The captain of the ship that discovered Wren Island died in which year?": [
        "Which ship discovered Wren Island?", "Who is the captain of {s1}?",
        "{s2} died in which year?",
    ],
    "How many beds does the hospital named after Clara Voss have?": [
        "Which hospital was named after Clara Voss?", "How many beds does {s1} have?",
    ],
    "In what year did the team Paul Ferris plays for win its first title?": [
        "Which team does Paul Ferris play for?", "In what year did {s1} win its first title?",
    ],
    "What is the population of the town the river Tarn flows through?": [
        "Which town does the river Tarn flow through?", "What is the population of {s1}?",
    ],
    "Who composed the anthem of the country whose capital is Lomé?": [
        "Which country's capital is Lomé?", "Who composed the anthem of {s1}?",
    ],
    "Name the river that runs past the castle built by Duke Albrecht.": [
        "Which castle was built by Duke Albrecht?", "Which river runs past {s1}?",
    ],
    "Who is the mother of the person who plays Nim in Return to Wren Island?": [
        "Who plays Nim in Return to Wren Island?", "Who is the mother of {s1}?",
    ],
    "Con sông chảy qua thành phố nơi tác giả cuốn Bến Cũ sinh ra dài bao nhiêu km?": [
        "Ai là tác giả cuốn Bến Cũ?", "{s1} sinh ra ở thành phố nào?",
        "Sông nào chảy qua {s2}?", "{s3} dài bao nhiêu km?",
    ],
    "Ngôi chùa mà vua Trần Minh xây nằm ở huyện nào?": [
        "vua Trần Minh xây ngôi chùa nào?", "{s1} nằm ở huyện nào?",
    ],
    "Chủ tịch câu lạc bộ vô địch giải Cúp Mùa Xuân 2022 là ai?": [
        "Câu lạc bộ nào vô địch giải Cúp Mùa Xuân 2022?", "Chủ tịch {s1} là ai?",
    ],
    "Mẹ của người sáng lập hãng xe Phương Bắc quê ở đâu?": [
        "Ai sáng lập hãng xe Phương Bắc?", "Ai là mẹ của {s1}?", "{s2} quê ở đâu?",
    ],
    "Hồ lớn nhất ở tỉnh nơi nhà thơ Hoài Sơn mất rộng bao nhiêu?": [
        "nhà thơ Hoài Sơn mất ở tỉnh nào?", "Hồ lớn nhất ở {s1} rộng bao nhiêu?",
    ],
    "Bên xây cầu Rồng ấy, trụ sở của họ ở đâu?": [
        "Bên nào xây cầu Rồng?", "Trụ sở của {s1} ở đâu?",
    ],
    "kien truc su thiet ke bao tang Hoa Sen sinh nam nao": [
        "Ai thiet ke bao tang Hoa Sen?", "{s1} sinh nam nao?",
    ],
}  # fmt: skip
WHOLE = [
    "Who holds the office of mayor at the town of Port Ness?",
    "What's the name of the boat Acme uses to lift its buoys?",
    "Why did the mast that stood at Cape Torrin fall?",
    "What is the research and development budget of Vega Motors?",
    "Who signs the claims of the people who work in Hull?",
    "Where does the water of Lake Orin go?",
    "lớp tiếng anh buổi tối học ở đâu",
    "Đi tàu trong nước được giảm bao nhiêu phần trăm?",
    "Sếp em đi vắng nguyên tuần thì đưa ai ký thay?",
    "Người mới vào câu lạc bộ cần nộp giấy tờ gì?",
    "Công ty tài trợ cho Giải Sen Vàng bao nhiêu tiền?",
    "Ngân sách của Bảo tàng Hoa Sen là bao nhiêu?",
]
COMPARED = {
    "Which is longer, the Tarn or the Loire?": ["How long is the Tarn?", "How long is the Loire?"],
    "Need one for a hike. T-40 or T-50, which is lighter?": [
        "How much does T-40 weigh?", "How much does T-50 weigh?",
    ],
    "Vega Motors or Orion Cars: which one has more plants?": [
        "How many plants does Vega Motors have?", "How many plants does Orion Cars have?",
    ],
    "Was it Mercy Hospital or St Anne Hospital that came into being first?": [
        "When was Mercy Hospital founded?", "When was St Anne Hospital founded?",
    ],
    "Which was worth more, the Salt Prize or the Tide Prize?": [
        "What is the amount of the Salt Prize?", "What is the amount of the Tide Prize?",
    ],
    "Which film has the director who died earlier, Iron Tide or Salt Roads?": [
        "Who is the director of Iron Tide?", "When did {s1} die?",
        "Who is the director of Salt Roads?", "When did {s3} die?",
    ],
    "Sông Lam và sông Mã, sông nào dài hơn?": ["Sông Lam dài bao nhiêu?", "sông Mã dài bao nhiêu?"],
    "Giữa hợp đồng A-17 và A-29, cái nào hết hạn trước ạ?": [
        "hợp đồng A-17 hết hạn khi nào?", "hợp đồng A-29 hết hạn khi nào?",
    ],
    "bảo tàng hoa sen hay bảo tàng sông hậu mở cửa sớm hơn": [
        "Bảo tàng hoa sen mở cửa khi nào?", "bảo tàng sông hậu mở cửa khi nào?",
    ],
    "Tàu Sao Biển với tàu Hải Âu, tàu nào chở nhiều khách hơn?": [
        "Tàu Sao Biển chở bao nhiêu khách?", "tàu Hải Âu chở bao nhiêu khách?",
    ],
}  # fmt: skip
JOINED = {
    "Give me the names of the mayors of Port Ness and Brennick": [
        "Who is the mayor of Port Ness?", "Who is the mayor of Brennick?",
    ],
    "What were the revenue and profit of Vega Motors?": [
        "What was the revenue of Vega Motors?", "What was the profit of Vega Motors?",
    ],
    "ferry: how many boats sail and how often do they leave": [
        "how many boats sail (ferry)?", "how often do ferry leave?",
    ],
    "cho xin địa chỉ và số điện thoại văn phòng Hoa Mai": [
        "địa chỉ của văn phòng Hoa Mai?", "số điện thoại của văn phòng Hoa Mai?",
    ],
    "Tàu Sao Biển do ai đóng và sau khi sửa thì có bao nhiêu chỗ?": [
        "Tàu Sao Biển do ai đóng?", "Tàu Sao Biển sau khi sửa thì có bao nhiêu chỗ?",
    ],
}  # fmt: skip


@pytest.mark.parametrize("question", [*NESTED, *COMPARED, *JOINED])
def test_a_question_is_taken_apart_whatever_it_is_about(question: str) -> None:
    expected = {**NESTED, **COMPARED, **JOINED}[question]
    assert [part.question for part in decompose(question)] == expected


@pytest.mark.parametrize("question", WHOLE)
def test_a_question_that_only_looks_nested_stays_whole(question: str) -> None:
    assert len(decompose(question)) == 1
