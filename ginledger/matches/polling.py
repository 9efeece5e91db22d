"""An answer to a page that asks every two seconds: as good as nothing while nothing changed.

The tag of a state is made of all that its page shows and that can change: the match's version,
the names, what the asker may do. It is known from one query; the page is made only when the
asker has another tag.
"""

from __future__ import annotations

import json
from hashlib import blake2s

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.utils.cache import get_conditional_response

from ginledger.clubs.querysets import Asker

from . import panels
from .book import Book
from .models import Seat


def tag_of(*parts: object) -> str:
    """A tag of 16 characters for a state; equal parts give the same one."""
    return blake2s(json.dumps(parts).encode(), digest_size=8).hexdigest()


def unchanged(request: HttpRequest, tag: str) -> HttpResponse | None:
    """304 for an asker who has this state already, else None."""
    answer = get_conditional_response(request, etag=f'"{tag}"')
    return tagged(answer, tag) if isinstance(answer, HttpResponse) else None


def tagged(response: HttpResponse, tag: str) -> HttpResponse:
    """The response with the tag of the state that it shows."""
    response["ETag"] = f'"{tag}"'
    return response


def csrf_of(request: HttpRequest) -> str:
    """The secret that forms of this request are made with; a login gives the browser another."""
    get_token(request)
    return str(request.META["CSRF_COOKIE"])


def pad_tag(book: Book, csrf: str) -> str:
    """The tag of a pad that was made from this book; csrf: the secret its forms were made with."""
    names = [seat.player.name for seat in book.terms.seats]
    match = book.match
    return tag_of(match.version, match.role, names, csrf, panels.states(match.pk, match.over))


def find_pad_tag(user: Asker, key: str, csrf: str) -> str | None:
    """The same from one query, and one for each panel of a match that is over.

    None where the user may not see the match.
    """
    if user.pk is None:
        return None
    seats = list(
        Seat.objects.filter(match__key=key, match__club__memberships__user_id=user.pk)
        .filter(match__deleted_at=None)
        .order_by("side", "number")
        .values_list(
            "match_id",
            "match__over",
            "match__version",
            "match__club__memberships__role",
            "player__name",
        )
    )
    if not seats:
        return None
    match_id, over, version, role, _ = seats[0]
    names = [name for *_, name in seats]
    return tag_of(version, role, names, csrf, panels.states(match_id, over))
