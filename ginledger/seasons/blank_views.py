"""A blank score sheet to print, for those who write first and enter later."""

from __future__ import annotations

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from ginledger.access import access
from ginledger.gin.ruleset import DEFAULT_PRESET, RuleSet, presets
from ginledger.gin.words import rules_line
from ginledger.matches.wording import ORDINALS
from ginledger.web import private

# What fits on one page of A4 above the sums.
LINES = 20


class BlankForm(forms.Form):
    """By which rules will be played."""

    rules = forms.ChoiceField(label="Rules", required=False)

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        choices = [(slug, preset.name) for slug, preset in presets().items()]
        self.fields["rules"].choices = choices  # type: ignore[attr-defined]


@access("public")
@private
@require_GET
def blank(request: HttpRequest) -> HttpResponse:
    """The sheet of a rule set with nothing on it; the usual rules where none are asked for."""
    form = BlankForm({"rules": request.GET.get("rules") or DEFAULT_PRESET}, auto_id=False)
    right = form.is_valid()
    preset = presets()[form.cleaned_data["rules"] if right else DEFAULT_PRESET]
    rules = preset.rules
    sides = 3 if rules.play == "three" else 2
    context = {
        "form": form,
        "preset": preset,
        "terms": rules_line(rules),
        "upcard": rules.needs_upcard,
        "columns": list(zip(ORDINALS, rules.weights, strict=False)),
        "many": rules.columns > 1,
        "sides": range(sides),
        "lines": range(1, LINES + 1),
        "sums": sum_labels(rules),
        "before": 4 if rules.needs_upcard else 3,
    }
    return render(request, "seasons/blank.html", context, status=200 if right else 422)


def sum_labels(rules: RuleSet) -> list[str]:
    """What is added below the hands by these rules, line by line, the margin last."""
    labels = [
        ("Points", True),
        (f"Boxes at {rules.box_bonus}", rules.box_bonus > 0),
        (f"Game {rules.game_points}", rules.game_points > 0),
        ("Shutout", rules.shutout != "none"),
        ("Total", True),
        ("Margin", True),
    ]
    return [label for label, counts in labels if counts]
