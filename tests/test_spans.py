"""Days made of months and of single days at the ends: every day once, whatever the calendar."""

from datetime import date, timedelta

from django.db.models import Q
from hypothesis import given
from hypothesis import strategies as st

from ginledger.spans import ONE_DAY, Span, by_day, last_of_month, made_of, month_of

DAYS = st.dates(min_value=date(1900, 1, 1), max_value=date(9999, 12, 31))


def matches(condition: Q, span: str, day: date) -> bool:
    """Whether a row of this span and day meets a condition made of ands and ors."""

    def one(child: object) -> bool:
        if isinstance(child, Q):
            return matches(child, span, day)
        name, value = child
        return {
            "span": lambda: span == value,
            "day__gte": lambda: day >= value,
            "day__lte": lambda: day <= value,
        }[name]()

    found = [one(child) for child in condition.children]
    return all(found) if condition.connector == Q.AND else any(found)


@given(DAYS, st.integers(0, 800), st.data())
def test_each_day_is_in_one_span_of_the_stretch_and_no_other_is(begins, length, data) -> None:
    ends = min(begins + timedelta(days=length), date.max)
    condition = made_of(begins, ends)
    low = max(begins.toordinal() - 40, 1)
    high = min(ends.toordinal() + 40, date.max.toordinal())
    day = date.fromordinal(data.draw(st.integers(low, high)))
    times = matches(condition, Span.DAY, day) + matches(condition, Span.MONTH, month_of(day))
    assert times == (begins <= day <= ends)
    assert matches(by_day(begins, ends), Span.DAY, day) == (begins <= day <= ends)


def test_the_number_of_spans_follows_from_the_calendar_alone() -> None:
    begins, ends = date(2020, 1, 15), date(2026, 3, 20)
    condition = made_of(begins, ends)
    days = [begins + timedelta(days=one) for one in range((ends - begins).days + 1)]
    assert sum(matches(condition, Span.DAY, day) for day in days) == 17 + 20
    assert sum(matches(condition, Span.MONTH, day) for day in days if day.day == 1) == 73


def test_all_time_is_every_month() -> None:
    assert made_of(None, None) == Q(span=Span.MONTH)
    assert by_day(None, None) == Q(span=Span.DAY)
    assert last_of_month(date(2024, 2, 3)) + ONE_DAY == date(2024, 3, 1)
