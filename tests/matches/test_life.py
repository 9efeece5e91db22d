"""The life of a match beside its rows: stopped, described, archived, in the bin and out of it."""

from datetime import date, timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.core.management import call_command
from django.http import Http404
from django.utils import timezone

from ginledger.gin.errors import AgainstRules
from ginledger.matches import life, posters, services
from ginledger.matches.errors import StaleMatch, WrongState
from ginledger.matches.live import open_match_link, running, watch
from ginledger.matches.management.commands.audit import differences
from ginledger.matches.models import Amendment, Match, Row
from ginledger.matches.querysets import find_match
from tests.cast import ANN, BEN, Cast, book_of, enter, fresh, knock, make_match, stored, won


@pytest.fixture
def match(cast: Cast) -> Match:
    return make_match(cast.ann, won(ANN, 60), won(BEN, 40), won(ANN, 45))


def act(cast: Cast, match: Match, service: object, **asked: object) -> services.Written:
    return service(  # type: ignore[operator]
        user=cast.ann, match_key=match.key, version=fresh(match).version, **asked
    )


def test_a_note_and_the_day_of_play_are_an_act_of_their_own(cast: Cast, match: Match) -> None:
    act(
        cast, match, life.describe_match, note=" At Ben's \r\n\r\nrain ", played_on=date(2026, 3, 1)
    )
    after = fresh(match)
    assert (after.note, after.played_on) == ("At Ben's\n\nrain", date(2026, 3, 1))
    last = book_of(match).amendments[-1]
    assert (last.action, last.who, last.row_id) == ("describe", cast.ann, None)
    assert last.after == {"note": after.note, "played_on": "2026-03-01"}
    assert last.before["note"] == ""
    assert after.last_at == match.last_at, "it was not played then"
    assert list(differences(after)) == []


def test_described_the_same_again_nothing_is_stored(cast: Cast, match: Match) -> None:
    before = stored(match)
    written = act(cast, match, life.describe_match, note="", played_on=match.played_on)
    assert (written.new, stored(match)) == (False, before)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"note": "x" * 2001}, "note"),
        ({"played_on": date(1849, 12, 31)}, "played_on"),
        ({"played_on": date(9999, 1, 1)}, "played_on"),
    ],
)
def test_a_description_out_of_bounds(
    cast: Cast, match: Match, changes: dict[str, object], field: str
) -> None:
    before = stored(match)
    with pytest.raises(AgainstRules) as refusal:
        act(
            cast,
            match,
            life.describe_match,
            **{"note": "", "played_on": match.played_on, **changes},
        )
    assert refusal.value.field == field
    assert stored(match) == before


def test_archived_and_back(cast: Cast, match: Match) -> None:
    act(cast, match, life.archive_match)
    assert fresh(match).archived
    assert not Match.objects.visible_to(cast.ann).listed().exists()
    assert find_match(cast.ann, match.key).net == match.net
    with pytest.raises(WrongState):
        act(cast, match, life.archive_match)
    act(cast, match, life.unarchive_match)
    assert list(Match.objects.visible_to(cast.ann).listed()) == [match]
    with pytest.raises(WrongState):
        act(cast, match, life.unarchive_match)


def test_in_the_bin_it_is_nowhere_and_taken_out_it_is_as_it_was(cast: Cast, match: Match) -> None:
    token = open_match_link(user=cast.ann, match_key=match.key).token
    rows = stored(match)["rows"]
    act(cast, match, life.delete_match, why="played twice")
    for read in (
        lambda: find_match(cast.ann, match.key),
        lambda: act(cast, match, life.delete_match),
        lambda: enter(cast.ann, match, knock(ANN, 6, 21)),
        lambda: watch(token),
        lambda: services.void_row(user=cast.ann, row_key=rows[0]["key"], version=5),
    ):
        with pytest.raises(Http404):
            read()
    assert running(match.club_id) == []
    assert list(Match.objects.binned_by(cast.cleo)) == [match]
    assert not Match.objects.binned_by(cast.dev).exists()
    life.undelete_match(user=cast.ben, match_key=match.key)
    assert stored(match)["rows"] == rows
    assert fresh(match).net == match.net
    with pytest.raises(Http404):
        life.undelete_match(user=cast.ben, match_key=match.key)
    with pytest.raises(Http404):
        watch(token)
    actions = [(one.amendment.action, one.amendment.why) for one in book_of(match).changes()[-2:]]
    assert actions == [("delete", "played twice"), ("undelete", "")]


def test_what_stands_above_follows_into_the_bin_and_out(cast: Cast, match: Match) -> None:
    heard: list[bool] = []
    poster = posters.register(lambda match, sheet: heard.append(match.counts))
    try:
        act(cast, match, life.delete_match)
        life.undelete_match(user=cast.ann, match_key=match.key)
    finally:
        posters.unregister(poster)
    assert heard == [False, True]


@pytest.mark.parametrize(
    "service", [life.archive_match, life.unarchive_match, life.delete_match, life.undelete_match]
)
def test_who_may(cast: Cast, match: Match, service: object) -> None:
    if service is life.undelete_match:
        act(cast, match, life.delete_match)
    before = stored(match)
    asked = {} if service is life.undelete_match else {"version": fresh(match).version}
    with pytest.raises(PermissionDenied):
        service(user=cast.cleo, match_key=match.key, **asked)  # type: ignore[operator]
    for stranger in (cast.dev, cast.guest):
        with pytest.raises(Http404):
            service(user=stranger, match_key=match.key, **asked)  # type: ignore[operator]
    assert stored(match) == before


@pytest.mark.parametrize("service", [life.archive_match, life.delete_match])
def test_seen_before_somebody_else_wrote(cast: Cast, match: Match, service: object) -> None:
    with pytest.raises(StaleMatch):
        service(user=cast.ann, match_key=match.key, version=1)  # type: ignore[operator]


def test_undo_passes_by_what_was_done_to_the_match(cast: Cast, match: Match) -> None:
    act(cast, match, life.archive_match)
    act(cast, match, services.undo)
    assert not fresh(match).over
    assert fresh(match).archived


def test_purged_after_thirty_days_and_not_before(cast: Cast, match: Match, capsys) -> None:
    services.rematch(user=cast.ann, match_key=match.key)
    other = make_match(cast.ann, won(ANN, 10))
    act(cast, match, life.delete_match)
    call_command("purge")
    assert Match.objects.count() == 3
    then = timezone.now() - timedelta(days=30, minutes=1)
    Match.objects.filter(pk=match.pk).update(deleted_at=then)
    call_command("purge")
    assert capsys.readouterr().out == "0 matches ended.\n1 match ended.\n"
    assert not Match.objects.filter(pk=match.pk).exists()
    assert not Row.objects.filter(match_id=match.pk).exists()
    assert not Amendment.objects.filter(match_id=match.pk).exists()
    assert Match.objects.count() == 2
    assert fresh(other).rows.count() == 1


def test_a_rematch_in_the_bin_is_named(cast: Cast, match: Match) -> None:
    again = services.rematch(user=cast.ann, match_key=match.key)
    act(cast, again, life.delete_match)
    with pytest.raises(WrongState) as refusal:
        services.rematch(user=cast.ann, match_key=match.key)
    assert refusal.value.code == "rematch-deleted"


def test_b73_stopped_has_neither_winner_nor_margin(cast: Cast) -> None:
    match = make_match(cast.ann, won(ANN, 80), won(BEN, 80))
    act(cast, match, services.stop_match, why="late")
    after = fresh(match)
    assert (after.stopped, after.counts, after.winner, after.net) == (True, False, None, None)
