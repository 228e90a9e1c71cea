"""Runs only where the extra `local` is installed; makes a tiny cross-encoder and saves it."""

import importlib.util
from pathlib import Path

import pytest

from retrieval.cross_encoder import CrossEncoderReranker
from retrieval.errors import EmbeddingError
from retrieval.records import Chunk
from retrieval.rerank import Asked

pytestmark = pytest.mark.local

if importlib.util.find_spec("sentence_transformers") is None:
    pytest.skip("needs the extra local: pip install 'groundhop[local]'", allow_module_level=True)


WORDS = "nghỉ phép năm mấy ngày hợp đồng lao động lương the annual report who wrote it".split()


def make_model(folder: Path, labels: int = 1) -> Path:
    """Saves a BERT of one layer with random weights that reads at most 32 tokens."""
    import torch
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

    vocabulary = {
        word: n
        for n, word in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *dict.fromkeys(WORDS)])
    }
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    torch.manual_seed(3)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=32,
        num_labels=labels,
    )
    model = BertForSequenceClassification(config)
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    model.save_pretrained(str(folder))
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        unk_token="[UNK]", pad_token="[PAD]", cls_token="[CLS]", sep_token="[SEP]",
        model_max_length=32,
    ).save_pretrained(str(folder))  # fmt: skip
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("mô hình") / "tiny")


@pytest.fixture(scope="module")
def reranker(folder: Path) -> CrossEncoderReranker:
    return CrossEncoderReranker(str(folder), device="cpu")


def of(**texts: str) -> list[Chunk]:
    return [Chunk(one, "d", 0, text, 0, len(text)) for one, text in texts.items()]


def asked(query: str) -> Asked:
    return Asked(query, None, {}, {}, lambda one: 0.6)


def test_scores_are_probabilities_one_for_each_passage(reranker: CrossEncoderReranker) -> None:
    passages = of(a="nghỉ phép năm", b="hợp đồng lao động", c="")
    scores = reranker.rerank(asked("nghỉ phép mấy ngày"), passages)
    assert set(scores) == {"a", "b", "c"}
    assert all(0 < score < 1 for score in scores.values())
    assert scores["a"] != scores["b"]


def test_passages_that_say_the_same_score_the_same(reranker: CrossEncoderReranker) -> None:
    many = of(**{str(n): "nghỉ phép năm" if n % 2 else "lương" for n in range(40)})
    scores = reranker.rerank(asked("nghỉ phép"), many)
    assert len({round(scores[str(n)], 6) for n in range(1, 40, 2)}) == 1


def test_a_long_passage_is_read_to_its_end(reranker: CrossEncoderReranker) -> None:
    query, filler = "nghỉ phép", "lương " * 100
    parts = reranker._windows(query, filler + "hợp đồng lao động")
    assert len(parts) > 3
    assert parts[-1].endswith("hợp đồng lao động")
    alone = reranker.rerank(asked(query), of(**{str(n): part for n, part in enumerate(parts)}))
    whole = reranker.rerank(asked(query), of(w=filler + "hợp đồng lao động"))["w"]
    assert whole == pytest.approx(max(alone.values()), abs=1e-5)


def test_every_token_of_a_long_passage_is_in_a_window(reranker: CrossEncoderReranker) -> None:
    text = " ".join(f"{WORDS[n % len(WORDS)]}{n}" for n in range(97))
    covered = " ".join(reranker._windows("nghỉ", text))
    assert all(word in covered for word in text.split())


def test_a_query_longer_than_the_model_is_no_error(reranker: CrossEncoderReranker) -> None:
    assert reranker.rerank(asked("nghỉ phép " * 200), of(a="lương"))["a"] > 0


def test_nothing_to_score_gives_nothing(reranker: CrossEncoderReranker) -> None:
    assert reranker.rerank(asked("nghỉ phép"), []) == {}


def test_a_model_with_several_outputs_is_refused_by_name(tmp_path: Path) -> None:
    folder = make_model(tmp_path / "three", labels=3)
    with pytest.raises(EmbeddingError, match=r"three.* has 3 outputs"):
        CrossEncoderReranker(str(folder)).rerank(asked("a"), of(a="b"))


def test_a_model_that_is_not_on_this_disk_is_one_sentence() -> None:
    with pytest.raises(EmbeddingError, match=r"nobody/nothing.*HF_HUB_OFFLINE=0"):
        CrossEncoderReranker("nobody/nothing").rerank(asked("a"), of(a="b"))
