"""Names: kept as typed, refused when nobody could read them, and who is the same person."""

from __future__ import annotations

import pytest

from ginledger.clubs.names import clean_name, clean_names, fold
from ginledger.gin.errors import AgainstRules, GinError

AS_TYPED = [
    "<img src=x onerror=x>",
    "</script>",
    "O'Hara",
    'A"B',
    "{{x}}",
    "back\\slash",
    "=1+1",
    "Mary  Ann",
    "אבג \u200f1",
    "👩‍💻",
    "x" * 60,
]


@pytest.mark.parametrize("name", AS_TYPED)
def test_whatever_a_name_contains_it_is_kept_as_typed(name: str) -> None:
    assert clean_name(name) == name


def test_space_around_a_name_goes_and_its_form_is_composed() -> None:
    assert clean_name(" \u00a0Jose\u0301 \t") == "Jos\u00e9"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "name-blank"),
        ("  \u00a0 ", "name-blank"),
        ("\u200b\u200f", "name-blank"),
        ("a\nb", "name-unreadable"),
        ("a\x00b", "name-unreadable"),
        ("a\u2028b", "name-unreadable"),
        ("a\ud800b", "name-unreadable"),
        ("x" * 61, "name-long"),
    ],
)
def test_a_name_that_cannot_be_read_is_refused(text: str, code: str) -> None:
    with pytest.raises(AgainstRules) as refusal:
        clean_name(text, "names.1")
    assert (refusal.value.code, refusal.value.field) == (code, "names.1")


@pytest.mark.parametrize(
    ("one", "other"), [("mary ann", "Mary ANN"), ("Jos\u00e9", "JOSE\u0301"), ("Weiß", "WEISS")]
)
def test_b56_the_same_person_in_other_letters(one: str, other: str) -> None:
    assert fold(clean_name(one)) == fold(clean_name(other))


def test_b56_inner_spaces_make_another_person() -> None:
    assert fold("Mary Ann") != fold("MaryAnn")


def test_every_wrong_name_is_told_at_once_with_its_place() -> None:
    with pytest.raises(GinError) as refusal:
        clean_names(["Ann", "", "ANN", "x" * 61])
    told = [(problem.code, problem.field) for problem in refusal.value.problems]
    assert told == [
        ("name-blank", "names.1"),
        ("name-twice", "names.2"),
        ("name-long", "names.3"),
    ]
