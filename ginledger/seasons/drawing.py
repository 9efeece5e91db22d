"""Drawings, made by pygal on the server: inline SVG that is coloured by classes alone.

What pygal adds for a browser of its own (styles, scripts, tooltips) is taken out: the policy of
our pages lets none of it run. Colours, print and dark screens are the business of season.css.
"""

from __future__ import annotations

import re
import sys
import unicodedata
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from typing import NamedTuple

import pygal
from django.utils.safestring import SafeString, mark_safe
from pygal.style import Style

# pygal hooks itself into Python's imports for plug-ins of its own, in a way that Python dropped:
# other libraries trip over it. We use no plug-ins.
sys.meta_path[:] = [one for one in sys.meta_path if type(one).__module__ != pygal.__name__]

# Of pygal's own: what its script and its styles need, and what it says to hovering mice.
_DROPPED = {"defs", "desc", "title"}
_DROPPED_CLASSES = {"tooltip", "text-overlay", "titles"}
# season.css sets the same size of text.
_TEXT = 13
_LOOK = {
    "css": [], "js": [], "no_prefix": True, "show_legend": False, "explicit_size": False,
    "margin": 4, "spacing": 8, "style": Style(label_font_size=_TEXT, major_label_font_size=_TEXT),
}  # fmt: skip
# From one baseline of the names at the ends of lines to the next, and from a line to its name.
_LEADING, _GAP = 16, 7
# From one part of a bar to the next; a bar is some 380 wide.
_BETWEEN = 1.3


class Line(NamedTuple):
    """A line and its name, which stands at its end; values: from that of the start on; dots: one
    for each value."""

    name: str
    values: Sequence[int]
    dots: bool = False


@dataclass(frozen=True, slots=True)
class Size:
    """How a chart of lines is drawn. name: the class that shows it; width, height: pixels at
    which text has its true size; labels, scale: how many there are about, along and up; most:
    letters of usual width of a name at the end of its line."""

    name: str
    width: int
    height: int
    labels: int
    scale: int
    most: int


# The same chart twice: its text would else be too small on a phone or too large on a laptop.
SIZES = (Size("roomy", 680, 290, 5, 6, 16), Size("narrow", 340, 240, 4, 5, 12))


def line_charts(lines: Sequence[Line], labels: Sequence[str], label: str) -> SafeString:
    """The chart for a wide and for a narrow screen, of which a page shows one.

    labels: one for each value after the start; label: what it is, for those who do not see it.
    """
    return SafeString("".join(_lines(size, lines, labels, label) for size in SIZES))


def _lines(size: Size, lines: Sequence[Line], labels: Sequence[str], label: str) -> SafeString:
    names = [shortened(line.name, size.most) for line in lines]
    chart = pygal.Line(
        **_LOOK,
        width=size.width,
        height=size.height,
        max_scale=size.scale,
        margin_right=_GAP + ceil(0.6 * _TEXT * max(map(_cells, names))),
        x_labels=["", *labels],
        x_labels_major_count=min(size.labels, len(labels) + 1),
        show_minor_x_labels=False,
        truncate_label=-1,
    )
    chart.value_formatter = lambda value: f"{value:,.0f}".replace("-", "−")
    for line in lines:
        chart.add(line.name, line.values, show_dots=line.dots)
    root = chart.render_tree()
    _name_ends(root, names)
    return _written(root, label, size.name)


def shortened(name: str, most: int) -> str:
    """A name with room for so many letters of usual width."""
    if _cells(name) <= most:
        return name
    while _cells(name) > most - 1:
        name = name[:-1]
    return f"{name.rstrip()}…"


def _cells(text: str) -> float:
    """How many letters of usual width, 0.6 of their height, take as much room."""
    return sum(map(_cell, text))


def _cell(letter: str) -> float:
    if unicodedata.east_asian_width(letter) in "WF":
        return 2
    if letter in "MWmw@%":
        return 1.7
    return 1.2 if letter.isupper() else 1


def _name_ends(root: ET.Element, names: Sequence[str]) -> None:
    """Write each line's name where it ends, moved where two would meet."""
    plot = next(one for one in root.iter("g") if one.get("class") == "plot")
    height = float(next(plot.iter("rect")).get("height", 0))
    paths = [next(group.iter("path")) for group in plot if "serie-" in _class(group)]
    ends = [
        tuple(float(one) for one in re.findall(r"-?[\d.]+", path.get("d", ""))[-2:])
        for path in paths
    ]
    heights = _apart([y for _, y in ends], height)
    for number, ((x, _), y, name) in enumerate(zip(ends, heights, names, strict=True)):
        place = {"x": f"{x + _GAP:.1f}", "y": f"{y + _TEXT / 3:.1f}"}
        text = ET.SubElement(plot, "text", {"class": f"end color-{number}", **place})
        text.text = name


def _apart(wanted: Sequence[float], height: float) -> list[float]:
    """Heights as near to those wanted as leaves room for a line of text each, in their order."""
    order = sorted(range(len(wanted)), key=lambda one: wanted[one])
    found = {one: wanted[one] for one in order}
    for upper, lower in pairwise(order):
        found[lower] = max(found[lower], found[upper] + _LEADING)
    found[order[-1]] = min(found[order[-1]], height)
    for lower, upper in pairwise(reversed(order)):
        found[upper] = min(found[upper], found[lower] - _LEADING)
    return [found[one] for one in range(len(wanted))]


def bars(parts: Sequence[Sequence[int]], labels: Sequence[str]) -> list[SafeString]:
    """A drawing for each row of parts: one bar, as wide as there is room for, "" where all parts
    are 0. labels: what the parts of each row are."""
    chart = pygal.HorizontalStackedBar(
        **_LOOK, width=400, height=400, show_x_labels=False, show_y_labels=False
    )
    shares = [[part / (sum(row) or 1) for part in row] for row in parts]
    for kind in zip(*shares, strict=True):
        chart.add("", kind)
    series = [one for one in chart.render_tree().iter("g") if "serie-" in _class(one)]
    # pygal has further groups of the same names, for what hovers.
    kinds = [found for one in series if (found := list(one.iter("rect")))]
    return [
        _bar([kind[row] for kind in kinds], label) if any(parts[row]) else SafeString()
        for row, label in enumerate(labels)
    ]


def _bar(rects: Sequence[ET.Element], label: str) -> SafeString:
    """The rectangles of one bar, alone, filling the drawing."""
    root = ET.Element("svg", {"xmlns": "http://www.w3.org/2000/svg"})
    left = float(rects[0].get("x", 0))
    right = max(float(one.get("x", 0)) + float(one.get("width", 0)) for one in rects)
    for kind, rect in enumerate(rects):
        x, width = float(rect.get("x", 0)), float(rect.get("width", 0))
        if width and x + width < right - 0.01:
            width = max(width - _BETWEEN, 1)
        size = {"x": f"{x - left:.2f}", "y": "0", "width": f"{width:.2f}", "height": "1"}
        if width:
            ET.SubElement(root, "rect", {"class": f"rect color-{kind}", **size})
    root.attrib |= {"viewBox": f"0 0 {right - left:.2f} 1", "preserveAspectRatio": "none"}
    return _written(root, label)


def _written(root: ET.Element, label: str, name: str = "") -> SafeString:
    _clean(root)
    root.attrib.pop("id", None)
    root.attrib |= {"role": "img", "aria-label": label, "focusable": "false"}
    root.attrib["class"] = f"drawing {name}".rstrip()
    # Made by a serialiser that escapes every name and number.
    return mark_safe(ET.tostring(root, encoding="unicode"))  # noqa: S308


def _clean(element: ET.Element) -> None:
    for child in list(element):
        classes = set(_class(child).split())
        comment = not isinstance(child.tag, str)
        if comment or child.tag in _DROPPED or classes & _DROPPED_CLASSES:
            element.remove(child)
        else:
            child.attrib.pop("style", None)
            _clean(child)


def _class(element: ET.Element) -> str:
    return element.get("class", "")
