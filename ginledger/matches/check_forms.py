"""The strings of a card check become values: spreads, counts said, the rule set of a link."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django import forms

from ginledger.gin.cards import cards_text
from ginledger.gin.errors import GinError
from ginledger.gin.handfile import MOST_NOTE
from ginledger.gin.hands import KNOCK_KINDS
from ginledger.gin.ruleset import DEFAULT_PRESET, RuleSet, preset, presets, read_rules
from ginledger.gin.ruling import MOST_DEADWOOD

from .check import Claims
from .forms import MOST_VERSION, WholeNumber
from .models import KEY_LONGEST, WHY_LONGEST
from .spreads import UPCARD, Spreads, first_active, readable, tokens

MOST_TEXT = 2_000
HAND_FIELDS = ("first", "second")
JUDGE_FIELDS = ("k", "d")
PRESSES = ("tab", "tap", "rank", "throw", "mode", "swap", "clear")
GROUPINGS = ("layout", "lay", "loosen")
# The fields of a rule set that one hand by cards can hang on, and that a link may change.
RULE_FIELDS = (
    "knock_limit",
    "knock_bonus",
    "gin_bonus",
    "undercut_bonus",
    "big_gin_bonus",
    "tie",
    "oklahoma",
    "oklahoma_ace",
    "spade_doubles",
)
_BOX_FIELDS = ("extra_boxes", "spade_doubles_extra_boxes", "spade_doubles_box")
_WORDS: dict[str, object] = {"yes": True, "no": False, "none": None}


def read_spreads(data: Mapping[str, Any], fields: tuple[str, str] = HAND_FIELDS) -> Spreads:
    """The fields of the grid as they came; what is none of their values is left out."""

    def word(name: str, *choices: str) -> str:
        value = str(data.get(name, ""))
        return value if value in choices else ""

    def text(name: str) -> str:
        return str(data.get(name, ""))[:MOST_TEXT]

    who = word("who", "0", "1")
    mode = word("mode_now", "run", "set")
    spreads = Spreads(
        hands=(text(fields[0]), text(fields[1])),
        who=0 if fields == JUDGE_FIELDS else int(who) if who else None,
        active=word("active", "0", "1", UPCARD),
        mode=mode,
        start=text("start")[:3] if mode == "run" else "",
        melds=text("m"),
        upcard=text("upcard"),
    )
    return spreads if spreads.active else replace(spreads, active=first_active(spreads))


class CheckForm(forms.Form):
    """What stands beside the cards of a match's hand."""

    said_0 = WholeNumber(required=False)
    said_1 = WholeNumber(required=False)
    said_how = forms.ChoiceField(choices=[(one, one) for one in KNOCK_KINDS], required=False)
    stands = forms.ChoiceField(choices=[("cards", ""), ("claim", "")], required=False)
    note = forms.CharField(required=False, max_length=MOST_NOTE)
    why = forms.CharField(required=False, max_length=WHY_LONGEST)
    void_rest = forms.BooleanField(required=False)
    once_key = forms.CharField(required=False, max_length=KEY_LONGEST)
    version = forms.IntegerField(required=False, min_value=0, max_value=MOST_VERSION)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        for name in ("said_0", "said_1"):
            if (cleaned.get(name) or 0) > MOST_DEADWOOD:
                self.add_error(name, f"Ten cards hold no more than {MOST_DEADWOOD}.")
        return cleaned

    @property
    def claims(self) -> Claims:
        """The counts said, as far as they can be read."""
        cleaned = self.cleaned_data
        counts = (cleaned.get("said_0"), cleaned.get("said_1"))
        said = any(count is not None for count in counts)
        return Claims(
            kind=cleaned.get("said_how") or None if said else None,
            counts=counts,
            stands="claim" if said and cleaned.get("stands") == "claim" else "cards",
        )

    @property
    def seen_version(self) -> int:
        """The version of the match that the page was made of; one that never was when damaged."""
        version = self.cleaned_data.get("version")
        return -1 if version is None else version


def read_link_rules(data: Mapping[str, Any]) -> tuple[RuleSet, str, tuple[GinError, ...]]:
    """The rule set a link names, its slug, and what is wrong with it.

    ``rules`` is a preset's slug; the fields of RULE_FIELDS change it. Numbers are written as
    digits, yes and no as words, big gin that is not played as "none". Where something is wrong,
    the preset alone, or the default, stands in.
    """
    slug = str(data.get("rules") or DEFAULT_PRESET)
    try:
        base = preset(slug).rules
    except GinError as error:
        return RuleSet(), DEFAULT_PRESET, error.problems
    changes = {
        name: _rule_value(str(data[name]).strip())
        for name in RULE_FIELDS
        if str(data.get(name, "")).strip()
    }
    try:
        return read_rules({"preset": slug, **changes}), slug, ()
    except GinError as error:
        return base, slug, error.problems


def _rule_value(text: str) -> object:
    if text in _WORDS:
        return _WORDS[text]
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 6 else text


def rule_text(value: object) -> str:
    """A rule's value as a link writes it."""
    words = {True: "yes", False: "no", None: "none"}
    if value is None or isinstance(value, bool):
        return words[value]
    return str(value)


def rules_query(rules: RuleSet, slug: str) -> dict[str, str]:
    """The part of a link that names these rules, as far as a ruling hangs on them."""
    base = preset(slug).rules
    changed = {
        name: rule_text(getattr(rules, name))
        for name in RULE_FIELDS
        if getattr(rules, name) != getattr(base, name)
    }
    return {"rules": slug, **changed}


def nearest_preset(rules: RuleSet) -> str:
    """The preset whose link says these rules, boxes included, in the fewest words."""

    def distance(slug: str) -> tuple[int, int]:
        base = preset(slug).rules
        boxes = sum(getattr(rules, name) != getattr(base, name) for name in _BOX_FIELDS)
        return boxes, len(rules_query(rules, slug))

    return min(presets(), key=distance)


def judge_query(rules: RuleSet, slug: str, spreads: Spreads, *, whole: bool = False) -> str:
    """The query string that holds a check.

    whole: with the state of the grid too; otherwise only what the ruling hangs on.
    """
    who = spreads.who or 0
    hands = (spreads.hands[who], spreads.hands[1 - who])
    query = {
        "k": _tidy(hands[0]),
        "d": _tidy(hands[1]),
        "m": spreads.melds,
        **rules_query(rules, slug),
        "upcard": spreads.upcard if rules.needs_upcard or whole else "",
    }
    if whole:
        query |= {"active": spreads.active, "mode_now": spreads.mode, "start": spreads.start}
    return urlencode({name: value for name, value in query.items() if value})


def _tidy(text: str) -> str:
    """Cards in their canonical order and form; a text that is not only cards as it is typed."""
    mask = readable(text)
    return cards_text(mask) if mask.bit_count() == len(tokens(text)) else text
