"""Rows of the fault list that the pages must not have: names, ids, templates, policies."""

import html
import re
from pathlib import Path

import pytest
from django.template.loader import get_template
from django.test import Client
from django.test.utils import override_settings

from ginledger.gin.ruleset import read_rules
from ginledger.matches import views
from ginledger.matches.models import Match, Row
from tests.cast import ANN, BEN, Cast, gin, knock, make_match, won
from tests.web.page import HTMX, address, counts, filled, text_of

pytestmark = pytest.mark.django_db

INLINE = re.compile(r"<style|<script(?![^>]*\bsrc=)|\sstyle=|\son[a-z]+=|javascript:")
ROOT = Path(__file__).resolve().parents[2]
NAMES = (
    "O'Hara",
    'A"B',
    "<b>bold</b>",
    "</script><script>alert(1)</script>",
    "<img src=x onerror=x>",
    "{{ x }}",
    "{% now %}",
    "back\\slash",
    "👩‍👧 Zoë",
    "שרה כהן",
    "=1+1",
    "W" * 60,
    "&amp;",
)


@pytest.fixture
def client(cast: Cast, browser_of) -> Client:
    return browser_of(cast.ann)


@pytest.mark.parametrize("name", NAMES)
def test_b07_b94_names_are_shown_as_typed(client: Client, cast: Cast, name: str) -> None:
    form = {"rules": "house-modern", "sheet": "one", "dealer": "0", "once_key": "n"}
    started = client.post("/", {**form, "first": name, "second": "Ben"})
    assert started.status_code == 302
    match = Match.objects.latest("pk")
    for data in (counts(match, ANN, 6, 21), counts(match, BEN, other=3, how="gin")):
        data["version"] = Match.objects.get(pk=match.pk).version
        assert client.post(address("enter", match), data).status_code == 302
    row = match.rows.first()
    data = counts(match, ANN, 5, 22)
    pages = [
        client.get("/"),
        client.get(address("pad", match)),
        client.get(address("pad", match), headers=HTMX),
        client.get(address("sheet", match)),
        client.get(address("row", match, row)),
        client.post(address("preview", match), data, headers=HTMX),
        client.post(address("enter", match), counts(match, ANN, 12, 22)),
        client.post(address("enter", match), counts(match, ANN)),
    ]
    for page in pages:
        assert name in text_of(page) or name in _attributes(page), page.request["PATH_INFO"]
        assert name not in page.content.decode() or not re.search(r"[<>\"']", name)
    undone = client.post(address("undo", match), filled(pages[1], "undo"))
    assert undone.status_code == 302


def _attributes(page) -> str:
    return html.unescape(" ".join(re.findall(r'"([^"]*)"', page.content.decode())))


@override_settings(USE_THOUSAND_SEPARATOR=True, LANGUAGE_CODE="de", THOUSAND_SEPARATOR=".")
def test_b120_no_thousands_separator(client: Client, cast: Cast) -> None:
    rules = read_rules({"target": 50_000, "gin_bonus": 1200})
    match = make_match(cast.ann, gin(ANN, 50), rules=rules)
    Match.objects.filter(pk=match.pk).update(version=1234)
    row = match.rows.get()
    pad = client.get(address("pad", match))
    assert filled(pad)["version"] == "1234"
    assert 'max="50000" value="1250"' in pad.content.decode()
    asked = counts(match, ANN, mode="points", winner=0, kind="gin", points=1250)
    client.post(address("row", match, row), asked)
    page = client.get(address("row", match, row))
    assert filled(page)["points"] == "1250"
    assert filled(page)["version"] == "1235"
    for name in ("pad", "sheet"):
        body = client.get(address(name, match)).content.decode()
        assert "1.250" not in body
        assert "1250" in body


def all_pages(client: Client, cast: Cast) -> dict[str, object]:
    """Every page there is, each as a client gets it."""
    match = make_match(
        cast.ann, knock(ANN, 6, 21, upcard=7), gin(BEN, 19, upcard=7), rules="oklahoma-150"
    )
    match_over = make_match(cast.ann, won(BEN, 99), won(BEN, 2), rules="hollywood-100")
    row = match.rows.first()
    return {
        "start": client.get("/"),
        "pad": client.get(address("pad", match)),
        "hollywood": client.get(address("pad", match_over)),
        "sheet": client.get(address("sheet", match)),
        "hollywood sheet": client.get(address("sheet", match_over)),
        "row": client.get(address("row", match, row)),
        "404": client.get("/no-such-page"),
        "403": Client(enforce_csrf_checks=True).post("/"),
    }


def test_b80_every_page_and_template_on_the_manifest(client: Client, cast: Cast) -> None:
    """DEBUG is off and static names are hashed in every test: a missing entry raises here."""
    for name, page in all_pages(client, cast).items():
        assert page.status_code in (200, 403, 404), name
        for asked in re.findall(r'(?:href|src)="(/static/[^"]+)"', page.content.decode()):
            assert re.search(r"\.[0-9a-f]{12}\.", asked), asked
    for path in sorted((ROOT / "templates").rglob("*.html")):
        name = str(path.relative_to(ROOT / "templates"))
        get_template(name)
        for static in re.findall(r"{% static '([^']+)' %}", path.read_text()):
            assert (ROOT / "static" / static).exists(), f"{name}: {static}"
    for name in ("404.html", "403.html", "403_csrf.html", "400.html", "500.html"):
        assert "<h1>" in get_template(name).render({})


def test_b80_an_error_of_ours_is_a_page(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object) -> None:
        raise RuntimeError("lost")

    monkeypatch.setattr(views, "load_book", fail)
    client = Client(raise_request_exception=False)
    client.force_login(cast.ann)
    match = make_match(cast.ann)
    answer = client.get(address("pad", match))
    assert answer.status_code == 500
    assert "Our mistake" in text_of(answer)


def test_no_script_or_style_inside_a_page(client: Client, cast: Cast) -> None:
    for name, page in all_pages(client, cast).items():
        body = page.content.decode()
        assert not re.search(INLINE, body), name
        policy = page.headers["Content-Security-Policy"]
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy


def test_ids_are_unique_and_labels_lead_somewhere(client: Client, cast: Cast) -> None:
    for name, page in all_pages(client, cast).items():
        body = page.content.decode()
        ids = re.findall(r'\sid="([^"]+)"', body)
        assert len(ids) == len(set(ids)), name
        for refs in re.findall(r'aria-(?:describedby|labelledby)="([^"]+)"', body):
            assert set(refs.split()) <= set(ids), name
        for form in re.findall(r'<button[^>]*\sform="([^"]+)"', body):
            assert form in ids, name


def test_every_form_carries_the_token(client: Client, cast: Cast) -> None:
    for name, page in all_pages(client, cast).items():
        forms = re.findall(r'(?s)<form[^>]*method="post".*?</form>', page.content.decode())
        assert all("csrfmiddlewaretoken" in form for form in forms), name


def test_rows_never_lose_their_order(client: Client, cast: Cast) -> None:
    """B126: hands of one second are read in the order they were recorded."""
    match = make_match(cast.ann, *(won(ANN, points) for points in (5, 3, 9, 1)))
    moment = Row.objects.filter(match=match).first().entered_at
    Row.objects.filter(match=match).update(entered_at=moment)
    page = client.get(address("pad", match))
    shown = [line.points for line in page.context["page"].hands]
    assert shown == ["1", "9", "3", "5"]
