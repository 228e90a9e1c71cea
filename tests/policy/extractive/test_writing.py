from typing import Any

import pytest

from policy.extractive import Extractive


def draft(policy: Extractive, question: str, parts: list[tuple[str, ...]]) -> Any:
    """`parts`: (id, question, answer, quote, ids it depends on…); "" for an unsolved answer."""
    subgoals = [
        {
            "id": one[0], "question": one[1], "answer": one[2], "depends_on": list(one[4:]),
            "status": "solved" if one[2] else "pending",
            "evidence_ids": [f"e-{one[0]}"] if one[2] else [],
        }
        for one in parts
    ]  # fmt: skip
    facts = [
        {"id": f"e-{one[0]}", "subgoal_id": one[0], "quote": one[3], "title": "", "source": "",
         "version": ""}
        for one in parts if one[2]
    ]  # fmt: skip
    view: Any = {
        "original_question": question, "subgoals": subgoals, "facts": facts, "missing": [],
    }  # fmt: skip
    return policy.write(view)[0]


def test_the_short_answer_comes_first_and_the_quotes_of_every_hop_follow(
    policy: Extractive,
) -> None:
    written = draft(
        policy, "Ai sáng lập tổ chức đã phát triển Project Aurora?",
        [("s1", "Tổ chức nào?", "Lab Delta", "Project Aurora do Lab Delta phát triển."),
         ("s2", "Ai sáng lập Lab Delta?", "Minh Tran", "Lab Delta do Minh Tran sáng lập.", "s1")],
    )  # fmt: skip
    assert written.short == "Minh Tran"
    assert [one.text for one in written.sentences] == [
        "Minh Tran.", "“Lab Delta do Minh Tran sáng lập.”",
        "“Project Aurora do Lab Delta phát triển.”",
    ]  # fmt: skip
    assert [one.evidence_ids for one in written.sentences] == [["e-s2"], ["e-s2"], ["e-s1"]]


@pytest.mark.parametrize(
    ("question", "first", "second", "short"),
    [
        ("Which grant was larger, the Salt Grant or the Sea Grant?", "1,200,000 euros",
         "1.8 million euros", "Sea Grant"),
        ("Văn phòng nào mở trước, Hà Nội hay Cần Thơ?", "15/08/2015", "20/09/2021", "Hà Nội"),
        ("Minh Tran va Oren Castell, ai sinh truoc?", "1981", "1983", "Minh Tran"),
        ("Giữa ERR_4021 với ERR_4025, lỗi nào phải xử lý gấp hơn?", "4 giờ làm việc", "1 giờ",
         "ERR_4025"),
        ("Who is older, Ann Lee or Bob Ray?", "1990", "1985", "Bob Ray"),
        ("Which lab is older, Lab A or Lab B?", "2012", "2012", "the same"),
    ],
)  # fmt: skip
def test_a_comparison_is_decided_and_stated_with_both_values(
    policy: Extractive, question: str, first: str, second: str, short: str
) -> None:
    written = draft(policy, question, [("s1", "A?", first, "x"), ("s2", "B?", second, "y")])
    assert written.short == short
    assert first in written.sentences[0].text
    assert second in written.sentences[0].text
    assert written.sentences[0].evidence_ids == ["e-s1", "e-s2"]


def test_values_that_do_not_compare_are_stated_without_a_decision(policy: Extractive) -> None:
    written = draft(
        policy, "ERR_1 và ERR_2 khác nhau về nguyên nhân thế nào?",
        [("s1", "A?", "mất mạng", "x"), ("s2", "B?", "đầy đĩa", "y")],
    )  # fmt: skip
    assert written.short == "ERR_1: mất mạng; ERR_2: đầy đĩa"


def test_each_part_of_a_joined_question_has_its_own_sentence(policy: Extractive) -> None:
    written = draft(
        policy, "Ai phụ trách Dự án X1 và ngân sách là bao nhiêu?",
        [("s1", "Ai phụ trách Dự án X1?", "Hà Linh", "a"),
         ("s2", "Ngân sách Dự án X1 là bao nhiêu?", "4 tỷ đồng", "b")],
    )  # fmt: skip
    assert [one.text for one in written.sentences[:2]] == [
        "Ai phụ trách Dự án X1? Hà Linh.", "Ngân sách Dự án X1 là bao nhiêu? 4 tỷ đồng.",
    ]  # fmt: skip
    assert written.short == "Hà Linh; 4 tỷ đồng"


def test_an_unsolved_last_hop_leaves_what_was_found_and_nothing_else(policy: Extractive) -> None:
    written = draft(
        policy, "Where was the director of Lab Delta born?",
        [("s1", "Who is the director of Lab Delta?", "Ingrid Solheim", "Ingrid Solheim directs."),
         ("s2", "Where was {s1} born?", "", "", "s1")],
    )  # fmt: skip
    assert written.sentences[0].text.endswith("Ingrid Solheim.")
    assert all("{s1}" not in one.text for one in written.sentences)


def test_what_two_things_have_in_common_is_said_with_yes_or_no(policy: Extractive) -> None:
    written = draft(
        policy, "Dự án Sơn Trà và Dự án Tam Giang có cùng trưởng dự án không?",
        [("s1", "Trưởng dự án của Dự án Sơn Trà là ai?", "Hữu Phước", "Hữu Phước phụ trách."),
         ("s2", "Trưởng dự án của Dự án Tam Giang là ai?", "Kiều Linh", "Kiều Linh phụ trách.")],
    )  # fmt: skip
    assert written.sentences[0].text == (
        "Không (Dự án Sơn Trà: Hữu Phước; Dự án Tam Giang: Kiều Linh)."
    )
    assert written.short == "Không"
