"""How often what a grader is first shown of a passage holds the answer: `python -m
bench.first_look DATA…`, folders of corpus.jsonl and questions.jsonl with answers (dev halves).

No model: the share of answerable questions whose answer stands in the sentences shown of their
paragraph, as the best passage of a batch and as another one, and the characters shown on average.
"""

import argparse
import sys
from pathlib import Path
from typing import Any

from bench.grader import read
from policy.llm.views import BEST_PASSAGE, OTHER_PASSAGE, passage_text
from state.text import comparable


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, nargs="+")
    options = parser.parse_args()
    print(f"command: python -m bench.first_look {' '.join(sys.argv[1:])}")
    for folder in options.data:
        texts = {row["id"]: row["text"] for row in read(folder / "corpus.jsonl")}
        rows = read(folder / "questions.jsonl")
        asked = [row for row in rows if row["split"] == "dev" and row["answers"]]
        for name, characters in (("best", BEST_PASSAGE), ("other", OTHER_PASSAGE)):
            looked = [look(row, texts[row["supporting_ids"][0]], characters) for row in asked]
            held = sum(found for found, _ in looked) / len(looked)
            size = sum(length for _, length in looked) / len(looked)
            print(f"  {folder.name}, {name}: {held:.3f} of {len(looked)}, {size:.0f} characters")


def look(row: dict[str, Any], text: str, characters: int) -> tuple[bool, int]:
    """Whether an answer stands in what is shown, and how long that is."""
    question = row["question"]
    view: Any = {"original_question": question, "subgoal": {"question": question}}
    passage: Any = {"text": text, "language": row["lang"]}
    shown = passage_text(view, passage, characters)
    return any(comparable(one) in comparable(shown) for one in row["answers"]), len(shown)


if __name__ == "__main__":
    main()
