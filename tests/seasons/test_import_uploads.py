"""What waits between look and store: for its owner alone, for a while, and through a log-in."""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path

import pytest

from ginledger.gin.errors import Unreadable
from ginledger.matches.models import Match
from ginledger.seasons.import_uploads import KEPT_EACH, KEPT_FOR, Upload, drop, find, keep
from tests.cast import Cast
from tests.seasons.desk import Desk
from tests.seasons.desk import data_folder as data_folder

pytestmark = pytest.mark.django_db

FILES = [Upload("josé.csv", b"\xff\x00"), Upload("b", b"")]
TABLE = b"day,player_1,player_2,winner,points\n2026-01-12,Ann,Ben,Ann,9\n"


def test_it_is_found_by_its_owner_alone(cast: Cast, data_folder: Path) -> None:
    token = keep(cast.ben, FILES)
    assert find(cast.ben, token) == FILES
    for user, word in (
        (cast.ann, token), (cast.ben, token[:-1] + "!"), (cast.ben, "x" * 22),
        (cast.ben, f"../{cast.ben.pk}-{token}"), (cast.ben, ""), (cast.ben, "\0"),
    ):  # fmt: skip
        with pytest.raises(Unreadable, match="here no more"):
            find(user, word)
    (path,) = data_folder.iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(data_folder.stat().st_mode) == 0o700
    drop(cast.ben, token)
    drop(cast.ben, token)
    assert list(data_folder.iterdir()) == []


def test_it_goes_when_it_is_old_or_pushed_out(cast: Cast, data_folder: Path) -> None:
    old = keep(cast.ann, FILES)
    (path,) = data_folder.iterdir()
    os.utime(path, (time.time() - KEPT_FOR - 60,) * 2)
    tokens = []
    for number in range(KEPT_EACH + 1):
        tokens.append(keep(cast.ben, FILES))
        for one in data_folder.iterdir():
            if one.name.endswith(tokens[-1]):
                os.utime(one, (time.time() - 100 + number,) * 2)
    for user, token in ((cast.ann, old), (cast.ben, tokens[0])):
        with pytest.raises(Unreadable):
            find(user, token)
    assert [find(cast.ben, token) for token in tokens[1:]] == [FILES] * KEPT_EACH


def test_what_was_stored_waits_no_more(cast: Cast, data_folder: Path) -> None:
    desk = Desk(cast)
    desk.store(desk.look(TABLE))
    assert list(data_folder.iterdir()) == []


def test_a_draft_of_somebody_else_or_a_damaged_form_stores_nothing(cast: Cast) -> None:
    looked = Desk(cast).look(TABLE)
    assert Desk(cast, cast.ann).store(looked).status_code == 422
    desk = Desk(cast)
    assert desk.store(looked, rules="nobody's").status_code == 422
    assert desk.store(looked, days="never").status_code == 422
    assert not Match.objects.exists()


def test_other_files_are_looked_at_before_anything_is_stored(cast: Cast) -> None:
    desk = Desk(cast)
    answer = desk.look(TABLE, step="store")
    assert answer.status_code == 200 and "1 of 1 match" in answer.content.decode()
    assert not Match.objects.exists()


# A session that ended (B09)


def test_after_the_session_ended_nothing_is_stored_and_the_look_is_kept(cast: Cast) -> None:
    desk = Desk(cast)
    looked = desk.look(TABLE)
    desk.client.logout()
    answer = desk.store(looked)
    assert answer.status_code == 302 and answer.headers["Location"].startswith("/account/login/")
    assert not Match.objects.exists()
    desk.client.force_login(cast.ben)
    kept = desk.client.get(desk.path)
    assert "1 of 1 match" in kept.content.decode()
    assert "1 of 1 match" not in desk.client.get(desk.path).content.decode()
    assert desk.store(kept).status_code == 302
    assert Match.objects.count() == 1


def test_a_file_that_is_chosen_after_the_session_ended_is_not_taken(cast: Cast) -> None:
    desk = Desk(cast)
    desk.client.logout()
    ((address, _),) = desk.look(TABLE).redirect_chain
    assert address.startswith("/account/login/")
