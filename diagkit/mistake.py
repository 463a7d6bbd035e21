"""What a person got wrong, said in one sentence: the command prints it without a traceback and exits with 2."""

import difflib
from collections.abc import Iterable


class Mistake(Exception):  # noqa: N818 - it reads as the noun it is
    """A command, config or input that cannot be used, with what to do about it."""


class Refused(Mistake):
    """A breakage that changes nothing on this recipe, or too much: an error alone, a row of the report in a sweep."""


def nearest(wrong: str, choices: Iterable[str]) -> str:
    """Name the choice most like a misspelt word, then all choices.

    >>> nearest("zero_rl", ["tiny_data", "zero_lr"])
    'did you mean zero_lr? There are: tiny_data, zero_lr'
    >>> nearest("qqq", ["tiny_data", "zero_lr"])
    'there are: tiny_data, zero_lr'
    """
    choices = sorted(choices)
    close = difflib.get_close_matches(wrong, choices, n=1, cutoff=0.5)
    listing = ", ".join(choices) or "none"
    return f"did you mean {close[0]}? There are: {listing}" if close else f"there are: {listing}"
