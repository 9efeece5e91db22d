"""Charts and their numbers: races of a season, of two players and of a match; how hands ended."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.formats import date_format
from django.utils.safestring import SafeString

from ginledger.clubs.models import Player
from ginledger.gin.sheet import Sheet

from .drawing import SIZES, Line, bars, line_charts, shortened
from .nets import Nets, nets, pair_nets
from .periods import Period
from .standings import Standings

# More lines than this nobody could tell apart; the table has them all.
MOST_LINES = 6
# More hands than this are a line without a dot for each.
MOST_DOTS = 40
# How a step of the race is written below it.
_DAYS = {"day": "j M", "week": "j M", "month": "M Y"}


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing and its numbers. names: of the lines, in the order of their classes; head: of the
    table's columns; rows: a label and the numbers."""

    drawing: SafeString
    names: tuple[str, ...]
    head: tuple[str, ...]
    rows: tuple[tuple[str, tuple[int, ...]], ...]
    step: str = ""

    @property
    def needs_key(self) -> bool:
        """Whether a name is too long to stand whole at the end of its line."""
        most = min(size.most for size in SIZES)
        return any(shortened(name, most) != name for name in self.names)


def race(table: Standings) -> Chart | None:
    """Each player's net points, added up along the days: by day, week or month; two queries.

    None before there are two of them.
    """
    found = nets(table.period)
    if len(found.sums) < 2:
        return None
    names = tuple(line.player.name for line in table.lines)
    lines = [_running(found, line.player) for line in table.lines]
    label = f"Net points added up, by {found.step}; the table has the numbers."
    return _race(found, names, lines, label)


def pair_race(period: Period, one: Player, other: Player) -> Chart | None:
    """How far one stands before the other, added up along the days; two queries.

    The line is that of one: the other's is the same upside down. None before there are two days,
    weeks or months.
    """
    found = pair_nets(period, one, other)
    if len(found.sums) < 2:
        return None
    line = _running(found, one)
    label = (
        f"Net points of {one.name} against {other.name}, added up, by {found.step}; "
        "the table has the numbers."
    )
    return _race(found, (one.name, other.name), [line, [-net for net in line]], label, most=1)


def _race(
    found: Nets,
    names: tuple[str, ...],
    lines: Sequence[Sequence[int]],
    label: str,
    most: int = MOST_LINES,
) -> Chart:
    """most: so many of the lines are drawn."""
    labels = [date_format(day, _DAYS[found.step]) for day, _ in found.sums]
    drawn = [Line(name, [0, *line]) for name, line in zip(names[:most], lines, strict=False)]
    drawing = line_charts(drawn, labels, label)
    return Chart(drawing, names[:most], names, _rows(labels, lines), found.step)


def _running(found: Nets, player: Player) -> list[int]:
    total, line = 0, []
    for _, own in found.sums:
        total += own.get(player.pk, 0)
        line.append(total)
    return line


def _rows(
    labels: Iterable[str], lines: Sequence[Sequence[int]]
) -> tuple[tuple[str, tuple[int, ...]], ...]:
    return tuple((label, tuple(line[at] for line in lines)) for at, label in enumerate(labels))


ENDINGS = (("Knock", "knocks"), ("Gin", "gins"), ("Big gin", "big_gins"), ("Undercut", "undercuts"))


@dataclass(frozen=True, slots=True)
class Bar:
    """A player's won hands by their kinds. drawing: "" where none of them is of a known kind."""

    name: str
    won: int
    hands: int
    drawing: SafeString


@dataclass(frozen=True, slots=True)
class Endings:
    """How hands were won: a bar for each of the first players, the numbers of all."""

    bars: tuple[Bar, ...]
    names: tuple[str, ...]
    head: tuple[str, ...]
    rows: tuple[tuple[str, tuple[int, ...]], ...]


def endings(table: Standings) -> Endings | None:
    """How each player's hands were won; no query. None where nobody won one."""
    if not any(line.figures["hands_won"] for line in table.lines):
        return None
    kinds = tuple(kind for kind, _ in ENDINGS)
    rows = tuple(
        (line.player.name, tuple(line.figures[field] for _, field in ENDINGS))
        for line in table.lines
    )
    shown = rows[:MOST_LINES]
    drawings = bars([counts for _, counts in shown], [_told(*row) for row in shown])
    won = [(line.figures["hands_won"], line.figures["hands"]) for line in table.lines]
    return Endings(
        tuple(
            Bar(name, *of, drawing)
            for (name, _), of, drawing in zip(shown, won, drawings, strict=False)
        ),
        kinds,
        (*kinds, "All won"),
        tuple((name, (*counts, of[0])) for (name, counts), of in zip(rows, won, strict=True)),
    )


def _told(name: str, counts: Sequence[int]) -> str:
    """What a bar says: "Ann: knock 80, gin 40, big gin 2, undercut 25"."""
    return f"{name}: " + ", ".join(
        f"{kind.lower()} {count}" for (kind, _), count in zip(ENDINGS, counts, strict=True)
    )


def match_race(sheet: Sheet, column: int) -> Chart | None:
    """The points of every side after each row of a column (from 0), with the target.

    None before the first row.
    """
    entries, rules = sheet.columns[column].entries, sheet.match.rules
    if not entries:
        return None
    table = sheet.match.table
    names = tuple(table.side_name(side) for side in range(len(table.sides)))
    dots = len(entries) <= MOST_DOTS
    lines = [
        Line(name, [0, *(entry.running[side] for entry in entries)], dots)
        for side, name in enumerate(names)
    ]
    if rules.target:
        lines.append(Line(f"Target {rules.target}", [rules.target] * (len(entries) + 1)))
    label = "Points after each hand; the table has the numbers."
    drawing = line_charts(lines, [f"{entry.hand}" for entry in entries], label)
    rows = tuple((f"Hand {entry.hand}", entry.running) for entry in entries)
    return Chart(drawing, tuple(line.name for line in lines), names, rows)
