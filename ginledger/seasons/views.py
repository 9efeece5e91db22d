"""A demo season for whoever wants to see what a club looks like."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from ginledger.access import access
from ginledger.clubs.services import ensure_guest
from ginledger.web import private

from .demo import make_demo, read_plan


@access("public")
@private
@require_http_methods(["GET", "HEAD", "POST"])
def demo(request: HttpRequest) -> HttpResponse:
    """What the demo is; a post that means it makes it, once for each user."""
    if request.method != "POST" or request.POST.get("make") != "season":
        status = 422 if request.method == "POST" else 200
        return render(request, "seasons/demo.html", {"plan": read_plan()}, status=status)
    club = make_demo(user=ensure_guest(request))
    return HttpResponseRedirect(reverse("club", args=[club.key]))
