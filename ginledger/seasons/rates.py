"""A share with how sure one can be of it."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

# Below so many cases no rate is given: its interval would be some 40 points wide.
FEW = 20
# The normal quantile of a two-sided interval of 95 %.
_Z = 1.959963984540054


def wilson(count: int, n: int) -> tuple[float, float]:
    """The 95 % score interval of Wilson (1927) for count of n, each from 0 to 1; n at least 1.

    Unlike the share plus or minus its error it stays within 0 and 1 and holds for small n.
    """
    share, square = count / n, _Z * _Z / n
    middle = share + square / 2
    spread = _Z * sqrt(share * (1 - share) / n + square / (4 * n))
    low = 0.0 if count == 0 else (middle - spread) / (1 + square)
    high = 1.0 if count == n else (middle + spread) / (1 + square)
    return low, high


@dataclass(frozen=True, slots=True)
class Rate:
    """count of n; few: too few to tell."""

    count: int
    n: int

    @property
    def few(self) -> bool:
        return self.n < FEW

    @property
    def percent(self) -> str:
        """The share in per cent, one decimal: "18.1 %"."""
        return f"{100 * self.count / self.n:.1f} %"

    @property
    def interval(self) -> str:
        """The 95 % interval in per cent: "13.9–23.3 %"."""
        low, high = wilson(self.count, self.n)
        return f"{100 * low:.1f}–{100 * high:.1f} %"

    @property
    def about(self) -> str:
        """The share and half the width of its interval, in whole per cent: "18 % ± 5"."""
        low, high = wilson(self.count, self.n)
        return f"{100 * self.count / self.n:.0f} % ± {50 * (high - low):.0f}"


@dataclass(frozen=True, slots=True)
class Average:
    """total over n cases; few: too few to tell."""

    total: int
    n: int

    @property
    def few(self) -> bool:
        return self.n < FEW

    @property
    def value(self) -> str:
        """One decimal: "21.4"."""
        return f"{self.total / self.n:.1f}"
