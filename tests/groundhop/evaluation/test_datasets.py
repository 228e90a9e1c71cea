"""Data sets: every layout, and everything that can be wrong with a line."""

import json
from pathlib import Path
from typing import Any

import pytest

from groundhop.evaluation.datasets import choose, is_odd, known_evidence, load
from retrieval.errors import UsageError

GOOD: dict[str, Any] = {
    "id": "q1",
    "question": "Được nghỉ mấy ngày?",
    "answers": ["15 ngày"],
    "supporting": [{"document": "nghi-phep.md", "quote": "Được nghỉ 15 ngày."}],
    "answerable": "yes",
    "split": "dev",
}


def written(path: Path, *lines: Any) -> Path:
    """A JSONL file; texts are written as they are."""
    text = [one if isinstance(one, str) else json.dumps(one, ensure_ascii=False) for one in lines]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(text) + "\n", encoding="utf-8")
    return path


def problems(path: Path) -> list[str]:
    return [str(one) for one in load(str(path)).problems]


def test_a_question_is_read_with_its_labels(tmp_path: Path) -> None:
    conjunction = {
        **GOOD,
        "id": "q2",
        "type": "conjunction",
        "answers": ["15 ngày; Nguyễn Lan"],
        "answer_parts": [["15 ngày", "15"], ["Nguyễn Lan"]],
        "hops": 2,
        "expected_path": [{"question": "Mấy ngày?", "document": "a.md"}, {"question": "Ai?"}],
        "user": "an",
        "groups": ["hr"],
    }
    first, second = load(str(written(tmp_path / "set.jsonl", GOOD, conjunction))).questions
    assert first.parts == (("15 ngày",),)
    assert first.gold == (("nghi-phep.md",),)
    assert first.quotes == ("Được nghỉ 15 ngày.",)
    assert second.parts == (("15 ngày", "15"), ("Nguyễn Lan",))
    assert [hop.document for hop in second.expected_path] == ["a.md", None]
    assert (second.user, second.groups, second.hops) == ("an", ("hr",), 2)


def test_a_broken_line_is_named_and_the_rest_goes_on(tmp_path: Path) -> None:
    path = written(tmp_path / "set.jsonl", GOOD, '{"id": "q2", ', {**GOOD, "id": "q3"}, "[1]")
    found = load(str(path))
    assert [one.id for one in found.questions] == ["q1", "q3"]
    assert "set.jsonl, line 2: it is not JSON" in str(found.problems[0])
    assert "set.jsonl, line 4: it is a list, not an object" in str(found.problems[1])


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"question": None}, "the field 'question' is missing"),
        ({"question": "  "}, "the field 'question' is empty"),
        ({"answerable": None}, "the field 'answerable' is missing"),
        ({"answerable": "maybe"}, "the field 'answerable' is 'maybe'"),
        ({"answers": None}, "the field 'answers' is missing"),
        ({"answers": [], "supporting": []}, "has neither answers nor supporting documents"),
        ({"answers": {"a": 1}}, "the field 'answers' is not a list of texts"),
        ({"supporting": "a.md"}, "the field 'supporting' is a text, not a list"),
        ({"hops": "two"}, "the field 'hops' is a text, not a whole number"),
        ({"id": 7.5}, ""),
    ],
)
def test_a_wrong_field_is_named_with_its_line(
    tmp_path: Path, changes: dict[str, Any], said: str
) -> None:
    path = written(tmp_path / "set.jsonl", {**GOOD, "id": "q0"}, {**GOOD, **changes})
    found = [str(one) for one in load(str(path)).problems]
    assert bool(found) == bool(said)
    assert all(one.startswith("set.jsonl, line 2: ") and said in one for one in found)


def test_the_second_question_of_an_id_is_left_out(tmp_path: Path) -> None:
    path = written(tmp_path / "set.jsonl", GOOD, {**GOOD, "question": "Câu khác?"})
    assert problems(path) == ["set.jsonl, line 2: the id 'q1' is that of set.jsonl, line 1"]
    assert len(load(str(path)).questions) == 1


def test_bytes_that_are_no_utf_8_are_named(tmp_path: Path) -> None:
    path = written(tmp_path / "set.jsonl", GOOD)
    path.write_bytes(path.read_bytes() + "Nghỉ phép".encode("utf-16-le") + b"\n")
    assert "set.jsonl, line 2: it is not" in problems(path)[0]


def test_an_empty_set_is_an_error_in_a_sentence(tmp_path: Path) -> None:
    empty = written(tmp_path / "set.jsonl", "")
    with pytest.raises(UsageError, match="holds no question that can be asked"):
        load(str(empty))
    broken = written(tmp_path / "set.jsonl", "nonsense")
    with pytest.raises(UsageError, match=r"The first problem: set\.jsonl, line 1"):
        load(str(broken))


def test_a_set_that_is_not_there_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GROUNDHOP_DATASETS", raising=False)
    with pytest.raises(UsageError, match="There is no data set 'nowhere'"):
        load("nowhere")
    with pytest.raises(UsageError, match=r"holds no questions\.jsonl"):
        load(str(tmp_path))


def a_folder(tmp_path: Path) -> Path:
    """A set with passages of its own, one question of which names a passage that is not there."""
    row = {"id": "q1", "question": "Ai?", "answers": ["Lan"], "answerable": True}
    written(
        tmp_path / "kho" / "questions.jsonl",
        {**row, "supporting_ids": ["p1"]},
        {**row, "id": "q2", "supporting_ids": ["p9"]},
        {**row, "id": "q3", "supporting_ids": ["p2"]},
        {**row, "id": "q4", "answerable": False, "answers": []},
    )
    passage = {"title": "Lan", "text": "Lan sáng lập Delta.", "lang": "vi"}
    corpus = [{**passage, "id": f"p{number}"} for number in (1, 2, 3)]
    written(tmp_path / "kho" / "corpus.jsonl", *corpus, "{")
    return tmp_path / "kho"


def test_a_supporting_id_that_is_not_in_the_corpus_is_named(tmp_path: Path) -> None:
    found = load(str(a_folder(tmp_path)))
    assert [one.id for one in found.questions] == ["q1", "q3", "q4"]
    said = [str(one) for one in found.problems]
    assert "questions.jsonl, line 2: the supporting id 'p9' is not in the corpus" in said
    assert any(one.startswith("corpus.jsonl, line 4: it is not JSON") for one in said)


def test_a_set_is_found_by_name_below_the_folder_of_sets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_folder(tmp_path)
    monkeypatch.setenv("GROUNDHOP_DATASETS", str(tmp_path))
    assert load("kho").name == "kho"


def test_hiding_the_evidence_makes_its_questions_unanswerable(tmp_path: Path) -> None:
    folder = a_folder(tmp_path)
    variant = {"removed_doc_ids": ["p1"], "unanswerable_question_ids": ["q1"]}
    (folder / "abstention_variant.json").write_text(json.dumps(variant), encoding="utf-8")
    found = load(f"{folder}+abstention")
    assert found.name == "kho+abstention"
    assert {one.id: one.answerable for one in found.questions} == {
        "q1": "no",
        "q3": "yes",
        "q4": "no",
    }
    assert [one.id for one in found.passages] == ["p2", "p3"]


def test_titles_that_only_some_passages_have_are_left_out(tmp_path: Path) -> None:
    folder = a_folder(tmp_path)
    assert all(one.title == "Lan" for one in load(str(folder)).passages)
    written(
        folder / "corpus.jsonl",
        {"id": "p1", "title": "Lan", "text": "Lan sáng lập Delta."},
        {"id": "p2", "title": "", "text": "Không có đầu đề."},
    )
    assert {one.title for one in load(str(folder)).passages} == {""}


def test_questions_whose_documents_were_not_ingested_are_named(tmp_path: Path) -> None:
    other = {**GOOD, "id": "q2", "supporting": [{"document": "luong.md"}]}
    dataset = load(str(written(tmp_path / "set.jsonl", GOOD, other)))
    found = known_evidence(dataset, ["so-tay/nghi-phep.md", "so-tay/khac.md"])
    assert [one.id for one in found.questions] == ["q1"]
    assert "question q2: the supporting document 'luong.md' is not in" in str(found.problems[0])
    with pytest.raises(UsageError, match="run `groundhop ingest`"):
        known_evidence(dataset, ["khac.md"])


def test_a_part_of_a_set_is_chosen_by_split_half_and_number(tmp_path: Path) -> None:
    rows = [{**GOOD, "id": f"q{n}", "type": "bridge" if n % 5 else "single"} for n in range(40)]
    dataset = load(str(written(tmp_path / "set.jsonl", *rows, {**GOOD, "id": "x", "split": "t"})))
    assert len(choose(dataset, split="dev").questions) == 40
    odd, even = (choose(dataset, half=half).questions for half in ("odd", "even"))
    assert len(odd) + len(even) == 41
    assert all(is_odd(one.id) for one in odd)
    few = choose(dataset, limit=6).questions
    assert sorted(one.type for one in few) == ["bridge"] * 3 + ["single"] * 3
    assert choose(dataset, limit=6).questions == few
    with pytest.raises(UsageError, match="no question of split 'none'"):
        choose(dataset, split="none")


def test_the_hash_decides_between_odd_and_even() -> None:
    # the last hexadecimal digits of sha256: "a" …8bb, "b" …09d, "c" …fc6
    assert is_odd("a")
    assert is_odd("b")
    assert not is_odd("c")


def test_evidence_that_a_tool_has_read_need_not_be_a_document(tmp_path: Path) -> None:
    row = {
        "id": "a", "question": "Phép 2026 mấy ngày, và tôi còn mấy ngày?", "answers": ["15"],
        "answerable": "yes", "user": "E042", "asked_on": "2026-02-28",
        "supporting": [
            {"document": "documents/phep.md", "quote": "15 ngày"},
            {"document": "hr database", "tool": "query_database"},
        ],
        "expected_path": [{"question": "Còn mấy ngày?", "document": "hr database",
                           "tool": "query_database"}],
    }  # fmt: skip
    file = tmp_path / "hr.jsonl"
    file.write_text(json.dumps(row), encoding="utf-8")
    found = known_evidence(load(str(file)), ["documents/phep.md"])
    (question,) = found.questions
    assert found.problems == ()
    assert question.outside == {"hr database"}
    assert question.asked_on == "2026-02-28"
    assert question.expected_path[0].tool == "query_database"
