"""The report: one HTML page that needs nothing beside itself."""

from collections.abc import Sequence
from html import escape
from importlib.resources import files

from groundhop.evaluation import charts
from groundhop.evaluation.diagnosis import CAUSES
from groundhop.evaluation.differences import differences, wrong_answers
from groundhop.evaluation.gates import Verdict
from groundhop.evaluation.html import table
from groundhop.evaluation.statistics import in_words
from groundhop.evaluation.summary import (
    GROUPS,
    Answer,
    causes,
    comparisons,
    distinct,
    mean,
    of,
    stops,
)
from groundhop.evaluation.tables import refusal_rows, second_rows
from groundhop.evaluation.wordlist import (
    COUNTED,
    TITLES,
    percent,
    plain,
)

_PLOTTED = ("right", "contains", "all_found@5", "all_accepted", "citation_precision", "recall@5")


def page(run: str, command: str, answers: Sequence[Answer], verdicts: Sequence[Verdict]) -> str:
    """The whole page."""
    systems = distinct(answers, "system")
    parts = [
        f"<h1>Evaluation {escape(run)}</h1>",
        f'<p class="soft"><code>{escape(command)}</code></p>',
        f"<p>{_opening(answers, systems)}</p>",
        charts.legend(systems),
        _gates(verdicts),
        *(
            _dataset(name, of(answers, dataset=name), systems)
            for name in distinct(answers, "dataset")
        ),
    ]
    template = files("groundhop.evaluation").joinpath("report.html").read_text(encoding="utf-8")
    return template.format(run=escape(run), body="\n".join(parts))


def _opening(answers: Sequence[Answer], systems: Sequence[str]) -> str:
    count = len({(one.dataset, one.question) for one in answers})
    hidden = len(
        {(one.dataset, one.question) for one in answers if one.groups["split"] == "heldout"}
    )
    text = (
        f"{count:,} questions, {len(systems)} systems ({escape(', '.join(systems))}). Shares are "
        "in percent with 95 % intervals: Wilson for rates, bootstrap over questions for other "
        "means."
    )
    if hidden:
        text += f" {hidden:,} questions are held out: they are counted, never shown."
    return text


def _gates(verdicts: Sequence[Verdict]) -> str:
    if not verdicts:
        return ""
    rows = [
        f'<li class="{"good" if one.passed else "bad"}">{"passed" if one.passed else "FAILED"}: '
        f"{escape(one.text)}</li>"
        for one in verdicts
    ]
    return f"<h3>Gates</h3><ul>{''.join(rows)}</ul>"


def _dataset(name: str, answers: Sequence[Answer], systems: Sequence[str]) -> str:
    systems = [one for one in systems if of(answers, system=one)]
    shown = [one for one in answers if one.groups["split"] != "heldout"]
    return "\n".join(
        [
            f"<h2>{escape(name)}</h2>",
            _plot(answers, systems),
            _measures(answers, systems),
            _refusals(answers, systems),
            _differences(answers),
            *(_cut(answers, systems, group) for group in GROUPS),
            _process(answers, systems),
            _causes(answers, systems),
            wrong_answers(shown),
            differences(shown),
        ]
    )


def _plot(answers: Sequence[Answer], systems: Sequence[str]) -> str:
    rows = []
    for measure in _PLOTTED:
        found = {one: mean(of(answers, system=one), measure) for one in systems}
        values = {system: value for system, value in found.items() if value is not None}
        if values:
            rows.append((TITLES[measure], values))
    return charts.dots(rows, systems)


def _measures(answers: Sequence[Answer], systems: Sequence[str]) -> str:
    rows = []
    for measure, title in TITLES.items():
        found = [mean(of(answers, system=one), measure) for one in systems]
        if any(found):
            n = max(one.n for one in found if one)
            rows.append([title, str(n), *(percent(one) for one in found)])
    return table("Measures", ["measure", "n", *systems], rows)


def _refusals(answers: Sequence[Answer], systems: Sequence[str]) -> str:
    rows = refusal_rows(answers, systems, percent)
    return table("Refusal (greetings and partial questions apart)", ["", *systems], rows)


def _differences(answers: Sequence[Answer]) -> str:
    """The comparisons in words."""
    lines = []
    for one in comparisons(answers):
        words = in_words(
            TITLES.get(one.measure, one.measure), one.first, one.second, one.found, one.p
        )
        if one.found.only_first or one.found.only_second:
            words += (
                f" Only {one.first}: {one.found.only_first}; only {one.second}: "
                f"{one.found.only_second} (exact McNemar)."
            )
        lines.append(f"<li>{escape(words)}</li>")
    if not lines:
        return ""
    note = "<p class='soft'>p adjusted for the number of tests (Holm).</p>"
    return f"<h3>Differences</h3><ul>{''.join(lines)}</ul>{note}"


def _cut(answers: Sequence[Answer], systems: Sequence[str], group: str) -> str:
    values = distinct(answers, group)
    if len(values) < 2:
        return ""
    rows = []
    for value in values:
        part = of(answers, **{group: value})
        counts = [len(of(part, system=one)) for one in systems]
        cells = [percent(mean(of(part, system=one), "right")) for one in systems]
        found = [percent(mean(of(part, system=one), "all_found@5")) for one in systems]
        rows.append([value or "(not said)", str(max(counts)), *cells, *found])
    head = [group, "n", *(f"right: {one}" for one in systems)]
    head += [f"all gold @5: {one}" for one in systems]
    return table(f"By {group}", head, rows)


def _process(answers: Sequence[Answer], systems: Sequence[str]) -> str:
    rows = []
    for measure, title in COUNTED.items():
        found = [mean(of(answers, system=one), measure) for one in systems]
        rows.append([title, *(plain(one.value if one else None) for one in found)])
    rows += second_rows(answers, systems)
    ended = {one: stops(of(answers, system=one)) for one in systems}
    for rule in dict.fromkeys(rule for counts in ended.values() for rule in counts):
        title = f"ended by {rule.replace('_', ' ')}"
        rows.append([title, *(str(ended[one][rule]) for one in systems)])
    return table("Process, means a question; and what ended the runs", ["", *systems], rows)


def _causes(answers: Sequence[Answer], systems: Sequence[str]) -> str:
    by_system = {one: causes(of(answers, system=one)) for one in systems}
    counts = {
        text: {one: by_system[one][cause] for one in systems}
        for cause, text in _SHORT.items()
        if any(by_system[one][cause] for one in systems)
    }
    if not counts:
        return "<h3>Errors</h3><p>None.</p>"
    meaning = [
        f"<b>{escape(_SHORT[cause])}</b>: {escape(text)}"
        for cause, text in CAUSES.items()
        if _SHORT[cause] in counts
    ]
    explained = f'<p class="soft">{"; ".join(meaning)}.</p>'
    return f"<h3>Errors by cause</h3>{charts.bars(counts, systems)}{explained}"


_SHORT = {
    "tool_failed": "tool failed",
    "budget": "budget",
    "not_in_corpus": "not in the corpus",
    "not_retrieved": "not retrieved",
    "rejected": "retrieved, rejected",
    "unsupported": "unsupported sentence",
    "refused": "refused wrongly",
    "answered_wrong": "accepted, answered wrong",
}
