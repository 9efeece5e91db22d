"""The settlement of a match: who pays whom, as a column anyone can add up.

Each pair of people who settle with each other multiplies its margin by its rate and rounds once,
half away from zero, to whole minor units of the currency; what one owes is what the other has
coming, so a match always sums to zero (docs/money.md). The same values make the page, the print,
the CSV, the JSON and the entries of the ledger.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ginledger.gin.margins import ADDING, Line, Margin, pair_margins
from ginledger.gin.sheet import Sheet
from ginledger.matches.cash import plain, plain_rate, shown, shown_exact, shown_rate
from ginledger.matches.stake import Stake
from ginledger.matches.wording import MINUS, ORDINALS, signed


@dataclass(frozen=True, slots=True)
class Share:
    """What the margin of two sides comes to between two people.

    winner, loser: seats (the first of either side where the margin is level); points: never
    negative; lines: the column, seen from the winner; rate: hundredths of a minor unit a point, 0
    without money; rounded: minor units before the cap; amount: minor units that are owed.
    """

    winner: int
    loser: int
    points: int
    lines: tuple[Line, ...]
    rate: int = 0
    rounded: int = 0
    amount: int = 0


def shares(sheet: Sheet, stake: Stake | None, numbers: Sequence[int]) -> tuple[Share, ...]:
    """What everybody owes by a match that is over; () while it is not.

    numbers: the lasting number of each seat of the sheet's table. Without money partners settle
    side by side, as one pair: nobody owes anything.
    """
    return tuple(
        _share(margin, winner, loser, rate, stake)
        for margin in pair_margins(sheet)
        for winner, loser, rate in _pairs(sheet, margin, stake, numbers)
    )


def _pairs(
    sheet: Sheet, margin: Margin, stake: Stake | None, numbers: Sequence[int]
) -> Iterator[tuple[int, int, int]]:
    """Seats of the winning and the losing side who settle with each other, and their rate."""
    winners, losers = (sheet.match.table.seats(side) for side in (margin.one, margin.other))
    if margin.points < 0:
        winners, losers = losers, winners
    if stake is None or not stake.money:
        yield winners[0], losers[0], 0
    elif not stake.pairs:
        for winner, loser in zip(winners, losers, strict=True):
            yield winner, loser, stake.rate
    else:
        seats = {number: seat for seat, number in enumerate(numbers)}
        for pair in stake.pairs:
            one, other = seats[pair.one], seats[pair.other]
            yield (one, other, pair.rate) if one in winners else (other, one, pair.rate)


def _share(margin: Margin, winner: int, loser: int, rate: int, stake: Stake | None) -> Share:
    lines = margin.lines
    if margin.points < 0:
        lines = tuple(line._replace(points=-line.points) for line in lines)
    points = abs(margin.points)
    rounded = round_money(points * rate)
    cap = stake.cap if stake else None
    amount = rounded if cap is None else min(rounded, cap)
    return Share(winner, loser, points, lines, rate, rounded, amount)


def round_money(hundredths: int) -> int:
    """Hundredths of a minor unit to whole minor units, half away from zero; not negative."""
    return (hundredths + 50) // 100


@dataclass(frozen=True, slots=True)
class ColumnLine:
    """One line of the column as it is read.

    kind: as of ``margins.Line``, or rate, cents, cap, amount; column: the number of the game it
    belongs to, 0 for the match; adds: whether it is added, or says what has come together so far;
    points: None for a line of money; money: the same for one of points, else as programs read it;
    text: as people read it.
    """

    kind: str
    column: int
    label: str
    adds: bool
    points: int | None
    money: str | None
    text: str


def column_lines(sheet: Sheet, share: Share, stake: Stake | None) -> tuple[ColumnLine, ...]:
    """The column of a share: the points, and below them the money, where there is a stake."""
    many = len(sheet.columns) > 1
    lines = [
        ColumnLine(
            line.kind,
            line.column,
            _label(sheet, line, many),
            line.kind in ADDING,
            line.points,
            None,
            signed(line.points) if line.kind in ADDING else _total(line.points),
        )
        for line in share.lines
        # Of a single column what it comes to is the margin, but for a rounding below it.
        if line.kind != "column" or many or sheet.match.rules.rounding > 1
    ]
    if stake is not None and stake.money:
        lines += _money_lines(share, stake)
    return tuple(lines)


def _total(points: int) -> str:
    return str(points) if points >= 0 else f"{MINUS}{-points}"


def _label(sheet: Sheet, line: Line, many: bool) -> str:
    rules = sheet.match.rules
    if line.kind == "column":
        return f"{ORDINALS[line.column - 1]} game" if many else "Together"
    if line.kind == "weight":
        return f"Counts × {rules.weights[line.column - 1]}"
    return {
        "hands": "Hand points",
        "boxes": "Boxes",
        "game": "Game bonus",
        "shutout": "Shutout",
        "sum": "Together",
        "rounding": f"Rounded to {rules.rounding}",
        "margin": "Margin",
    }[line.kind]


def _money_lines(share: Share, stake: Stake) -> Iterator[ColumnLine]:
    code = stake.currency
    exact = share.points * share.rate
    rest = share.rounded * 100 - exact
    label = f"{share.points} × {shown_rate(share.rate, code)}"
    yield ColumnLine(
        "rate", 0, label, True, None, plain_rate(exact, code), shown_exact(exact, code)
    )
    if rest:
        sign, minus = ("+", "") if rest > 0 else (MINUS, "-")
        said = f"{minus}{plain_rate(abs(rest), code)}"
        text = f"{sign}{shown_exact(abs(rest), code)}"
        yield ColumnLine("cents", 0, f"Rounded to {shown(1, code)}", True, None, said, text)
    if share.amount != share.rounded:
        over = share.amount - share.rounded
        label = f"At most {shown(share.amount, code)} a match"
        yield ColumnLine("cap", 0, label, True, None, plain(over, code), shown(over, code))
    amount = share.amount
    yield ColumnLine("amount", 0, "Amount", False, None, plain(amount, code), shown(amount, code))
