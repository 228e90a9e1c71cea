"""The words that E5 models were trained to find before a text."""

import re
from typing import NamedTuple

_E5 = re.compile(r"(^|[-_.])e5([-_.]|$)", re.IGNORECASE)


class Prefixes(NamedTuple):
    """What is put before a question and before a passage."""

    query: str = ""
    passage: str = ""


def prefixes_of(model: str) -> Prefixes:
    """ "query: " and "passage: " for a model called E5 (the last part of a name or folder).

    The "instruct" variants were trained otherwise and bring their own prompts.
    """
    last = re.split(r"[/\\]", model.rstrip("/\\"))[-1]
    if _E5.search(last) and "instruct" not in last.lower():
        return Prefixes("query: ", "passage: ")
    return Prefixes()
