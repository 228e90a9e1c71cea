"""Passages for benchmarks of size: real sentences of the public sets, joined at random."""

import json
import os
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from state.sentences import sentences
from state.text import nfc

_SETS = ("xquad_vi", "xquad_en", "viquad2_unans", "musique", "hotpotqa", "twowiki")
_WORDS = 180


def datasets() -> Path:
    """The folder of the public sets; ends the program if GROUNDHOP_DATASETS does not name it."""
    folder = os.environ.get("GROUNDHOP_DATASETS")
    if not folder or not Path(folder).is_dir():
        sys.exit("Set GROUNDHOP_DATASETS to the folder of the public sets.")
    return Path(folder)


def rows(name: str, file: str) -> list[dict[str, Any]]:
    """The rows of "corpus" or "questions" of a set."""
    text = (datasets() / name / f"{file}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n") if line.strip()]


def passages(count: int) -> Iterator[tuple[str, str]]:
    """Ids and texts of `count` passages of about 180 words; the same every time."""
    by_set = [
        [one.text for row in rows(name, "corpus") for one in sentences(nfc(row["text"]))]
        for name in _SETS
    ]
    chance = random.Random(0)
    for number in range(count):
        pool, text = by_set[number % len(by_set)], ""
        while text.count(" ") < _WORDS:
            text += f" {chance.choice(pool)}"
        yield f"chunk-{number:06d}", text.strip()


def questions(count: int) -> list[str]:
    """Questions of the same sets, in turn."""
    by_set = [rows(name, "questions") for name in _SETS]
    return [by_set[n % len(by_set)][n // len(by_set)]["question"] for n in range(count)]
