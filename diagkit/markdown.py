"""Markdown as GitHub shows it."""

import re
from collections.abc import Sequence

MARKUP = re.compile(r"[\\`*\[\]~]|<(?=[A-Za-z/!?])|&(?=#|\w+;)|(?<!\w)_|_(?!\w)")  # what GitHub would not show as it is


def table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(map(cell, line))} |" for line in lines)


def cell(text: str) -> str:
    """Make a text safe inside a table cell."""
    return text.replace("|", "\\|").replace("\n", " ")


def prose(text: str) -> str:
    """Make a text from outside show as it is: no character of it is markup."""
    return MARKUP.sub(lambda match: "\\" + match.group(), text)


def anchor(heading: str) -> str:
    """Return what GitHub makes of a heading for links.

    >>> anchor("1. Is the data what you think it is?")
    '1-is-the-data-what-you-think-it-is'
    """
    return "".join(c for c in heading.lower() if c.isalnum() or c in " -_").replace(" ", "-")
