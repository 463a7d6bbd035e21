"""When two texts count as the same."""

import re
import unicodedata


def normalized(text: str) -> str:
    """Fold case, spacing and punctuation.

    >>> normalized(" Go  on, TOM! ")
    'go on tom'
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(re.findall(r"\w+", folded)) or folded.strip()
