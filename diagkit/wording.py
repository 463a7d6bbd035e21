"""How a difference is said: its figures, and a verdict that never says "no difference" without what could be seen."""

import math

from diagkit.paired import Difference


def number(value: float, like: float | None = None) -> str:
    """Return about three significant figures; nothing for NaN.

    Args:
        like: a number with whose decimals it is to be read.

    >>> number(99.66), number(-5.229), number(0.0362), number(0.5, like=99.66)
    ('99.7', '−5.23', '0.036', '0.5')
    """
    if math.isnan(value):
        return ""
    size = abs(value if like is None else like)
    return f"{value:.{1 if size >= 10 else 2 if size >= 1 else 3}f}".replace("-", "−")


def interval(difference: Difference | None) -> str:
    """Return a difference and its interval; † where it covers test examples only."""
    if difference is None or math.isnan(difference.mean):
        return ""
    sign = " †" if difference.over == "test examples" else ""
    ends = (difference.mean, difference.low, difference.high)
    mean, low, high = (_signed(end, max(map(abs, ends))) for end in ends)
    return f"{mean} [{low}, {high}]{sign}"


def _signed(value: float, like: float) -> str:
    return ("+" if value >= 0 else "−") + number(abs(value), like)


def verdict(difference: Difference) -> str:
    """Say what a difference of a score, where higher is better, comes to.

    >>> verdict(Difference(-0.02, -0.03, -0.01, "seeds", 3, 0.01))
    'worse'
    >>> verdict(Difference(0.001, -0.002, 0.004, "seeds", 3, 0.0037))
    'no difference seen; 3 seeds could have shown 0.004'
    >>> verdict(Difference(0.0, -0.02, 0.02, "test examples", 1, 0.03))
    'no difference seen; 1 seed could have shown 0.030, the noise of training left out'
    """
    if math.isnan(difference.mean):
        return "no verdict: the score is not a number"
    if difference.seen:
        return "better" if difference.mean > 0 else "worse"
    return f"no difference seen; {could_show(difference)}"


def could_show(difference: Difference) -> str:
    """Say which difference would probably have been seen: at the 5 % level with 80 % power.

    >>> could_show(Difference(0.0, 0.0, 0.0, "seeds", 3, 0.0))
    'what 3 seeds could have shown is unknown, since they do not differ among each other'
    """
    seeds = f"{difference.seeds} seed{'s' if difference.seeds > 1 else ''}"
    if difference.over == "seeds, unpaired":
        seeds = f"at least {seeds} a side"
    alone = difference.over == "test examples"
    if not difference.detectable:
        among = "no test example scores differently" if alone else "they do not differ among each other"
        return f"what {seeds} could have shown is unknown, since {among}"
    left_out = ", the noise of training left out" if alone else ""
    return f"{seeds} could have shown {room(difference)}{left_out}"


def room(difference: Difference) -> str:
    """Return the smallest difference that would probably have been seen.

    >>> [room(Difference(0.0, 0.0, 0.0, "seeds", 3, size)) for size in (1.234, 0.0123, 0.00041, 0.0)]
    ['1.23', '0.012', '0.0004', 'unknown']
    """
    size = difference.detectable
    return "unknown" if not size else number(size) if size >= 0.001 else f"{size:.1g}"


NAMES = {
    "seeds": "over seeds (Student's)",
    "seeds, unpaired": "over seeds, unpaired (Welch's)",
    "test examples": "over test examples (paired bootstrap)",
}


def sureness(difference: Difference, adjusted: float = math.nan, control: str = "the control") -> str:
    """Return the intervals of a difference, each named, and what else is known of it.

    Args:
        adjusted: the p-value corrected for the other comparisons of a table; NaN where there are none.
        control: what the spread over seeds is of that the effect is measured in.

    >>> sureness(Difference(-0.02, -0.03, -0.01, "seeds", 6, 0.011, 0.03125, -2.0, (-0.04, 0.01)))  # doctest: +ELLIPSIS
    "−0.020, 95 % interval over seeds (Student's) [−0.030, −0.010], over test examples (...) [−0.040, +0.010]; ..."
    """
    largest = max(abs(end) for end in (difference.mean, difference.low, difference.high))
    intervals = [(difference.over, difference.low, difference.high)]
    intervals += [("test examples", *difference.examples)] if difference.examples else []
    named = [f"{NAMES[over]} [{_signed(low, largest)}, {_signed(high, largest)}]" for over, low, high in intervals]
    parts = [f"{_signed(difference.mean, largest)}, 95 % interval {', '.join(named)}"]
    if not math.isnan(difference.p_value):
        corrected = "" if math.isnan(adjusted) else f", {adjusted:.2g} after Holm's correction for this table"
        least = (
            f", the least that {difference.seeds} seeds allow" if difference.p_value <= 2 / 2**difference.seeds else ""
        )
        parts.append(f"sign-flip p = {difference.p_value:.2g}{least}{corrected}")
    if not math.isnan(difference.effect):
        parts.append(f"{number(abs(difference.effect))} times the spread of {control} over seeds")
    return "; ".join(parts)
