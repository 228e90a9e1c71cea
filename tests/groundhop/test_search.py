import json

import pytest

LEAVE = "# Nghỉ phép\n\nNhân viên chính thức được nghỉ phép năm 12 ngày.\n"
CONTRACT = "# Hợp đồng\n\nHợp đồng lao động được ký lại sau 36 tháng.\n"
SALARY = "---\naccess: [ketoan]\n---\n\n# Lương\n\nLương giám đốc là 90 triệu đồng.\n"


@pytest.fixture
def found(cli, tmp_path):
    """A function that runs `search` on three documents and returns how it ended."""
    folder = tmp_path / "tài liệu"
    folder.mkdir()
    for name, text in (("nghi-phep", LEAVE), ("hop-dong", CONTRACT), ("luong", SALARY)):
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    assert cli("ingest", str(folder)).code == 0
    return lambda *arguments: cli("search", *arguments)


def test_the_best_passage_is_first_with_its_place(found):
    outcome = found("nghỉ phép năm mấy ngày")
    assert outcome.code == 0
    first = outcome.stdout.splitlines()[0]
    assert first.startswith("1. ")
    assert "nghi-phep.md" in first
    assert "dense" not in outcome.stdout


def test_explain_shows_the_score_and_the_rank_of_every_stage(found):
    said = found("nghỉ phép năm", "--explain").said
    for stage in ("dense", "bm25", "fused", "reranked", "placed by best sentence"):
        assert stage in said
    assert "(rank 1)" in said


def test_json_is_one_object_with_the_stage_that_placed_each_passage(found):
    outcome = found("hợp đồng lao động", "--json")
    told = json.loads(outcome.stdout)
    assert told["hits"][0]["source"].endswith("hop-dong.md")
    assert told["hits"][0]["ranked_by"] == "best sentence"
    assert told["degraded"] == []


def test_only_what_the_asker_may_read_is_shown(found):
    assert "luong.md" not in found("lương giám đốc").said
    assert "luong.md" in found("lương giám đốc", "--group", "ketoan").said
    assert "luong.md" in found("lương giám đốc", "--as", "ketoan").said


def test_a_filter_that_matches_nothing_finds_nothing_without_an_error(found):
    outcome = found("nghỉ phép", "--source", "không-có")
    assert (outcome.code, outcome.stdout.strip()) == (0, "0 passages")


@pytest.mark.parametrize("arguments", [("",), ("nghỉ", "--as-of", "mai"), ("nghỉ", "--depth", "0")])
def test_a_request_that_cannot_be_met_ends_with_2(found, arguments):
    outcome = found(*arguments)
    assert outcome.code == 2
    assert "Traceback" not in outcome.said


def test_an_unknown_reranker_is_named_with_those_there_are(found, monkeypatch):
    monkeypatch.setenv("GROUNDHOP_RERANKER", "magic")
    outcome = found("nghỉ phép")
    assert outcome.code == 2
    assert "'magic'" in outcome.said
    assert "best-sentence" in outcome.said
