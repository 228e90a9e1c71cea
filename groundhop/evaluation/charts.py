"""Plots as inline SVG: a dot with its interval for each system, and causes of errors as bars.

Written by hand, because both are a dozen lines and a plotting library is thirty megabytes.
"""

from collections.abc import Mapping, Sequence
from html import escape

from groundhop.evaluation.statistics import Interval

COLOURS = ("#0b6e4f", "#c8553d", "#3d5a98", "#8f6c1b", "#6b4c8a")
"""One per system, in order; dark enough for print, told apart by colour-blind people."""

_ROW, _LABEL, _WIDTH = 20, 190, 420


def dots(rows: Sequence[tuple[str, Mapping[str, Interval]]], systems: Sequence[str]) -> str:
    """Shares from 0 to 1: for each row one dot and one line (the interval) per system."""
    height = 30 + sum(_ROW * max(1, len(values)) + 8 for _, values in rows)
    parts = [_grid(height)]
    top = 22.0
    for label, values in rows:
        middle = top + _ROW * max(1, len(values)) / 2
        parts.append(
            f'<text x="{_LABEL - 8}" y="{middle + 4}" text-anchor="end">{escape(label)}</text>'
        )
        for system, value in values.items():
            parts.append(_dot(value, top + _ROW / 2, systems.index(system), system))
            top += _ROW
        top += 8
    return _svg(height, parts, "Shares with 95 % intervals")


def bars(counts: Mapping[str, Mapping[str, int]], systems: Sequence[str]) -> str:
    """Counts: for each label one bar per system."""
    most = max((n for row in counts.values() for n in row.values()), default=0) or 1
    height = 12 + sum(_ROW * len(systems) + 8 for _ in counts)
    parts: list[str] = []
    top = 6.0
    for label, row in counts.items():
        middle = top + _ROW * len(systems) / 2
        parts.append(
            f'<text x="{_LABEL - 8}" y="{middle + 4}" text-anchor="end">{escape(label)}</text>'
        )
        for place, system in enumerate(systems):
            number = row.get(system, 0)
            width = number / most * (_WIDTH - 40)
            colour = COLOURS[place % len(COLOURS)]
            parts.append(
                f'<rect x="{_LABEL}" y="{top + 3}" width="{width:.1f}" height="{_ROW - 6}"'
                f' fill="{colour}"><title>{escape(system)}: {number}</title></rect>'
                f'<text x="{_LABEL + width + 6:.1f}" y="{top + 14}">{number}</text>'
            )
            top += _ROW
        top += 8
    return _svg(height, parts, "Causes of wrong answers")


def legend(systems: Sequence[str]) -> str:
    """The colour of each system, as HTML."""
    keys = [
        f'<span><i style="background:{COLOURS[place % len(COLOURS)]}"></i>{escape(system)}</span>'
        for place, system in enumerate(systems)
    ]
    return f'<p class="legend">{"".join(keys)}</p>'


def _grid(height: float) -> str:
    lines = []
    for tick in range(0, 101, 20):
        x = _LABEL + tick / 100 * _WIDTH
        lines.append(
            f'<line x1="{x}" y1="16" x2="{x}" y2="{height - 6}" stroke="#ddd"/>'
            f'<text x="{x}" y="11" text-anchor="middle" class="tick">{tick} %</text>'
        )
    return "".join(lines)


def _dot(value: Interval, y: float, place: int, system: str) -> str:
    colour = COLOURS[place % len(COLOURS)]
    low, high, x = (_LABEL + part * _WIDTH for part in (value.low, value.high, value.value))
    said = f"{system}: {value.value:.1%} ({value.low:.1%} to {value.high:.1%}), n = {value.n}"
    return (
        f'<g stroke="{colour}" fill="{colour}"><title>{escape(said)}</title>'
        f'<line x1="{low:.1f}" y1="{y}" x2="{high:.1f}" y2="{y}" stroke-width="2"/>'
        f'<circle cx="{x:.1f}" cy="{y}" r="4.5" stroke="none"/></g>'
    )


def _svg(height: float, parts: Sequence[str], title: str) -> str:
    width = _LABEL + _WIDTH + 24
    return (
        f'<svg viewBox="0 0 {width} {height:.0f}" width="{width}" role="img"'
        f' aria-label="{escape(title)}">{"".join(parts)}</svg>'
    )
