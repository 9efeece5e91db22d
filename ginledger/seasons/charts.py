"""Charts, drawn by pygal on the server: inline SVG that is coloured by classes alone.

What pygal adds for a browser of its own (styles, scripts, tooltips) is taken out: the policy of
our pages lets none of it run. Colours, print and dark screens are the business of season.css.
"""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pygal
from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe
from pygal.style import Style

from ginledger.gin.sheet import Sheet

from .nets import nets
from .standings import Line, Standings

# pygal hooks itself into Python's imports for plug-ins of its own, in a way that Python dropped:
# other libraries trip over it. We use no plug-ins.
sys.meta_path[:] = [one for one in sys.meta_path if type(one).__module__ != pygal.__name__]

# More lines than this nobody could tell apart; the table has them all.
MOST_LINES = 6
# How a step of the race is written below it.
_DAYS = {"day": "j M", "week": "j M", "month": "M Y"}
_SVG = "{http://www.w3.org/2000/svg}"
# Of pygal's own: what its script and its styles need, and what it says to hovering mice.
_DROPPED = {"defs", "desc", "title"}
_DROPPED_CLASSES = {"tooltip", "text-overlay", "titles"}
_LOOK = {
    "css": [], "js": [], "no_prefix": True, "show_legend": False, "explicit_size": False,
    "margin": 6, "spacing": 8, "width": 420,
    # How much room labels need; season.css sets the same sizes.
    "style": Style(label_font_size=14, major_label_font_size=14),
}  # fmt: skip


def drawn(chart: Any, label: str) -> SafeString:
    """The chart as an SVG element. label: what it is, for those who do not see it."""
    root = chart.render_tree()
    _clean(root)
    root.attrib.pop("id", None)
    root.attrib |= {"role": "img", "aria-label": label, "focusable": "false"}
    # Made by a serialiser that escapes every name and number.
    return mark_safe(ET.tostring(root, encoding="unicode"))  # noqa: S308


def _clean(element: ET.Element) -> None:
    for child in list(element):
        classes = set(child.get("class", "").split())
        comment = not isinstance(child.tag, str)
        if comment or _name(child) in _DROPPED or classes & _DROPPED_CLASSES:
            element.remove(child)
        else:
            child.attrib.pop("style", None)
            if classes == {"bar"}:  # what our pages call their head
                del child.attrib["class"]
            _clean(child)


def _name(element: ET.Element) -> str:
    return element.tag.removeprefix(_SVG)


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing and its numbers. names: the lines or colours, in the order of their classes;
    head: of the table's columns; rows: a label and the numbers."""

    drawing: SafeString
    names: tuple[str, ...]
    head: tuple[str, ...]
    rows: tuple[tuple[str, tuple[int | str, ...]], ...]
    step: str = ""


def race(table: Standings) -> Chart | None:
    """Each player's net points, added up along the days: by day, week or month; two queries.

    None before there are two of them.
    """
    found = nets(table.period)
    if len(found.sums) < 2:
        return None
    labels = [date_format(day, _DAYS[found.step]) for day, _ in found.sums]
    lines = {line.player.pk: _running(line, [own for _, own in found.sums]) for line in table.lines}
    names = tuple(line.player.name for line in table.lines)
    chart = _line_chart(labels)
    for line in table.lines[:MOST_LINES]:
        chart.add(line.player.name, [0, *lines[line.player.pk]])
    rows = tuple(
        (label, tuple(own[place] for own in lines.values())) for place, label in enumerate(labels)
    )
    drawing = drawn(chart, f"Net points added up, by {found.step}; the table has the numbers.")
    return Chart(drawing, names[:MOST_LINES], names, rows, found.step)


def _running(line: Line, buckets: Sequence[dict[int, int]]) -> list[int]:
    total, found = 0, []
    for own in buckets:
        total += own.get(line.player.pk, 0)
        found.append(total)
    return found


def _line_chart(labels: Sequence[str], **more: Any) -> Any:
    """A chart of lines that begin at 0, with a label at some of the places after that."""
    chart = pygal.Line(
        **_LOOK | {"height": 260, "show_dots": False, "max_scale": 8} | more,
        x_labels=["", *labels],
        x_labels_major_count=min(4, len(labels) + 1),
        show_minor_x_labels=False,
        truncate_label=-1,
    )
    chart.value_formatter = lambda value: f"{value:,.0f}".replace("-", "−")
    return chart


ENDINGS = (("Knock", "knocks"), ("Gin", "gins"), ("Big gin", "big_gins"), ("Undercut", "undercuts"))


def endings(table: Standings) -> Chart | None:
    """How each player's hands were won; no query. None where nobody won one."""
    if not any(line.figures["hands_won"] for line in table.lines):
        return None
    shown = table.lines[:MOST_LINES]
    chart = pygal.HorizontalStackedBar(
        **_LOOK | {"height": 40 + 32 * len(shown), "max_scale": 6},
        # Drawn from the bottom up.
        x_labels=[_short(line.player.name) for line in reversed(shown)],
    )
    for name, field in ENDINGS:
        chart.add(name, [line.figures[field] for line in reversed(shown)])
    names = tuple(name for name, _ in ENDINGS)
    rows = tuple(
        (
            line.player.name,
            (*(line.figures[field] for _, field in ENDINGS), line.figures["hands_won"]),
        )
        for line in table.lines
    )
    label = "How the hands were won; the table has the numbers."
    return Chart(drawn(chart, label), names, (*names, "All won"), rows)


def _short(name: str) -> str:
    """A name as it fits beside a bar."""
    return name if len(name) <= 14 else f"{name[:13]}…"


def match_race(sheet: Sheet, column: int) -> Chart | None:
    """The points of every side after each row of a column (from 0), with the target.

    None before the first row.
    """
    entries, rules = sheet.columns[column].entries, sheet.match.rules
    if not entries:
        return None
    table = sheet.match.table
    names = tuple(table.side_name(side) for side in range(len(table.sides)))
    labels = [f"{entry.hand}" for entry in entries]
    chart = _line_chart(labels, show_dots=len(entries) <= 40)
    for side, name in enumerate(names):
        chart.add(name, [0, *(entry.running[side] for entry in entries)])
    if rules.target:
        chart.add("Target", [rules.target] * (len(entries) + 1), show_dots=False)
        names_drawn = (*names, f"Target {rules.target}")
    else:
        names_drawn = names
    rows = tuple((f"Hand {entry.hand}", entry.running) for entry in entries)
    label = "Points after each hand; the table has the numbers."
    return Chart(drawn(chart, label), names_drawn, names, rows)
