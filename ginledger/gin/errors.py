"""The errors of the game: one family under ValueError, each with a stable code.

Every error says which value is wrong and what would be right. ``Problems`` carries several at
once, so that a form, a command or a caller can show all of them together.
"""

from __future__ import annotations

from collections.abc import Iterable


class GinError(ValueError):
    """Something about cards, a hand, a rule set or a match is wrong.

    code: a stable word for programs ("card-twice"); message: a sentence for people;
    field: the input it belongs to ("deadwood.Ann", "cards.Ben", "target"), or "".
    """

    def __init__(self, code: str, message: str, field: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.field = field

    @property
    def problems(self) -> tuple[GinError, ...]:
        """Every problem found, at least one; a single error is its own only problem."""
        return (self,)

    def within(self, prefix: str) -> GinError:
        """The same error with its field put below a prefix ("cards" -> "hands.3.cards")."""
        field = f"{prefix}.{self.field}" if self.field else prefix
        return type(self)(self.code, self.message, field)


class Unreadable(GinError):
    """The value cannot be read at all: not a card, not a whole number, not a known word."""


class AgainstRules(GinError):
    """The value is readable but the rules of the game, or of this table, forbid it."""


class Ambiguous(GinError):
    """The value could mean several things and the choice belongs to the players."""


class Problems(GinError):
    """Several errors at once; never empty, never nested."""

    def __init__(self, problems: Iterable[GinError]) -> None:
        self._problems = tuple(one for problem in problems for one in problem.problems)
        first = self._problems[0]
        super().__init__(first.code, "; ".join(p.message for p in self._problems), first.field)

    @property
    def problems(self) -> tuple[GinError, ...]:
        return self._problems

    def within(self, prefix: str) -> Problems:
        return Problems(problem.within(prefix) for problem in self._problems)


def raise_all(problems: Iterable[GinError]) -> None:
    """Raise nothing, the one problem, or all of them as ``Problems``."""
    found = tuple(one for problem in problems for one in problem.problems)
    if len(found) == 1:
        raise found[0]
    if found:
        raise Problems(found)
