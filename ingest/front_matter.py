"""YAML front matter: what a file says about itself, and above all who may read it.

Reading is strict where a mistake could make a restricted file public: such a file is refused.
"""

import re
from dataclasses import dataclass, field
from typing import Any

import yaml

from ingest.errors import RefusedError
from retrieval.access import Access
from state.text import clean

_LONGEST = 64 * 1024
_DEEPEST = 20
_OPENING = re.compile(r"[\s\ufeff\u200b]*?---[ \t]*(?:\r\n?|\n)")
_CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\r\n?|\n|\Z)", re.MULTILINE)
_ACCESS_LINE = re.compile(r"^[ \t]*[\"']?access[\"']?[ \t]*:", re.MULTILINE | re.IGNORECASE)
_NULL = ("", "~", "null")
_KNOWN = ("title", "version", "language", "access")


@dataclass(frozen=True)
class FrontMatter:
    """What the front matter says; `body` is the offset of the first character after it."""

    body: int = 0
    title: str = ""
    version: str = ""
    language: str = ""
    access: Access = None
    metadata: dict[str, Any] = field(default_factory=dict)


def read_front_matter(text: str) -> FrontMatter:
    """The front matter that opens a text; an empty one where there is none.

    All values stay as written ("1.10", "no", "2026-01-01"). Raises `RefusedError` if the block
    is not YAML, or if it mentions `access` in a way that cannot be read.
    """
    text = re.sub(r"\r\n?", lambda found: "\n".rjust(len(found[0])), text)
    opening = _OPENING.match(text)
    if opening is None:
        return FrontMatter()
    closing = _CLOSING.search(text, opening.end())
    block = text[opening.end() : closing.start() if closing else None]
    restricted = len(_ACCESS_LINE.findall(block))
    values = _mapping(block, is_rule=not restricted) if closing else None
    if closing is None or values is None:
        if restricted:
            raise RefusedError(
                "it opens with `---` and mentions access, but not in front matter that can be read"
            )
        return FrontMatter()
    title, version, language = (_line(values.get(name)) for name in _KNOWN[:3])
    return FrontMatter(
        body=closing.end(),
        title=title,
        version=version,
        language=language,
        access=_access(values, restricted),
        metadata={name: value for name, value in values.items() if name not in _KNOWN},
    )


def _mapping(block: str, *, is_rule: bool) -> dict[str, Any] | None:
    """The mapping that a block holds, known names in lower case; None if it is no mapping.

    `is_rule` allows to take the line `---` for a rule of Markdown if a blank line follows.
    """
    if len(block) > _LONGEST or (is_rule and not block.split("\n", 1)[0].strip()):
        return None
    try:
        _check_shape(block)
        values = yaml.load(block, Loader=yaml.BaseLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f" at line {mark.line + 2}" if mark else ""
        problem = getattr(error, "problem", None) or "it cannot be read"
        raise RefusedError(f"its front matter is not valid YAML{place}: {problem}") from error
    if not isinstance(values, dict):
        return None if values else {}
    return {_known(str(name)): _cleaned(value) for name, value in values.items()}


def _check_shape(block: str) -> None:
    """Refuse aliases and deep nesting before YAML spends minutes, or gigabytes, on them."""
    depth = 0
    for event in yaml.parse(block, Loader=yaml.BaseLoader):
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > _DEEPEST:
            raise RefusedError("its front matter is nested too deeply")
        if isinstance(event, yaml.AliasEvent):
            raise RefusedError("its front matter uses YAML aliases (`*name`), which are not read")


def _known(name: str) -> str:
    return name.strip().lower() if name.strip().lower() in _KNOWN else clean(name)


def _cleaned(value: Any) -> Any:
    """The value in NFC; an escape such as "\\ud800" is no character that can be stored."""
    if isinstance(value, dict):
        return {clean(str(name)): _cleaned(inner) for name, inner in value.items()}
    return [_cleaned(inner) for inner in value] if isinstance(value, list) else clean(str(value))


def _line(value: object) -> str:
    """A value as one line; lists and mappings count as not given."""
    return " ".join(value.split()) if isinstance(value, str) and value not in _NULL else ""


def _access(values: dict[str, Any], lines: int) -> Access:
    """Who may read: null is everybody, a list the named users and groups, [] nobody."""
    if lines > 1:
        raise RefusedError("its front matter mentions access more than once")
    if "access" not in values:
        if lines:
            raise RefusedError("`access` in its front matter does not stand at the first level")
        return None
    value = values["access"]
    if isinstance(value, str) and value.strip().lower() in _NULL:
        return None
    if not isinstance(value, list) or not all(
        isinstance(one, str) and one.strip() for one in value
    ):
        raise RefusedError(
            "`access` in its front matter must be a list such as [hr, legal] or null, "
            f"not {str(value)[:60]!r}"
        )
    return tuple(dict.fromkeys(one.strip() for one in value))
