"""One file, one probe: it measures one thing of a training and returns evidence of the same name.

A probe that takes long (over 0.05 s on `translation`, or further training steps) says `DEEP = True`: `diagnose` asks
it always, a recipe's run where a breakage of the command promises a check that needs it, or with `deep=true`.
"""

import re
from functools import cache
from pathlib import Path


@cache
def probe_names(deep: bool = True) -> tuple[str, ...]:
    """Return the names of the probes, found by their place.

    The files are read as text, since importing the deep ones would double the start of a command that leaves them out.

    Args:
        deep: whether those that take long are among them.
    """
    files = sorted(Path(__file__).parent.glob("[!_]*.py"))
    return tuple(
        file.stem for file in files if deep or not re.search(r"^DEEP = True", file.read_text("utf-8"), re.MULTILINE)
    )
