"""Plans of questions as people type them: what is taken apart, and what is left whole."""

import pytest

from policy.language.decompose import decompose


def plan(question: str) -> list[str]:
    return [part.question for part in decompose(question)]


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("Trưởng cái nhóm phải xử lý ERR_7001 đang phụ trách dự án nào?",
         ["Nhóm nào xử lý ERR_7001?", "Ai là trưởng nhóm của {s1}?",
          "{s2} đang phụ trách dự án nào?"]),
        ("Sếp trực tiếp của bạn nhận hồ sơ thầu là ai?",
         ["Ai nhận hồ sơ thầu?", "Sếp trực tiếp của {s1} là ai?"]),
        ("Cái người phụ trách Dự án Sao Mai, mã nhân viên bao nhiêu?",
         ["Ai phụ trách Dự án Sao Mai?", "{s1}, mã nhân viên bao nhiêu?"]),
    ],
)  # fmt: skip
def test_a_colloquial_description_of_somebody_is_a_question_of_its_own(
    question: str, parts: list[str]
) -> None:
    assert plan(question) == parts


@pytest.mark.parametrize(
    "question",
    [
        "Kỹ sư trực đêm cuối tuần được phụ cấp mấy trăm nghìn?",
        "Nhân viên làm thêm buổi tối được trả bao nhiêu?",
        "Khách hàng ký hợp đồng ba năm có được giảm giá không?",
        "Under the rules that have applied since May 2024, how many copies must be kept?",
        "How wide is the gate at Lab Theta, the one that opens at night?",
        "What is the most that we can spend on a trip?",
    ],
)
def test_a_rule_for_anybody_or_an_apposition_is_not_looked_up_first(question: str) -> None:
    assert len(plan(question)) == 1


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("Lab Theta belongs to a university. Its rector's name, please?",
         ["Lab Theta belongs to which university?", "Who is the rector of {s1}?"]),
        ("We have to carry one of the sensors that stand on the Orion masts. How heavy is it?",
         ["Which sensors stand on the Orion masts?", "How heavy is {s1}?"]),
    ],
)  # fmt: skip
def test_it_of_a_second_sentence_is_the_one_thing_without_a_name(
    question: str, parts: list[str]
) -> None:
    assert plan(question) == parts


def test_she_is_not_the_thing_without_a_name() -> None:
    assert len(plan("Anna Lee works at a laboratory. When was she born?")) == 1


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("Đơn nghỉ năm 2021 do ai ký, còn sang năm 2022 thì ai ký?",
         ["Đơn nghỉ năm 2021 do ai ký?", "Đơn nghỉ năm 2022 do ai ký?"]),
        ("Lab Theta và Lab Omega hiện do ai điều hành?",
         ["Lab Theta hiện do ai điều hành?", "Lab Omega hiện do ai điều hành?"]),
        ("Bảo hiểm trả tối đa bao nhiêu cho răng và cho mắt?",
         ["Bảo hiểm trả tối đa bao nhiêu cho răng?", "Bảo hiểm trả tối đa bao nhiêu cho mắt?"]),
        ("Làm ca vào thứ Bảy và vào Chủ nhật được trả bao nhiêu?",
         ["Làm ca vào thứ Bảy được trả bao nhiêu?", "Làm ca vào Chủ nhật được trả bao nhiêu?"]),
    ],
)  # fmt: skip
def test_what_and_joins_is_asked_one_after_the_other(question: str, parts: list[str]) -> None:
    assert plan(question) == parts


def test_two_things_that_are_asked_about_together_stay_together() -> None:
    assert len(plan("Lab Theta và Lab Omega có chung bao nhiêu phòng?")) == 1


def test_the_smaller_staff_is_a_comparison_of_two_head_counts() -> None:
    assert plan("Does Lab Theta or Lab Omega have the smaller staff?") == [
        "How many employees does Lab Theta have?",
        "How many employees does Lab Omega have?",
    ]


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("Dự án Sao Mai chạy từ ngày nào đến ngày nào?",
         ["Dự án Sao Mai bắt đầu ngày nào?", "Dự án Sao Mai kết thúc ngày nào?"]),
        ("Năm 2021 Công ty An Phát được chấm mấy điểm, còn Công ty Bình Minh thì sao?",
         ["Năm 2021 Công ty An Phát được chấm mấy điểm?",
          "Năm 2021 Công ty Bình Minh được chấm mấy điểm?"]),
        ("Ngân sách của Dự án Sao Mai cũng như tên người phụ trách dự án này",
         ["Ngân sách của Dự án Sao Mai?", "tên người phụ trách Dự án Sao Mai?"]),
        ("Giai đoạn học việc dài bao lâu, và trong giai đoạn đó được hưởng bao nhiêu lương?",
         ["Giai đoạn học việc dài bao lâu?",
          "trong giai đoạn học việc được hưởng bao nhiêu lương?"]),
    ],
)  # fmt: skip
def test_the_second_part_says_what_the_first_named(question: str, parts: list[str]) -> None:
    assert plan(question) == parts


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("Trong quý có lợi nhuận thấp nhất, khách chê điều gì?",
         ["Quý nào có lợi nhuận thấp nhất?", "Trong {s1}, khách chê điều gì?"]),
        ("Cái tháng bị trả hàng nhiều nhất ấy, xưởng làm được bao nhiêu bộ?",
         ["Tháng nào bị trả hàng nhiều nhất?", "Trong {s1}, xưởng làm được bao nhiêu bộ?"]),
        ("Nơi Lê Thị Sao Mai ngồi làm việc khai trương ngày nào?",
         ["Lê Thị Sao Mai làm việc ở đâu?", "{s1} khai trương ngày nào?"]),
        ("Lê Thị Sao Mai làm việc ở văn phòng do ai trông coi?",
         ["Lê Thị Sao Mai làm việc ở văn phòng nào?", "{s1} do ai trông coi?"]),
        ("Nơi phát triển Project Ember là do ai lập ra?",
         ["Đơn vị nào phát triển Project Ember?", "{s1} là do ai lập ra?"]),
        ("Cô nhận hồ sơ thầu vào làm từ năm nào?",
         ["Ai nhận hồ sơ thầu?", "{s1} vào làm từ năm nào?"]),
        ("Cái cảm biến xài pin của Hừng Sáng nặng bao nhiêu?",
         ["Cảm biến nào xài pin của Hừng Sáng?", "{s1} nặng bao nhiêu?"]),
    ],
)  # fmt: skip
def test_a_time_a_place_or_a_person_told_by_a_clause_is_found_first(
    question: str, parts: list[str]
) -> None:
    assert plan(question) == parts


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("Mình có đơn xin tạm ứng 3 triệu đồng, người sẽ ký đơn này là ai?",
         ["Ai ký đơn xin tạm ứng 3 triệu đồng?"]),
        ("Tôi có đơn xin tạm ứng 3 triệu đồng, người ký là anh chị nào?",
         ["Ai ký đơn xin tạm ứng 3 triệu đồng?"]),
        ("Gặp lỗi ERR_70 thì liên hệ nhóm nào, tên gì?", ["Gặp lỗi ERR_70 thì liên hệ nhóm nào?"]),
        ("Vị nào trong Ban điều hành bảo trợ Dự án Sao Mai?",
         ["Vị nào trong Ban điều hành bảo trợ Dự án Sao Mai?"]),
        ("Nguyên nhân ERR_70 là gì, nhóm nào xử lý?",
         ["Nguyên nhân ERR_70 là gì?", "nhóm nào xử lý ERR_70?"]),
    ],
)  # fmt: skip
def test_what_the_asker_has_and_a_name_that_is_asked_for_are_no_hops(
    question: str, parts: list[str]
) -> None:
    assert plan(question) == parts


def test_a_post_before_the_name_of_who_holds_it_is_not_looked_up() -> None:
    question = "Giữa chủ sản phẩm Lê Thị Sao Mai và Trần Văn Bắc Hà, ai vào công ty sớm hơn?"
    assert not any(part.startswith("Ai là") for part in plan(question))


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("How much was the prize worth that paid for the first masts of Orion?",
         ["Which prize paid for the first masts of Orion?", "How much was {s1} worth?"]),
        ("By whom is the institute headed that Lab Tau is part of?",
         ["Which institute Lab Tau is part of?", "By whom is {s1} headed?"]),
        ("The Tau Grant came from a body established by whom?",
         ["The Tau Grant came from which body?", "By whom was {s1} established?"]),
        ("Orion was built by a lab with how many people on its payroll?",
         ["Orion was built by which lab?", "How many people does {s1} have on its payroll?"]),
        ("Somebody chaired the ice day of Orion - what prize did she win?",
         ["Who chaired the ice day of Orion?", "what prize did {s1} win?"]),
        ("karl lind or ines roy – who is older?",
         ["When was Karl Lind born?", "When was Ines Roy born?"]),
        ("What subject did the author of \"Ice at Sea\" study?",
         ['Who is the author of "Ice at Sea"?', "What subject did {s1} study?"]),
    ],
)  # fmt: skip
def test_english_clauses_away_from_their_noun_are_found_first(
    question: str, parts: list[str]
) -> None:
    assert plan(question) == parts


@pytest.mark.parametrize(
    "question",
    [
        "Trong tuần có ngày lễ, nhân viên nghỉ mấy ngày?",
        "Trong năm bị ốm quá 30 ngày, lương tính thế nào?",
        "Somebody broke my laptop, what is his penalty?",
        "Đơn vị nào cung cấp suất ăn?",
    ],
)
def test_a_condition_or_a_premise_is_no_question_of_its_own(question: str) -> None:
    assert len(plan(question)) == 1


def test_what_comes_after_hearsay_is_still_asked() -> None:
    question = "Công ty nghỉ thứ bảy, nghe nói sắp đổi, khi nào áp dụng?"
    assert "khi nào áp dụng" in plan(question)[-1]


@pytest.mark.parametrize(
    "question",
    [
        "Trịnh Hoài Nam bao nhiêu tuổi khi anh chơi ở Cúp Sông Hồng 2019?",
        "Mức phạt nào hay được đề nghị cho những người bất tuân luật?",
        "Có bao nhiêu phần trăm các cô gái đang làm mướn ở khu ven biển Sông Bạc?",
        "Vị trí của chính quyền vùng cũ quản lý vùng cửa sông nằm ở đâu?",
        "Vi tri cua chinh quyen vung cu quan ly vung cua song nam o dau?",
        "Có bao nhiêu quốc gia có tên chứa chữ Sao?",
        "Cần làm gì để các gia đình nghèo hơn có thể đi học nghề?",
        "Loại cây nào luôn có tối thiểu 4 cành giữa các ô đất liên tiếp lớn hơn 2?",
    ],
)
def test_people_in_general_bounds_and_what_is_left_out_are_no_parts(question: str) -> None:
    assert len(plan(question)) <= 1


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Những người trực lễ tân Sao Mai ngồi ở tầng nào?", "Ai trực lễ tân Sao Mai?"),
        ("Số điện thoại của những người trực lễ tân là gì?", "Ai trực lễ tân?"),
        ("Sếp của người gác cổng lúc nửa đêm là ai?", "Ai gác cổng lúc nửa đêm?"),
        ("Số máy lẻ quản lý ca đêm là bao nhiêu?", "Ai là quản lý ca đêm?"),
        ("Tòa nhà do An Phát xây là mấy tầng?", "Tòa nhà nào do An Phát xây?"),
        ("Phòng 301 rộng hơn 302 không?", "Phòng 301 rộng bao nhiêu?"),
        ("Doanh thu năm 2025 cao hơn 2024 không?", "Doanh thu năm 2025 cao bao nhiêu?"),
        ("Ngoài ra, địa chỉ và số điện thoại của công ty An Phát là gì?",
         "Ngoài ra, địa chỉ của công ty An Phát là gì?"),
        ("Lương với thưởng của nhân viên Phòng Kho thế nào?",
         "Lương của nhân viên Phòng Kho thế nào?"),
    ],
)  # fmt: skip
def test_somebody_in_particular_and_two_named_sides_are_still_parts(
    question: str, first: str
) -> None:
    assert plan(question)[0] == first
    assert len(plan(question)) == 2


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("Halo was bred by the trainer who died at what airport?",
         ["Halo was bred by whom?", "{s1} died at what airport?"]),
        ("Operation Marl was a raid by a special unit founded in what year?",
         ["Operation Marl was a raid by which special unit?", "{s1} was founded in what year?"]),
        ("Aurora is funded by a foundation that was set up when?",
         ["Aurora is funded by which foundation?", "{s1} was set up when?"]),
        ("Daddy was a terrier who was integral to the work of what trainer?",
         ["Daddy was integral to the work of what trainer?"]),
        ("Staff on a project that ends in May must hand in what?",
         ["Which project ends in May?", "Staff on {s1} must hand in what?"]),
    ],
)  # fmt: skip
def test_what_is_asked_at_the_end_of_a_clause_is_asked_of_what_the_clause_hangs_on(
    question: str, parts: list[str]
) -> None:
    assert plan(question) == parts


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("When was the sibling of Alice Dunn, Countess of Ware crowned?",
         ["Who is the sibling of Alice Dunn, Countess of Ware?", "When was {s1} crowned?"]),
        ("Who was the first president of Damerjog's country?",
         ["In which country is Damerjog?", "Who is the first president of {s1}?"]),
        ("Who is the discoverer of C/2014 Q2 (Lovett)?",
         ["Who is the discoverer of C/2014 Q2 (Lovett)?"]),
        ("When was the director of End of the Trail (1936 film) born?",
         ["Who is the director of End of the Trail (1936 film)?", "When was {s1} born?"]),
        ("Why did the founder of Lab Theta resign?",
         ["Who is the founder of Lab Theta?", "Why did {s1} resign?"]),
        ("When did the country where the city where Ann Lee was born is located join the league?",
         ["In which city Ann Lee was born?", "In which country {s1} is located?",
          "When did {s2} join the league?"]),
        ("When was the South Korean company that built SPX-210 founded?",
         ["Which South Korean company built SPX-210?", "When was {s1} founded?"]),
        ("How many members are in the Danish group whose first sub-unit is Bassar?",
         ["Which Danish group's first sub-unit is Bassar?", "How many members are in {s1}?"]),
    ],
)  # fmt: skip
def test_english_names_ranks_and_nations_are_kept_whole(question: str, parts: list[str]) -> None:
    assert plan(question) == parts


@pytest.mark.parametrize(
    "question",
    [
        "An employee who joins in July gets how many days of leave?",
        "A contract that was signed in 2024 is kept for how long?",
        "Who leads the Aurora project that ended in 2020?",
        "Why does the policy of Acme forbid this?",
    ],
)
def test_anybody_of_a_kind_is_no_hop(question: str) -> None:
    assert plan(question) == [question]
