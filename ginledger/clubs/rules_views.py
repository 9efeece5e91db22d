"""Pages of the rules: all rule sets, one of them in words, the form of an own one, two compared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from ginledger.access import access
from ginledger.gin.errors import GinError
from ginledger.gin.ruleset import DEFAULT_PRESET, presets, read_rules
from ginledger.gin.shutouts import shutout_cost
from ginledger.gin.words import compared
from ginledger.web import private

from . import rulebook
from .models import WRITERS, HouseRules
from .rules_forms import CompareForm, RulesForm
from .services import ensure_guest


@access("public")
@private
@require_GET
def rules_list(request: HttpRequest) -> HttpResponse:
    """The presets, each with what differs from the usual, then the own rule sets."""
    found = rulebook.choices(request.user)
    context = {
        "presets": [(one, rulebook.special(one.rules)) for one in found if not one.own],
        "own": [(one, one.summary) for one in found if one.own],
        "away": rulebook.put_away(request.user),
        "usual": DEFAULT_PRESET,
    }
    return render(request, "rules/list.html", context)


@access("viewer")
@private
@require_GET
def rules_page(request: HttpRequest, key: str) -> HttpResponse:
    """One rule set, read like the agreement made before the first deal."""
    return _page(request, key)


def _page(
    request: HttpRequest, key: str, problems: tuple[str, ...] = (), status: int = 200
) -> HttpResponse:
    house = None if key in presets() else rulebook.find_house_rules(request.user, key)
    found = rulebook.find_rules(request.user, key)
    context = {
        "key": key,
        "agreed": rulebook.agreement_of(*found),
        "special": rulebook.special(found.rules),
        "usual": DEFAULT_PRESET,
        "house": house,
        "may_write": house is not None and house.role in WRITERS,
        "problems": problems,
    }
    return render(request, "rules/page.html", context, status=status)


@access("public")
@private
@require_http_methods(["GET", "HEAD", "POST"])
def rules_new(request: HttpRequest) -> HttpResponse:
    """A rule set of one's own, beginning with another one."""
    start = request.GET.get("from", DEFAULT_PRESET)
    base = rulebook.find_rules(request.user, start)
    clubs = rulebook.writing_clubs(request.user)
    asked = (request.POST if request.method == "POST" else request.GET).get("club", "")
    # One's only club, also where it is another's; an unknown one is refused by the service.
    club = asked or (clubs[0].key if clubs else "")
    more: dict[str, Any] = {"began": base.name, "clubs": clubs, "club": club}
    if request.method != "POST":
        return _form(request, RulesForm(base=base.rules), **more)
    form = RulesForm(request.POST, base=base.rules)
    if form.is_valid():
        try:
            house = rulebook.create_rules(
                user=ensure_guest(request),
                name=form.cleaned_data["name"],
                rules=form.rules,
                club_key=club,
            )
        except GinError as error:
            form.add_problems(error)
        else:
            return _to_page(house)
    return _form(request, form, status=422, **more)


@access("scorer")
@private
@require_http_methods(["GET", "HEAD", "POST"])
def rules_edit(request: HttpRequest, key: str) -> HttpResponse:
    """Change an own rule set; matches that were started with it stay as they are."""
    house = rulebook.find_house_rules(request.user, key, write=True)
    base = read_rules(house.rules)
    now = rulebook.stamp(house)
    if request.method != "POST":
        form = RulesForm(base=base, initial={"name": house.name})
        return _form(request, form, house=house, seen=now)
    form = RulesForm(request.POST, base=base)
    seen = request.POST.get("seen", "")
    if form.is_valid():
        try:
            rulebook.change_rules(
                user=request.user,
                key=key,
                name=form.cleaned_data["name"],
                rules=form.rules,
                seen=seen,
            )
        except GinError as error:
            form.add_problems(error)
            # Who was told of the other's change may save over it.
            seen = now if error.code == "rules-stale" else seen
        else:
            return _to_page(house)
    return _form(request, form, house=house, seen=seen, status=422)


def _form(
    request: HttpRequest,
    form: RulesForm,
    *,
    house: HouseRules | None = None,
    seen: str = "",
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    """more: what a new rule set begins with, and the clubs it could belong to."""
    context: dict[str, Any] = {
        "form": form,
        "groups": list(form.groups()),
        "house": house,
        "seen": seen,
        **more,
    }
    return render(request, "rules/form.html", context, status=status)


def _to_page(house: HouseRules) -> HttpResponseRedirect:
    return HttpResponseRedirect(reverse("rules_page", args=[house.key]))


@access("scorer")
@private
@require_POST
def rules_archive(request: HttpRequest, key: str) -> HttpResponse:
    """Put an own rule set away."""
    return _put(request, key, rulebook.archive_rules)


@access("scorer")
@private
@require_POST
def rules_restore(request: HttpRequest, key: str) -> HttpResponse:
    """Offer an archived rule set again."""
    return _put(request, key, rulebook.restore_rules)


def _put(request: HttpRequest, key: str, service: Callable[..., HouseRules]) -> HttpResponse:
    try:
        return _to_page(service(user=request.user, key=key))
    except GinError as error:
        return _page(request, key, tuple(one.message for one in error.problems), status=422)


@access("public")
@private
@require_GET
def rules_compare(request: HttpRequest) -> HttpResponse:
    """Two rule sets side by side: just where they differ."""
    offered = rulebook.choices(request.user)
    asked = "a" in request.GET or "b" in request.GET
    form = CompareForm(request.GET if asked else None, offered=offered)
    context: dict[str, Any] = {"form": form, "offered": offered, "usual": DEFAULT_PRESET}
    if not form.is_valid():
        return render(request, "rules/compare.html", context, status=422 if asked else 200)
    pair = form.pair
    one, other = pair
    context |= {
        "pair": pair,
        "rows": compared(one.rules, other.rules),
        "shutouts": [(choice.name, shutout_cost(choice.rules)) for choice in pair],
    }
    return render(request, "rules/compare.html", context)
