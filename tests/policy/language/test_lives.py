import pytest

from policy.language.lives import Life, life_in
from policy.language.relations import relations


@pytest.mark.parametrize(
    ("sentence", "life"),
    [
        ("Ann Lee (May 2, 1936 – March 27, 1989) was a printer.",
         Life("May 2, 1936", "", "March 27, 1989", "")),
        ("Marc Costa( Lund, 30 May 1904 – Oslo, 22 October 1995) was a baker.",
         Life("30 May 1904", "Lund", "22 October 1995", "Oslo")),
        ("Ben R. Ray (2 November 1926 – 10 May 2001) ran the lab.",
         Life("2 November 1926", "", "10 May 2001", "")),
        ("Ida Holm (born 26 August 1970, in Port Averil) is a diver.",
         Life("26 August 1970", "Port Averil", "", "")),
        ("Karl Ross (born Karl Felix Rossi, 23 May 1915 – 13 June 1979) sang.",
         Life("23 May 1915", "", "13 June 1979", "")),
        ("Sir Tom Vane (c. 1740 – 24 September 1815) was a judge.",
         Life("1740", "", "24 September 1815", "")),
        ("Trần Thị Mận (10 tháng 7 năm 1910 – 28 tháng 7 năm 1987) là nhà văn.",
         Life("10 tháng 7 năm 1910", "", "28 tháng 7 năm 1987", "")),
        ("Lê Văn Tám (sinh ngày 3/4/1980 tại Huế) là kỹ sư.",
         Life("ngày 3/4/1980", "Huế", "", "")),
    ],
)  # fmt: skip
def test_the_bracket_behind_a_name_tells_both_ends_of_a_life(sentence: str, life: Life) -> None:
    assert life_in(sentence) == life


@pytest.mark.parametrize(
    "sentence",
    [
        "Bảng lương (trang 120 – 130) có ba cột.",
        "She died in Oslo. Her son (born 1950) is a cook.",
        "The grant (4,200,000 euros) ended in 2019.",
        "Project Sao Mai (2019 – 2021) was led by Ann Lee.",
        "Parental leave (1 January 2024 – 31 December 2024) is paid.",
        "Benefit Table (Section 1200 – Section 1500) lists them.",
        "Chi Phí (phát sinh từ năm 2020) do công ty trả.",
        "Học Bổng (sinh viên khóa 2020) có hai mức.",
    ],
)
def test_other_brackets_tell_no_life(sentence: str) -> None:
    assert life_in(sentence) is None


def test_a_life_speaks_of_birth_and_death_without_either_word() -> None:
    assert {"born", "die"} <= relations("Ann Lee (1936 – 1989) was a printer.")
    assert "die" not in relations("Ida Holm (b. 1970) is a diver.")
    assert {"born", "die"} <= relations("Trần Thị Mận (1910 – 1987) là nhà văn.")


@pytest.mark.parametrize(
    "sentence",
    [
        "Phép năm được chuyển sang năm sau.",
        "Hồ sơ bổ sung do Nguyễn Lan duyệt.",
        "The line manager leads the performance review.",
        "Overtime is recorded by Lan Nguyen.",
        "The team is composed of five people.",
        "She plays a role in every project.",
    ],
)
def test_ordinary_rules_tell_of_no_performance(sentence: str) -> None:
    assert not relations(sentence) & {"perform", "compose", "act"}
