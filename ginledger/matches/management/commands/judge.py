"""``manage.py judge``: two spreads into a ruling, one at a time or a line each."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any, TextIO

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ginledger.gin.cards import parse_card, parse_cards
from ginledger.gin.errors import GinError, Unreadable, raise_all
from ginledger.gin.ruleset import DEFAULT_PRESET, RuleSet, read_rules
from ginledger.gin.ruling import Ruling, rule_cards, ruling_json
from ginledger.gin.text import ruling_text

KEYS = ("knocker", "defender", "melds", "rules", "upcard")


class Command(BaseCommand):
    help = "Rule a hand from both spreads."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--rules", default=DEFAULT_PRESET, help="a preset's slug")
        parser.add_argument("--upcard", help='a card such as "4S"')
        parser.add_argument("--knocker", help="ten cards, or eleven for big gin")
        parser.add_argument("--defender", help="ten cards")
        parser.add_argument(
            "--meld", action="append", help="a meld as the knocker laid it; repeat for each"
        )
        parser.add_argument(
            "--jsonl", action="store_true", help="read one JSON object a line, print one a line"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["jsonl"]:
            self._lines(sys.stdin)
            return
        if options["knocker"] is None or options["defender"] is None:
            raise CommandError("Give --knocker and --defender, or --jsonl.", returncode=2)
        raw = {name: options[name] for name in ("knocker", "defender", "rules")}
        if options["meld"]:
            raw["melds"] = options["meld"]
        if options["upcard"]:
            raw["upcard"] = options["upcard"]
        try:
            ruling = judge(raw, {})
        except GinError as error:
            lines = "\n".join(f"{one.field}: {one.message}" for one in error.problems)
            raise CommandError(lines, returncode=2) from None
        self.stdout.write(ruling_text(ruling))

    def _lines(self, source: TextIO) -> None:
        rule_sets: dict[str, RuleSet] = {}
        for line in source:
            if line.strip():
                self.stdout.write(json.dumps(_answer(line, rule_sets), ensure_ascii=False))


def _answer(line: str, rule_sets: dict[str, RuleSet]) -> dict[str, Any]:
    try:
        raw = json.loads(line)
    except (ValueError, RecursionError) as error:
        return {"error": {"code": "json-unreadable", "message": f"Not JSON: {error}."}}
    try:
        return ruling_json(judge(raw, rule_sets))
    except GinError as error:
        return {"error": {"code": error.code, "message": error.message}}


def judge(raw: object, rule_sets: dict[str, RuleSet]) -> Ruling:
    """The ruling of an object with knocker, defender, melds, rules and upcard.

    rule_sets: those already read, by their JSON text; thousands of lines share a few.
    Raises a GinError, or Problems with all that is wrong.
    """
    if not isinstance(raw, Mapping):
        raise Unreadable("line-unreadable", "Each line is a JSON object.")
    problems: list[GinError] = [
        Unreadable("key-unknown", f"{key!r} does not belong here: {', '.join(KEYS)}.", str(key))
        for key in raw
        if key not in KEYS
    ]
    spreads = [_cards(raw.get(name), name, problems) for name in ("knocker", "defender")]
    melds = raw.get("melds")
    if melds is not None and not isinstance(melds, list):
        problems.append(Unreadable("value-unreadable", "melds is a list of melds.", "melds"))
        melds = None
    stated = None
    if melds is not None:
        stated = [_cards(one, f"melds.{at}", problems) for at, one in enumerate(melds, 1)]
    rules = _rules(raw.get("rules", DEFAULT_PRESET), rule_sets, problems)
    upcard = _upcard(raw.get("upcard"), problems)
    raise_all(problems)
    return rule_cards(rules, spreads[0], spreads[1], melds=stated, upcard=upcard)


def _cards(value: object, field: str, problems: list[GinError]) -> int:
    if not isinstance(value, str):
        problems.append(
            Unreadable("cards-unreadable", f'{field} is cards such as "7S 7H TC".', field)
        )
        return 0
    try:
        return parse_cards(value)
    except GinError as error:
        problems += [
            type(one)(one.code, f"{field}: {one.message}", field) for one in error.problems
        ]
        return 0


def _upcard(value: object, problems: list[GinError]) -> int | None:
    if value is None:
        return None
    try:
        if not isinstance(value, str):
            raise Unreadable("card-unreadable", 'upcard is a card such as "4S".')
        return parse_card(value)
    except GinError as error:
        problems += error.within("upcard").problems
        return None


def _rules(value: object, rule_sets: dict[str, RuleSet], problems: list[GinError]) -> RuleSet:
    key = json.dumps(value, sort_keys=True)
    if key not in rule_sets:
        try:
            found = read_rules(value)
        except GinError as error:
            problems += error.within("rules").problems
            return RuleSet()
        if len(rule_sets) >= 1_000:
            rule_sets.clear()
        rule_sets[key] = found
    return rule_sets[key]
