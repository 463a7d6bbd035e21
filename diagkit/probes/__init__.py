"""One file, one probe: it measures one thing of a training and returns evidence of the same name.

A probe that takes long (over 0.05 s on `translation`, or further training steps) says `DEEP = True`: a recipe's run
asks it with `deep=true`, `diagnose` always.
"""

import re
from pathlib import Path


def probe_names(deep: bool = True) -> list[str]:
    """Return the names of the probes, found by their place.

    The files are read as text, since importing the deep ones would double the start of a command that leaves them out.

    Args:
        deep: whether those that take long are among them.
    """
    files = sorted(Path(__file__).parent.glob("[!_]*.py"))
    return [
        file.stem for file in files if deep or not re.search(r"^DEEP = True", file.read_text("utf-8"), re.MULTILINE)
    ]
