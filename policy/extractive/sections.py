"""Where in its section a sentence stands: what tells of what it is about without its naming it."""

from policy.extractive.objections import headings_of
from policy.protocol import PassageView

_NEAR = 400
"""How far before a sentence a name is believed to tell what it is about, in characters."""


def is_heading(text: str, start: int) -> bool:
    """Whether the line in which a sentence starts is a Markdown heading."""
    return text[text.rfind("\n", 0, start) + 1 : start].lstrip().startswith("#")


def before_it(text: str, start: int) -> str:
    """What stands before a sentence under the same heading, `_NEAR` characters at most."""
    before = text[max(0, start - _NEAR) : start]
    return before[before.rfind("\n#") + 1 :]


def about(passage: PassageView, start: int) -> str:
    """The headings and the sentence that opens the section in which a sentence stands."""
    text = passage["text"]
    at = text.rfind("\n#", 0, start) + 1
    if not text.startswith("#", at):
        return headings_of(passage)
    section = text[at:].partition("\n")[2].lstrip()
    return f"{headings_of(passage)} {section.partition('. ')[0]}"
