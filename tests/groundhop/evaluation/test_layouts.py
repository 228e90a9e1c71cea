"""The layouts of public sets, each with a question of our own in it."""

import json
from pathlib import Path
from typing import Any

import pytest

from groundhop.evaluation.datasets import load
from groundhop.evaluation.schema import Dataset

HOTPOT = {
    "_id": "h1",
    "question": "Who founded the lab that built Aurora?",
    "answer": "Minh Tran",
    "type": "bridge",
    "supporting_facts": [["Aurora", 0], ["Lab Delta", 0]],
    "context": [
        ["Aurora", ["Aurora was built by Lab Delta. ", "It flies."]],
        ["Lab Delta", ["Minh Tran founded Lab Delta."]],
        ["Lab Sigma", ["It is elsewhere."]],
    ],
}
MUSIQUE = {
    "id": "m1",
    "question": "Ai sáng lập nơi làm ra Aurora?",
    "answer": "Minh Trần",
    "answer_aliases": ["Trần Minh"],
    "answerable": True,
    "question_decomposition": [{}, {}],
    "paragraphs": [
        {"title": "Aurora", "paragraph_text": "Lab Delta làm ra Aurora.", "is_supporting": True},
        {"title": "Delta", "paragraph_text": "Minh Trần lập Delta.", "is_supporting": True},
        {"title": "Sigma", "paragraph_text": "Ở nơi khác.", "is_supporting": False},
    ],
}
SQUAD = {
    "data": [
        {
            "title": "Delta",
            "paragraphs": [
                {
                    "context": "Minh Trần lập Delta năm 2019.",
                    "qas": [
                        {"id": "s1", "question": "Năm nào?", "answers": [{"text": "2019"}]},
                        {"id": "s2", "question": "Ai bán?", "answers": [], "is_impossible": True},
                    ],
                }
            ],
        }
    ]
}
MULTIHOP = {
    "query": "Which company did both papers name?",
    "answer": "Delta",
    "question_type": "inference_query",
    "evidence_list": [{"fact": "Delta did it.", "title": "One"}, {"fact": "So did Delta."}],
}
RAGAS = {
    "user_input": "Được nghỉ mấy ngày?",
    "reference": "15 ngày",
    "reference_contexts": ["Nhân viên được nghỉ 15 ngày."],
}


def loaded(tmp_path: Path, name: str, value: Any) -> Dataset:
    path = tmp_path / name
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return load(str(path))


def test_hotpotqa_brings_its_context_and_names_the_gold_paragraphs(tmp_path: Path) -> None:
    found = loaded(tmp_path, "hotpot.json", [HOTPOT, {**HOTPOT, "_id": "h2"}])
    assert len(found.passages) == 3, "paragraphs that two questions share are kept once"
    texts = {one.id: one.text for one in found.passages}
    gold = [texts[piece[0]] for piece in found.questions[0].gold]
    assert gold == ["Aurora was built by Lab Delta. It flies.", "Minh Tran founded Lab Delta."]
    assert found.questions[0].hops == 2


def test_hotpotqa_as_columns_is_the_same(tmp_path: Path) -> None:
    columns = {
        **HOTPOT,
        "id": "h1",
        "context": {
            "title": [one[0] for one in HOTPOT["context"]],
            "sentences": [one[1] for one in HOTPOT["context"]],
        },
        "supporting_facts": {"title": ["Aurora", "Lab Delta"], "sent_id": [0, 0]},
    }
    first = loaded(tmp_path, "a.json", [HOTPOT]).questions
    assert loaded(tmp_path, "b.json", [columns]).questions == first


def test_a_gold_paragraph_that_is_not_in_the_context_is_named(tmp_path: Path) -> None:
    broken = {**HOTPOT, "_id": "h2", "supporting_facts": [["Lab Omega", 0]]}
    found = loaded(tmp_path, "hotpot.json", [HOTPOT, broken])
    assert "hotpot.json, entry 2: the supporting paragraph 'Lab Omega'" in str(found.problems[0])


def test_musique_knows_unanswerable_questions(tmp_path: Path) -> None:
    found = loaded(tmp_path, "m.json", [MUSIQUE, {**MUSIQUE, "id": "m2", "answerable": False}])
    first, second = found.questions
    assert (first.hops, first.answers, len(first.gold)) == (2, ("Minh Trần", "Trần Minh"), 2)
    assert (second.answerable, second.gold) == ("no", ())


def test_squad_and_xquad_nest_questions_in_paragraphs(tmp_path: Path) -> None:
    found = loaded(tmp_path, "xquad.vi.json", SQUAD)
    first, second = found.questions
    assert (first.answers, first.answerable) == (("2019",), "yes")
    assert (second.answers, second.answerable) == ((), "no")
    assert first.gold == ((found.passages[0].id,),)


def test_multihop_rag_null_queries_are_unanswerable(tmp_path: Path) -> None:
    null = {**MULTIHOP, "query": "What did nobody say?", "evidence_list": []}
    first, second = loaded(tmp_path, "MultiHopRAG.json", [MULTIHOP, null]).questions
    assert (first.type, first.hops, first.answerable) == ("inference", 2, "yes")
    assert second.answerable == "no"


@pytest.mark.parametrize("answer", [{"reference": "15 ngày"}, {"ground_truths": ["15 ngày"]}])
def test_both_generations_of_ragas_columns_are_read(tmp_path: Path, answer: Any) -> None:
    row = {**RAGAS, "reference": None, **answer}
    found = loaded(tmp_path, "r.json", [row])
    assert found.questions[0].answers == ("15 ngày",)
    assert found.passages[0].text == "Nhân viên được nghỉ 15 ngày."


def test_ragas_without_contexts_is_asked_on_the_knowledge_base_that_is_there(
    tmp_path: Path,
) -> None:
    found = loaded(tmp_path, "r.json", [{"user_input": "Mấy ngày?", "reference": "15"}])
    assert found.passages == ()
