"""Prompts from Markdown files, and data in fences that the data cannot forge."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from policy.llm.chat import Message

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_INVISIBLE = re.compile(
    "[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u00ad\ue000-\uf8ff]|[\U000e0000-\U000fffff]"
)
_CHAT_MARK = re.compile(r"<(?=\|)|(?<=\|)>|\[(?=/?INST\])|<(?=</?SYS>)|<(?=/?s>)")
_VERSION = re.compile(r"\A<!-- version: (\d+) -->\n")
ROLES = ("plan", "grade", "verdict", "quote", "rewrite", "write")
ADDED = ("plan_follow_up", "plan_clarify", "plan_tools", "plan_arguments")
"""What a plan is told besides, only where there is a conversation, a person to ask, a choice."""


@dataclass(frozen=True)
class Prompt:
    """The instructions of one role: the same for every call, so that servers can cache them."""

    name: str
    version: str
    text: str


@cache
def load(name: str, *more: str) -> Prompt:
    """The prompt of that name, with what `more` prompts add to it at its end.

    Raises ValueError where a file has no version line.
    """
    parts = [_read(one) for one in (name, *more)]
    text = "\n\n".join(part.text for part in parts)
    return Prompt(name, "+".join(part.version for part in parts), text)


def _read(name: str) -> Prompt:
    text = (files("policy") / "prompts" / f"{name}.md").read_text(encoding="utf-8")
    found = _VERSION.match(text)
    if found is None:
        raise ValueError(f"The prompt {name}.md has no version line at its top.")
    return Prompt(name, found[1], text[found.end() :].strip())


def version_of_all() -> str:
    """Versions of all prompts and the beginning of their hash, for history and ledger."""
    prompts = [load(name) for name in (*ROLES, *ADDED)]
    digest = hashlib.sha256("\x00".join(prompt.text for prompt in prompts).encode()).hexdigest()
    return f"{'.'.join(prompt.version for prompt in prompts)}-{digest[:12]}"


def messages(
    prompt: Prompt, sections: Sequence[tuple[str, str]], question: str, closing: str = ""
) -> list[Message]:
    """The instructions, then the data: each section behind a tag that carries a key, an end, and
    what is still to be said after it.

    The key comes from the question, so that the calls of one run begin alike, and is changed
    until no section holds it: no text can end the data or open another section.
    """
    texts = [(name, readable(text)) for name, text in sections if text.strip()]
    key = _key(question, "\n".join(text for _, text in texts))
    body = "\n".join(f"<{name} {key}>\n{text}" for name, text in texts)
    return [
        {"role": "system", "content": prompt.text},
        {"role": "user", "content": f"{body}\n<end {key}>{closing}"},
    ]


def _key(question: str, data: str) -> str:
    number = 0
    while True:
        seed = f"{number}\x00{question}".encode("utf-8", "replace")
        key = hashlib.sha256(seed).hexdigest()[:4]
        if key not in data:
            return key
        number += 1


def readable(text: str) -> str:
    """Text without control and invisible characters; marks of chat templates are broken up,
    because a local server may read them as the end of a message."""
    return _CHAT_MARK.sub(
        lambda found: f" {found[0]} ", _INVISIBLE.sub("", _CONTROL.sub(" ", text))
    )


def one_line(text: str, characters: int) -> str:
    """One line, so that a text in a list cannot look like a further item of it."""
    return shorten(" ".join(text.split()), characters)


def shorten(text: str, characters: int) -> str:
    """At most so many characters, cut at a space where there is one near the end."""
    if len(text) <= characters:
        return text
    cut = text[:characters]
    space = cut.rfind(" ", characters * 3 // 4)
    return (cut[:space] if space > 0 else cut) + " …"
