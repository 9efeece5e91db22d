"""The card check: its page of its own, in a match for the next hand, and for a row of the book."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_GET, require_http_methods

from ginledger.access import access
from ginledger.gin.cards import card_text, cards_text
from ginledger.gin.errors import GinError
from ginledger.gin.hands import AnyHand, CardsHand, CountsHand, PointsHand
from ginledger.gin.ruleset import RULES, RuleSet, preset, presets
from ginledger.gin.words import (
    agreement_parts,
    choice_words,
    field_words,
    sentence,
    value_words,
)
from ginledger.typed import keeps_typed, take
from ginledger.web import answer, private, wants_fragment

from . import drafts, services
from .book import Book, Line, load_book
from .check import Check, check
from .check_forms import (
    GROUPINGS,
    HAND_FIELDS,
    JUDGE_FIELDS,
    PRESSES,
    RULE_FIELDS,
    CheckForm,
    judge_query,
    nearest_preset,
    read_link_rules,
    read_spreads,
    rule_text,
)
from .check_page import check_page
from .entry import Forecast, forecast_hand, refusal
from .errors import BookError, LeftOver, StaleMatch
from .pages import Notice, has_cards, kept_notice, left_over_words, stale_notice
from .querysets import find_match
from .spreads import Spreads, melds_text, press, readable, regroup

JUDGE_NAMES = ("Knocker", "Defender")


def _pressed(data: QueryDict, spreads: Spreads, names: tuple[str, str]) -> Spreads:
    """The spreads after the button that was pressed, if it was one of the grid's."""
    for name in PRESSES:
        if name in data:
            return press(spreads, name, str(data[name]), names)
    return spreads


def _regrouped(data: QueryDict, spreads: Spreads, made: Check) -> Spreads:
    """The spreads after the knocker's cards were laid another way."""
    if "layout" in data:
        return replace(spreads, melds=str(data["layout"]))
    layout = made.layout()
    picked = readable(" ".join(data.getlist("pick"))) & made.knocker_cards
    if layout is None or not picked:
        return replace(spreads, said="Choose the cards first.")
    laid = regroup(layout.melds, picked, meld="lay" in data)
    return replace(spreads, melds=melds_text(laid))


def _after_press(
    data: QueryDict, spreads: Spreads, rules: RuleSet, names: tuple[str, str]
) -> Spreads:
    spreads = _pressed(data, spreads, names)
    if any(name in data for name in GROUPINGS):
        spreads = _regrouped(data, spreads, check(rules, spreads, names))
    return spreads


# The page of its own


@access("public")
@require_GET
def judge(request: HttpRequest) -> HttpResponse:
    """A ruling of two hands by any rule set; the address holds it all and nothing is stored."""
    data = request.GET
    rules, slug, refused = read_link_rules(data)
    before = read_spreads(data, JUDGE_FIELDS)
    spreads = _after_press(data, before, rules, JUDGE_NAMES)
    pressed = any(name in data for name in (*PRESSES, *GROUPINGS))
    address = reverse("judge")
    if pressed and not spreads.said and not wants_fragment(request):
        query = judge_query(rules, slug, spreads, whole=True)
        return HttpResponseRedirect(f"{address}?{query}")
    made = check(rules, spreads, JUDGE_NAMES)
    asked = "rule" in data
    page = check_page(made, spreads, JUDGE_FIELDS, all_problems=asked)
    link = f"{address}?{judge_query(rules, slug, spreads)}"
    context = {
        "page": page,
        "sitting": {"address": address, "judge": True, "preview": address},
        "link": request.build_absolute_uri(link) if made.ruling else "",
        "presets": presets().values(),
        "slug": slug,
        "preset_name": preset(slug).name,
        "fields": _rule_fields(data, rules),
        "rules_wrong": refused,
        "rules_open": bool(refused) or any(data.get(name, "") for name in RULE_FIELDS),
        "agreed": _agreed(rules),
        "spreads": spreads,
    }
    status = 422 if (asked and made.problems) or refused else 200
    response = answer(request, "cards/judge.html", "cards/_answer.html", context, status=status)
    patch_vary_headers(response, ["HX-Request"])
    if wants_fragment(request):
        response["HX-Replace-Url"] = link
    return response


def _rule_fields(data: Mapping[str, Any], rules: RuleSet) -> list[dict[str, Any]]:
    """The rules that a link may change, each with what is typed and what the rule set has."""
    return [
        {
            "name": name,
            "label": field_words(name),
            "value": data.get(name, ""),
            "now": value_words(rules, name),
            "choices": [(rule_text(one), choice_words(name, one)) for one in RULES[name].choices],
        }
        for name in RULE_FIELDS
    ]


def _agreed(rules: RuleSet) -> tuple[str, ...]:
    """The rules that a ruling hangs on, a sentence a group."""
    groups = ("How a hand ends", "Bonuses", "Upcard")
    return tuple(
        sentence(clause.text for clause in part.clauses)
        for part in agreement_parts(rules)
        if part.title in groups
    )


# In a match


@dataclass(frozen=True, slots=True)
class Sitting:
    """The hand that is checked: the next one of a match, or that of a row.

    names, seats: of the two who play it; number: of the hand among those that count; key and
    state: of the match or row, for the draft, which is of no use once the state is another.
    """

    book: Book
    line: Line | None
    names: tuple[str, str]
    seats: tuple[int, int]
    number: int
    key: str
    state: int
    address: str
    judge: bool = False

    @property
    def preview(self) -> str:
        return self.address

    @property
    def heading(self) -> str:
        return f"Hand {self.number}"


def _sitting(book: Book, line: Line | None) -> Sitting:
    """Who plays the hand; partners enter rounds, which have no page of cards."""
    if book.rules.play == "partners":
        raise Http404("A round of partners is not checked by cards.")
    match = book.match
    if line is None:
        number = len(book.sheet.hands) + 1
        players = book.sheet.next_players or (0, 1)
        key, state, address = match.key, number, reverse("cards", args=[match.key])
    else:
        number = line.scored.number if line.scored else 0
        players = tuple(sorted(line.scored.outcome.players)) if line.scored else (0, 1)
        key, state = line.row.key, len(book.changes(line.row))
        address = reverse("row_cards", args=[match.key, key])
    first, second = players
    names = (book.table.names[first], book.table.names[second])
    return Sitting(book, line, names, (first, second), number, key, state, address)


@access("scorer")
@keeps_typed("cards")
@private
@require_http_methods(["GET", "HEAD", "POST"])
def cards(request: HttpRequest, key: str) -> HttpResponse:
    """Both spreads of the next hand, ruled while they are entered; ``enter`` stores the hand."""
    book = load_book(find_match(request.user, key, write=True))
    if request.method != "POST":
        if book.sheet.over or book.match.stopped:
            return HttpResponseRedirect(reverse("pad", args=[key]))
        sitting = _sitting(book, None)
        kept = drafts.load(request, sitting.key, sitting.state) or {}
        return _opened(request, sitting, kept | _from_pad(request.GET, sitting))
    return _post(request, _sitting(book, None))


@access("scorer")
@keeps_typed("row_cards")
@private
@require_http_methods(["GET", "HEAD", "POST"])
def row_cards(request: HttpRequest, key: str, row_key: str) -> HttpResponse:
    """The cards of a hand that stands in the book; ``enter`` amends its row."""
    book = load_book(find_match(request.user, key, write=True))
    line = book.line(row_key)
    if line is not None and line.row.void:
        return HttpResponseRedirect(reverse("row", args=[key, row_key]))
    if line is None or not has_cards(book, line):
        raise Http404("No such hand.")
    sitting = _sitting(book, line)
    if request.method != "POST":
        kept = drafts.load(request, sitting.key, sitting.state)
        return _opened(request, sitting, _from_hand(line.hand, sitting) if kept is None else kept)
    return _post(request, sitting)


def _opened(request: HttpRequest, sitting: Sitting, fields: dict[str, str]) -> HttpResponse:
    """The page as it is opened, with what was typed on it before a login."""
    typed = take(request)
    if typed is None:
        return _page(request, sitting, fields)
    _keep(request, sitting, typed.dict())
    return _page(request, sitting, typed.dict(), notice=kept_notice())


def _from_pad(query: Mapping[str, Any], sitting: Sitting) -> dict[str, str]:
    """What was typed on the pad before its link was followed, as fields of this page."""
    who = str(query.get("who", ""))
    seats = [str(seat) for seat in sitting.seats]
    if who not in seats:
        return {}
    place = seats.index(who)
    fields = {
        "who": str(place),
        "active": str(place),
        f"said_{place}": str(query.get("knocker_deadwood", "")),
        f"said_{1 - place}": str(query.get("opponent_deadwood", "")),
        "said_how": str(query.get("how", "")),
        "upcard": f"{query.get('upcard_rank', '')}{query.get('upcard_suit', '')}",
    }
    if fields["said_how"] in ("gin", "big_gin"):
        del fields[f"said_{place}"]
    return {name: value for name, value in fields.items() if value}


def _from_hand(hand: AnyHand, sitting: Sitting) -> dict[str, str]:
    """A stored hand as fields of this page."""
    fields = {"note": hand.note}
    if hand.upcard is not None:
        fields["upcard"] = card_text(hand.upcard)
    counts: tuple[int | None, int | None] = (None, None)
    if isinstance(hand, CountsHand):
        knocker, counts = hand.knocker, (hand.own, hand.other)
        fields["said_how"] = hand.kind
    elif isinstance(hand, CardsHand):
        knocker, counts = hand.knocker, (hand.claim_own, hand.claim_other)
        fields |= {"said_how": hand.claim_kind or "", "stands": hand.stands}
        place = sitting.seats.index(knocker)
        fields[HAND_FIELDS[place]] = cards_text(hand.knocker_cards)
        fields[HAND_FIELDS[1 - place]] = cards_text(hand.opponent_cards)
        fields["m"] = melds_text(hand.melds or ())
    elif isinstance(hand, PointsHand):
        others = [seat for seat in sitting.seats if seat != hand.winner]
        knocker = others[0] if hand.kind == "undercut" else hand.winner
    else:
        return fields
    place = sitting.seats.index(knocker)
    fields |= {"who": str(place), "active": str(place)}
    for at, count in ((place, counts[0]), (1 - place, counts[1])):
        if count is not None:
            fields[f"said_{at}"] = str(count)
    return {name: value for name, value in fields.items() if value}


def _post(request: HttpRequest, sitting: Sitting) -> HttpResponse:
    """A tap, a change that is only looked at, or the hand to store."""
    data = request.POST
    spreads = _after_press(data, read_spreads(data), sitting.book.rules, sitting.names)
    fields = data.dict() | _fields_of(spreads)
    if "enter" not in data or wants_fragment(request):
        _keep(request, sitting, fields)
        return _page(request, sitting, fields, spreads=spreads)
    form = CheckForm(fields)
    sound = form.is_valid()
    made = check(sitting.book.rules, spreads, sitting.names, form.claims)
    if made.problems or not sound:
        _keep(request, sitting, fields)
        return _page(request, sitting, fields, entered=True, status=422)
    return _store(request, sitting, fields, form, made)


def _fields_of(spreads: Spreads) -> dict[str, str]:
    """The state of the grid as the page's fields hold it."""
    return {
        HAND_FIELDS[0]: spreads.hands[0],
        HAND_FIELDS[1]: spreads.hands[1],
        "who": "" if spreads.who is None else str(spreads.who),
        "active": spreads.active,
        "mode_now": spreads.mode,
        "start": spreads.start,
        "m": spreads.melds,
        "upcard": spreads.upcard,
    }


def _keep(request: HttpRequest, sitting: Sitting, fields: Mapping[str, Any]) -> None:
    drafts.keep(request, sitting.key, sitting.state, fields)


def _hand(sitting: Sitting, form: CheckForm, made: Check) -> CardsHand:
    """The row to store, with what a row keeps that this page does not show."""
    common: dict[str, Any] = {"note": form.cleaned_data.get("note", "")}
    if sitting.line is not None:
        old = sitting.line.hand
        common |= {"played_at": old.played_at, "dealer": old.dealer}
    hand = made.hand(sitting.seats, **common)
    if sitting.line is not None and not made.rules.needs_upcard:
        hand = replace(hand, upcard=sitting.line.hand.upcard)
    return hand


def _store(
    request: HttpRequest,
    sitting: Sitting,
    fields: dict[str, Any],
    form: CheckForm,
    made: Check,
) -> HttpResponse:
    hand = _hand(sitting, form, made)
    match, cleaned = sitting.book.match, form.cleaned_data
    try:
        if sitting.line is None:
            services.enter_row(
                user=request.user,
                match_key=match.key,
                hand=hand,
                once_key=cleaned["once_key"],
                version=form.seen_version,
            )
        else:
            services.amend_row(
                user=request.user,
                row_key=sitting.line.row.key,
                hand=hand,
                version=form.seen_version,
                why=cleaned["why"],
                void_rest=cleaned["void_rest"],
            )
    except LeftOver as error:
        words = left_over_words([left.number for left in error.rows])
        notice = Notice((error.message,))
        return _page(request, sitting, fields, notice=notice, left_over=words, status=422)
    except GinError as error:
        notice = Notice(tuple(problem.message for problem in error.problems))
        return _page(request, sitting, fields, notice=notice, status=422)
    except BookError as error:
        return _refused(request, sitting, fields, error)
    drafts.drop(request, sitting.key)
    return HttpResponseRedirect(reverse("pad", args=[match.key]))


def _refused(
    request: HttpRequest, sitting: Sitting, fields: dict[str, Any], error: BookError
) -> HttpResponse:
    """Nothing was stored: the page for the book as it stands now, with what was typed."""
    notice = stale_notice() if isinstance(error, StaleMatch) else Notice((error.message,))
    book = load_book(find_match(request.user, sitting.book.match.key, write=True))
    line = book.line(sitting.line.row.key) if sitting.line else None
    fresh = _sitting(book, line)
    fields.pop("once_key", None)
    fields.pop("version", None)
    _keep(request, fresh, fields)
    return _page(request, fresh, fields, notice=notice, status=409)


def _page(
    request: HttpRequest,
    sitting: Sitting,
    fields: Mapping[str, Any],
    *,
    spreads: Spreads | None = None,
    entered: bool = False,
    notice: Notice | None = None,
    left_over: str = "",
    status: int = 200,
) -> HttpResponse:
    spreads = spreads or read_spreads(fields)
    form = CheckForm(fields)
    form.is_valid()
    book = sitting.book
    made = check(book.rules, spreads, sitting.names, form.claims)
    context: dict[str, Any] = {
        "page": check_page(made, spreads, HAND_FIELDS, all_problems=entered),
        "sitting": sitting,
        "spreads": spreads,
        "form": form,
        "outcome": _forecast(sitting, form, made),
        "match": book.match,
        "names": book.table.names,
        "once_key": fields.get("once_key") or secrets.token_urlsafe(16),
        "version": str(fields.get("version") or book.match.version),
        "notice": notice,
        "left_over": left_over,
        "agreed": _agreed(book.rules),
        "link": _judge_link(request, made, spreads),
    }
    return answer(request, "cards/cards.html", "cards/_answer.html", context, status=status)


def _forecast(sitting: Sitting, form: CheckForm, made: Check) -> Forecast:
    """What entering the hand would do to the sheet; nothing while it cannot be entered."""
    if made.problems or form.errors:
        return Forecast()
    row = sitting.line.row if sitting.line else None
    try:
        return forecast_hand(sitting.book, _hand(sitting, form, made), row)
    except GinError as error:
        return refusal(error)


def _judge_link(request: HttpRequest, made: Check, spreads: Spreads) -> str:
    """The address of the same ruling on the page of its own, by this match's rules."""
    if made.ruling is None:
        return ""
    query = judge_query(made.rules, nearest_preset(made.rules), spreads)
    return request.build_absolute_uri(f"{reverse('judge')}?{query}")
