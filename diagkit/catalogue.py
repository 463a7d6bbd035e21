"""The recipes and breakages there are, with their titles: what `--help` lists."""

import re
from pathlib import Path

from diagkit.sources import names

TITLE = re.compile(r"^\s*title:\s*(.+)$", re.MULTILINE)

HELP = """diagkit breaks a healthy training on purpose, one variable at a time, and reports which checks notice.

  python -m diagkit                                           the healthy control of the default recipe
  python -m diagkit +breakage=frozen_encoder                  a broken run beside its control
  python -m diagkit recipe=digits +breakage=zero_lr 'seeds=[0,1,2]'
  python -m diagkit -m '+breakage=glob(*)'                    every breakage, one report
  python -m diagkit recipe=translation data.path=pairs.tsv    on your own tab-separated text

Any setting can be changed: optimizer.lr=0.01 (--cfg job prints them all).
Tab completion: eval "$(diagkit -sc install=bash)"

{listing}

Exit status: 0 as promised, 1 not as promised, 2 a mistake in the command or a config, 3 a run raised or died,
130 interrupted.
"""


def listing() -> str:
    """Return every recipe and breakage with its title."""
    parts = []
    for group in ("recipe", "breakage"):
        found = names(group)
        width = max(map(len, found), default=0)
        lines = [f"  {name.ljust(width)}  {title(file)}" for name, file in found.items()]
        parts.append("\n".join([f"{'recipe=' if group == 'recipe' else '+breakage='}", *lines]))
    return "\n\n".join(parts)


def title(file: Path) -> str:
    """Return the first title in a YAML file, read as text: parsing all files would take most of the time of --help."""
    match = TITLE.search(file.read_text("utf-8", errors="replace"))
    return match.group(1).strip("'\" ") if match else ""


def help_text() -> str:
    """Return what `--help` prints, with the dollar signs doubled that Hydra's template would replace."""
    return HELP.format(listing=listing()).replace("$", "$$")
