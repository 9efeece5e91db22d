"""A sheet in plain text, for the terminal and for mail: the same figures as on the page."""

from __future__ import annotations

from ginledger.gin.cards import card_symbol, cards_text
from ginledger.gin.errors import GinError
from ginledger.gin.hands import Table
from ginledger.gin.ruling import KIND_WORDS, Ruling
from ginledger.gin.sheet import Column, ScoredHand, Sheet


def problem_line(problem: GinError) -> str:
    """One problem of a match file on one line, naming its place: "hand 3, deadwood.Ann: …"."""
    head, *parts = problem.field.split(".")
    one = {"hands": "hand", "amendments": "amendment"}.get(head)
    where = problem.field
    if one and parts:
        where = ", ".join([f"{one} {parts[0]}", ".".join(parts[1:])]).rstrip(", ")
    return f"{where}: {problem.message}" if where else problem.message


def sheet_text(sheet: Sheet) -> str:
    """The whole sheet as lines of text without a line end."""
    table = sheet.match.table
    names = [table.side_name(side) for side in range(len(table.sides))]
    cells = [_heading(sheet, names)]
    cells += [_hand_row(sheet, hand) for hand in sheet.hands]
    cells.append([])
    cells += _bonus_rows(sheet)
    widths = [max(len(row[at]) for row in cells if row) for at in range(len(cells[0]))]
    lines = [" v ".join(names), ""]
    rule = ["-" * width for width in widths]
    lines += [_line(row or rule, widths) for row in cells]
    lines += ["", *verdict(sheet)]
    return "\n".join(lines)


def _line(row: list[str], widths: list[int]) -> str:
    texts = [cell.ljust(width) for cell, width in zip(row[:3], widths[:3], strict=True)]
    figures = [cell.rjust(width) for cell, width in zip(row[3:], widths[3:], strict=True)]
    return "  ".join([*texts, *figures]).rstrip()


def _heading(sheet: Sheet, names: list[str]) -> list[str]:
    several = len(sheet.columns) > 1
    numbers = range(1, len(sheet.columns) + 1)
    heads = [f"{name} {at}" if several else name for at in numbers for name in names]
    return ["Hand", "Winner", "How", "Points", *heads]


def _hand_row(sheet: Sheet, hand: ScoredHand) -> list[str]:
    table = sheet.match.table
    winner = "" if hand.side is None else table.side_name(hand.side)
    points = "" if hand.side is None else str(hand.points)
    running = {
        (at, entry.side): str(entry.running[entry.side])
        for at, column in enumerate(sheet.columns)
        for entry in column.entries
        if entry.hand == hand.number
    }
    cells = [
        running.get((at, side), "")
        for at in range(len(sheet.columns))
        for side in range(len(table.sides))
    ]
    return [str(hand.number), winner, KIND_WORDS.get(hand.kind, hand.kind), points, *cells]


def _bonus_rows(sheet: Sheet) -> list[list[str]]:
    rows = []
    for label, name in (
        ("Points", "points"),
        ("Boxes", "box_bonus"),
        ("Game", "game_bonus"),
        ("Shutout", "shutout_bonus"),
        ("Total", "total"),
    ):
        figures = [getattr(side, name) for column in sheet.columns for side in column.sides]
        if any(figures) or name in ("points", "total"):
            rows.append(["", label, "", "", *[str(one) if one else "-" for one in figures]])
    return rows


def verdict(sheet: Sheet) -> list[str]:
    """Who won by how much, or how the match stands, one sentence a line."""
    table = sheet.match.table
    lines = []
    if len(sheet.columns) > 1:
        lines = [_column_line(table, at, column) for at, column in enumerate(sheet.columns, 1)]
    if sheet.net is None:
        dealers = " and ".join(table.names[seat] for seat in sheet.next_dealers)
        deal = "deal" if len(sheet.next_dealers) > 1 else "deals"
        return [*lines, f"Not over: {dealers} {deal} next."]
    if len(sheet.net) > 2:
        parts = [f"{table.side_name(side)} {net:+d}" for side, net in enumerate(sheet.net)]
        return [*lines, ", ".join(parts) + "."]
    if sheet.winner is None:
        return [*lines, "The match is level."]
    margin = abs(sheet.net[0])
    return [*lines, f"{table.side_name(sheet.winner)} wins by {margin}."]


def _column_line(table: Table, number: int, column: Column) -> str:
    if column.net is None or column.winner is None:
        standing = " - ".join(str(side.points) for side in column.sides)
        return f"Column {number} is open: {standing}."
    margin = column.net[column.winner]
    return f"Column {number}: {table.side_name(column.winner)} {margin:+d}."


def ruling_text(ruling: Ruling) -> str:
    """A ruling of cards: both hands as laid out, both counts, and why it is worth what it is."""
    layout, reply = ruling.layout, ruling.reply
    assert layout is not None and reply is not None
    lines = [
        f"Knocker   {_spread(layout.melds, layout.loose)}  = {layout.deadwood}",
        f"Defender  {_spread(reply.melds, reply.loose)}  = {reply.deadwood}",
    ]
    lines += [
        f"  {card_symbol(one.card)} laid off on {cards_text(one.meld)}" for one in reply.layoffs
    ]
    return "\n".join([*lines, *ruling.reasons()])


def _spread(melds: tuple[int, ...], loose: int) -> str:
    parts = [f"[{cards_text(meld)}]" for meld in melds]
    return " ".join([*parts, cards_text(loose)]).strip()
