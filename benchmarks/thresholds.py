"""How far is every check's threshold from the runs on both sides of it?

Recipes `translation` and `digits` with every breakage that applies, three seeds, through the command; trainings are
taken from `outputs/store` where they are there already. A check should pass on controls and on breakages that list it
under `expect.pass`, and fail on those that list it under `expect.fail`. Checks without a figure show verdicts only.

    python benchmarks/thresholds.py
"""

import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import pandas as pd
import yaml

from diagkit.judge import checks

PROJECT = Path(__file__).resolve().parents[1]
COMMAND = ["-m", "diagkit", "-m", "recipe=translation,digits", "+breakage=glob(*)", "seeds=[0,1,2]"]


def all_runs() -> pd.DataFrame:
    """Run the command and return its `runs.csv`."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, *COMMAND, f"hydra.sweep.dir={folder}"],
            cwd=PROJECT,
            capture_output=True,
            text=True,
        )
        table = Path(folder, "runs.csv")
        if not table.is_file():
            raise SystemExit(f"the command ended with {done.returncode} and no runs.csv:\n{done.stderr}")
        return pd.read_csv(table)


def expected(check: str) -> dict[str, str]:
    """Return PASS or FAIL for every breakage that promises something about a check, and for the control."""
    promises = {"control": "PASS"}
    for file in sorted((PROJECT / "breakages").glob("*.yaml")):
        expect = yaml.safe_load(file.read_text("utf-8"))["breakage"]["expect"]
        for side in ("pass", "fail"):
            if check in expect[side]:
                promises[file.stem] = side.upper()
    return promises


def main() -> None:
    """Print one line per check, recipe and expectation."""
    runs = all_runs().drop_duplicates(["recipe", "breakage", "seed"])
    print(f"{'check':<46}{'recipe':<13}{'should':<8}{'value':<22}{'threshold':<18}verdicts")
    for name in checks():
        promises = runs["breakage"].map(expected(name))
        for (recipe, should), group in runs.groupby(["recipe", promises]):
            verdicts = Counter(group[name])
            values, limits = (span(group[f"{name} {column}"].dropna()) for column in ("value", "threshold"))
            counts = ", ".join(f"{count} {verdict}" for verdict, count in verdicts.items())
            print(f"{name:<46}{recipe:<13}{should:<8}{values:<22}{limits:<18}{counts}")


def span(values: "pd.Series[float]") -> str:
    """Return the smallest and the largest value, once where they are the same."""
    if values.empty:
        return "-"
    low, high = f"{values.min():.3g}", f"{values.max():.3g}"
    return low if low == high else f"{low} to {high}"


if __name__ == "__main__":
    main()
