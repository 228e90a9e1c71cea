"""Gates and golden cases."""

import json
from pathlib import Path
from typing import Any

import pytest

from groundhop.evaluation.gates import check, read_gates
from groundhop.evaluation.golden import append, case_of
from groundhop.evaluation.integrity import checked, writes
from groundhop.evaluation.summary import Answer, comparisons, percentile, refusal
from retrieval.errors import UsageError
from tests.groundhop.evaluation.cases import DELTA, FOUNDER, accepted, answered, citation, run_of

Values = dict[str, float]


def answer_of(
    number: int, values: Values, *, outcome: str = "right", answerable: str = "yes", **more: Any
) -> Answer:
    groups = {"answerable": answerable, "type": "single", "hops": "1", "lang": "vi", "split": "dev"}
    return Answer(
        **{
            "dataset": "so-tay",
            "question": f"q{number}",
            "asked": "Mấy ngày?",
            "groups": groups,
            "labels": {"answers": ["15"], "parts": [], "gold": [], "missing": ""},
            "system": "agent",
            "outcome": outcome,
            "cause": "",
            "status": "answered",
            "stop_reason": "solved",
            "short": "15",
            "thread": "t1",
            "home": "",
            "values": values,
            "record": {"invented": 0, "leaked": 0, "written": 0},
            **more,
        }
    )


RIGHT = [answer_of(n, {"right": 1.0, "refused": 0.0, "seconds": n / 10}) for n in range(1, 9)]
WRONG = [
    answer_of(9, {"right": 0.0, "refused": 1.0, "seconds": 0.9}, outcome="wrongly_refused"),
    answer_of(10, {"right": 0.0, "refused": 0.0, "seconds": 2.0}, outcome="wrong"),
    answer_of(11, {"right": 1.0, "refused": 1.0}, outcome="rightly_refused", answerable="no"),
    answer_of(12, {"right": 0.0, "refused": 0.0}, outcome="wrong", answerable="no"),
]


def gates(tmp_path: Path, text: str) -> Any:
    path = tmp_path / "gates.toml"
    path.write_text(text, encoding="utf-8")
    return read_gates(path)


def test_the_four_counts_and_both_rates_by_hand() -> None:
    found = refusal([*RIGHT, *WRONG])
    assert found is not None
    counts = (found.answered_right, found.answered_wrong)
    assert (*counts, found.wrongly_refused, found.rightly_refused) == (8, 1, 1, 1)
    assert found.wrongly_answered.value == 0.5
    assert found.refused_answerable.value == 0.1
    assert found.precision.value == 0.5
    assert found.recall.value == 0.5
    assert found.balanced.value == pytest.approx((0.5 + 0.9) / 2)


def test_the_median_and_the_95th_percentile_by_nearest_rank() -> None:
    assert percentile(RIGHT, "seconds", 0.5) == 0.4
    assert percentile(RIGHT, "seconds", 0.95) == 0.8
    assert percentile(RIGHT, "tokens", 0.5) is None


def test_a_gate_compares_a_group_of_a_system_with_its_bound(tmp_path: Path) -> None:
    found = gates(
        tmp_path,
        """
        [[gate]]
        measure = "right"
        system = "agent"
        group = { answerable = "yes" }
        at_least = 0.8
        [[gate]]
        measure = "wrongly_answered"
        at_most = 0.4
        [[gate]]
        measure = "right"
        dataset = "elsewhere"
        at_least = 0.1
        """,
    )
    verdicts = check([*RIGHT, *WRONG], *found)
    assert [one.passed for one in verdicts] == [True, False, False]
    assert "0.800, wanted >= 0.8" in verdicts[0].text
    assert "nothing was measured" in verdicts[2].text


@pytest.mark.parametrize(
    ("case", "field"),
    [("leak", "leaked"), ("invented_citation", "invented"), ("write", "written")],
)
def test_one_case_that_must_never_occur_fails_the_gate(
    tmp_path: Path, case: str, field: str
) -> None:
    found = gates(tmp_path, f'[never]\ncases = ["{case}"]\n')
    assert check(RIGHT, *found)[0].passed
    bad = answer_of(13, {}, record={**RIGHT[0].record, field: 1}, thread="eval-7")
    verdict = check([*RIGHT, bad], *found)[0]
    assert not verdict.passed
    assert "eval-7" in verdict.text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "holds neither"),
        ("[[gate]]\nmeasure = 'right'\n", "either at_least or at_most"),
        ("[[gate]]\nmeasure = 'right'\nat_least = 1\nat_most = 1\n", "either at_least or at_most"),
        ("[[gate]]\nmeasure = 'right'\nat_lest = 1\n", "no field 'at_lest'"),
        ("[[gate]]\nmeasure = 'right'\nat_least = 'x'\n", "are numbers"),
        ("[[gate]]\nmeasure = 'right'\nat_least = 1\ngroup = { age = 1 }\n", "no group 'age'"),
        ("[never]\ncases = ['fire']\n", "no case 'fire'"),
        ("[[gate]", "cannot be read"),
    ],
)
def test_a_gate_file_that_is_wrong_is_explained(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        gates(tmp_path, text)


def test_invented_citations_leaks_and_writes_are_counted() -> None:
    text = "Lab Delta do Minh Trần sáng lập."
    cited = citation(DELTA, text)
    run = run_of(answer=answered("Minh Trần", cited), evidence=[accepted(DELTA, quote=text)])

    def counts(found: tuple[str, Any] | None) -> tuple[int, int]:
        after = checked(run, FOUNDER, lambda _: found)
        return after.invented, after.leaked

    assert counts((text, None)) == (0, 0)
    assert counts((text.replace("Minh", "Lan "), None)) == (1, 0)
    assert counts((text, ("hr",))) == (0, 1)
    assert counts(None) == (1, 0)
    unknown = run_of(answer=answered("x", {**cited, "evidence_id": "e9"}))
    assert checked(unknown, FOUNDER, lambda _: (text, None)).invented == 1


@pytest.mark.parametrize(
    ("statement", "changes"),
    [
        ("select * from staff where note = 'please delete me'", False),
        ("select replace(name, 'a', 'b') from staff -- drop table staff", False),
        ("with x as (select 1) select * from x", False),
        ("DELETE FROM staff", True),
        ("select 1; drop table staff", True),
        ("with gone as (delete from staff returning *) select * from gone", True),
    ],
)
def test_a_statement_that_changes_something_is_told_from_one_that_reads(
    statement: str, changes: bool
) -> None:
    assert writes(statement) is changes


STATE = {
    "original_question": "Được nghỉ mấy ngày?",
    "asked_as": {"user": "an", "groups": ["hr"]},
}


def test_a_bad_run_becomes_a_case_that_eval_can_read(tmp_path: Path) -> None:
    from groundhop.evaluation.datasets import load

    case = case_of(STATE, ["15 ngày", "15"], ["nghi-phep.md"], "yes", "thread-1")
    path = tmp_path / "golden.jsonl"
    assert append(path, case) == 1
    question = load(str(path)).questions[0]
    assert question.question == "Được nghỉ mấy ngày?"
    assert (question.user, question.groups, question.lang) == ("an", ("hr",), "vi")
    assert question.answers == ("15 ngày", "15")


def test_a_case_is_kept_once_and_a_damaged_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "golden.jsonl"
    append(path, case_of(STATE, ["15"], [], "yes", "thread-1"))
    path.write_text(path.read_text(encoding="utf-8").rstrip("\n"), encoding="utf-8")
    with pytest.raises(UsageError, match="has this question already, as case 1"):
        append(path, case_of(STATE, ["16"], [], "yes", "thread-2"))
    other = {**STATE, "original_question": "Ai duyệt?"}
    assert append(path, case_of(other, [], [], "no", "thread-3")) == 2
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["answerable"] for line in lines] == ["yes", "no"]
    path.write_text("{\n", encoding="utf-8")
    with pytest.raises(UsageError, match="line 1"):
        append(path, case_of(other, [], [], "no", "thread-3"))
    assert path.read_text(encoding="utf-8") == "{\n"


def test_a_case_must_say_what_would_have_been_right() -> None:
    with pytest.raises(UsageError, match="Say what would have been right"):
        case_of(STATE, [], [], "yes", "t")
    with pytest.raises(UsageError, match="neither --answer nor --document"):
        case_of(STATE, ["15"], [], "no", "t")


def test_systems_are_tested_on_the_questions_that_both_have() -> None:
    other = [
        answer_of(n, {"right": float(n > 4)}, system="single", outcome="right") for n in range(1, 6)
    ]
    found = next(one for one in comparisons([*RIGHT, *other]) if one.measure == "right")
    assert (found.found.only_first, found.found.only_second) == (4, 0)
    assert found.found.difference.n == 5
