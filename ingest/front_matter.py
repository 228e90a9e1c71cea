"""YAML front matter: what a file says about itself, and above all who may read it.

Reading is strict where a mistake could make a restricted file public: such a file is refused.
"""

import re
from dataclasses import dataclass
from typing import Any

import yaml

from ingest.errors import RefusedError
from ingest.stated import KNOWN, Stated, stated_in
from state.text import clean

_LONGEST = 64 * 1024
_DEEPEST = 20
_OPENING = re.compile(r"[\s\ufeff\u200b]*?---[ \t]*(?:\r\n?|\n)")
_CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\r\n?|\n|\Z)", re.MULTILINE)
_ACCESS_LINE = re.compile(r"^[ \t]*[\"']?access[\"']?[ \t]*:", re.MULTILINE | re.IGNORECASE)

_FENCE = re.compile(r"[\s\ufeff\u200b]*?(?:\+\+\+|---(?!-))[^\n]*\n")
_OTHER_CLOSING = re.compile(r"^(?:\+\+\+|---)\s*$", re.MULTILINE)
_NEARLY = re.compile(
    r"^[\W_]*access[\"']?[ \t]*[:=\uff1a]|[{,][ \t]*[\"']?access[\"']?[ \t]*:", re.M | re.I
)

_MISSPELT = re.compile(r"ac{1,3}es{1,3}(?:es)?[ _-]?(?:groups?|lists?|control)?", re.IGNORECASE)


@dataclass(frozen=True)
class FrontMatter(Stated):
    """What the front matter says; `body` is the offset of the first character after it."""

    body: int = 0


def read_front_matter(text: str) -> FrontMatter:
    """The front matter that opens a text; an empty one where there is none.

    All values stay as written ("1.10", "no", "2026-01-01"). Raises `RefusedError` if the block
    is not YAML, or if it mentions `access` in a way that cannot be read.
    """
    text = re.sub(r"\r\n?", lambda found: "\n".rjust(len(found[0])), text)
    opening = _OPENING.match(text)
    if opening is None:
        _refuse_other_fences(text)
        return FrontMatter()
    closing = _CLOSING.search(text, opening.end())
    block = text[opening.end() : closing.start() if closing else None]
    restricted = len(_ACCESS_LINE.findall(block))
    values = _mapping(block, is_rule=not restricted) if closing else None
    if closing and not restricted and "access" not in (values or {}) and _NEARLY.search(block):
        raise RefusedError("its front matter mentions access, but not as `access: [names]`")
    if closing is None or values is None:
        if restricted:
            raise RefusedError(
                "it opens with `---` and mentions access, but not in front matter that can be read"
            )
        return FrontMatter()
    _check_access(values, restricted, "its front matter")
    return FrontMatter(**stated_in(values, "its front matter"), body=closing.end())


def _refuse_other_fences(text: str) -> None:
    """TOML between `+++`, or a `---` with more on its line, is not read: it may restrict."""
    fence = _FENCE.match(text)
    closing = fence and _OTHER_CLOSING.search(text, fence.end())
    if fence and closing and _NEARLY.search(text, fence.end(), closing.start()):
        raise RefusedError(
            "it opens with a block that mentions access, but is no YAML between lines of `---`"
        )


def read_sidecar(name: str, text: str) -> Stated:
    """What the YAML of a file's sidecar says. Raises `RefusedError` like `read_front_matter`."""
    where = f"the file {name}"
    if not text.strip():
        return Stated()
    values = _mapping(text, is_rule=False, where=where, above=1)
    if values is None:
        raise RefusedError(f"{where} holds no names with values, such as `access: [hr]`")
    _check_access(values, len(_ACCESS_LINE.findall(text)), where)
    return Stated(**stated_in(values, where))


def _mapping(
    block: str, *, is_rule: bool, where: str = "its front matter", above: int = 2
) -> dict[str, Any] | None:
    """The mapping that a block holds, known names in lower case; None if it is no mapping.

    `is_rule` allows to take the line `---` for a rule of Markdown if a blank line follows.
    """
    if len(block) > _LONGEST or (is_rule and not block.split("\n", 1)[0].strip()):
        return None
    try:
        _check_shape(block, where)
        values = yaml.load(block, Loader=yaml.BaseLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f" at line {mark.line + above}" if mark else ""
        problem = getattr(error, "problem", None) or "it cannot be read"
        raise RefusedError(f"{where} is not valid YAML{place}: {problem}") from error
    if not isinstance(values, dict):
        return None if values else {}
    return {_known(str(name)): _cleaned(value) for name, value in values.items()}


def _check_shape(block: str, where: str) -> None:
    """Refuse aliases and deep nesting before YAML spends minutes, or gigabytes, on them."""
    depth = 0
    for event in yaml.parse(block, Loader=yaml.BaseLoader):
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > _DEEPEST:
            raise RefusedError(f"{where} is nested too deeply")
        if isinstance(event, yaml.AliasEvent):
            raise RefusedError(f"{where} uses YAML aliases (`*name`), which are not read")


def _known(name: str) -> str:
    return name.strip().lower() if name.strip().lower() in KNOWN else clean(name)


def _cleaned(value: Any) -> Any:
    """The value in NFC; an escape such as "\\ud800" is no character that can be stored."""
    if isinstance(value, dict):
        return {clean(str(name)): _cleaned(inner) for name, inner in value.items()}
    return [_cleaned(inner) for inner in value] if isinstance(value, list) else clean(str(value))


def _check_access(values: dict[str, Any], lines: int, where: str) -> None:
    if lines > 1:
        raise RefusedError(f"{where} mentions access more than once")
    if lines and "access" not in values:
        raise RefusedError(f"`access` in {where} does not stand at the first level")
    alike = next((name for name in values if name != "access" and _MISSPELT.fullmatch(name)), "")
    if alike:
        raise RefusedError(f"{where} has {alike[:60]!r}, which is not read: is it `access`?")
