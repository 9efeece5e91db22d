"""Names of people and clubs: what is kept, what is refused, and when two are the same person.

A name is kept as typed, apart from the space around it and its Unicode form (NFC). Whatever it
contains is text: markup, quotes, braces, emoji and right-to-left marks are all fine.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from ginledger.gin.errors import AgainstRules, GinError, raise_all
from ginledger.gin.matchfile import MOST_NAME, fold

__all__ = ["clean_name", "clean_names", "fold"]

# Control characters, half surrogates, and line and paragraph separators cannot stand in a name.
_REFUSED = frozenset({"Cc", "Cs", "Zl", "Zp"})
# A name made of these alone would be seen as nothing.
_UNSEEN = frozenset({"Cf", "Zs"})


def clean_name(text: str, field: str = "name") -> str:
    """The name as it is kept: trimmed, NFC, inner spaces kept, 1 to 60 characters.

    Raises AgainstRules with the given field: "name-unreadable", "name-blank" or "name-long".
    """
    name = unicodedata.normalize("NFC", text).strip()
    kinds = {unicodedata.category(character) for character in name}
    if kinds & _REFUSED:
        raise AgainstRules("name-unreadable", "A name is one line of plain text.", field)
    if kinds <= _UNSEEN:
        raise AgainstRules("name-blank", "A name is needed here.", field)
    if len(name) > MOST_NAME:
        raise AgainstRules(
            "name-long",
            f"A name has up to {MOST_NAME} characters; this one has {len(name)}.",
            field,
        )
    return name


def clean_names(texts: Sequence[str], field: str = "names") -> tuple[str, ...]:
    """Every name cleaned, all different people; fields are "names.0", "names.1" and so on.

    Raises every problem found at once: those of ``clean_name`` and "name-twice".
    """
    problems: list[GinError] = []
    names: list[str] = []
    seen: dict[str, str] = {}
    for number, text in enumerate(texts):
        try:
            name = clean_name(text, f"{field}.{number}")
        except AgainstRules as problem:
            problems.append(problem)
            continue
        if (folded := fold(name)) in seen:
            problems.append(
                AgainstRules(
                    "name-twice",
                    f"{seen[folded]} already sits at this table; another name is needed here.",
                    f"{field}.{number}",
                )
            )
        seen.setdefault(folded, name)
        names.append(name)
    raise_all(problems)
    return tuple(names)
