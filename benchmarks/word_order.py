"""How far apart are models that read the word order and models that do not?

Controls of `translation` and `translation_tutorial`, and `drowned_positions` on `translation`, five seeds each: the
evidence of `probes/word_order.py` and the verdicts of its check, whose thresholds come from here. Trainings are taken
from `outputs/store` where they are there already; one of the tutorial's takes most of a minute.

    python benchmarks/word_order.py
"""

from collections import Counter
from pathlib import Path
from typing import Any

from diagkit import runner
from diagkit.api import experiments
from diagkit.judge import findings
from diagkit.plan import chains, pairs
from diagkit.stages import finished

STORE = Path(__file__).resolve().parents[1] / "outputs" / "store"
SEEDS = range(5)
CHECK = "wrong_thing/word_order_reaches_the_model"
ASKED: tuple[tuple[str, list[str]], ...] = (
    ("translation", []),
    ("translation", ["drowned_positions"]),
    ("translation_tutorial", []),
)


def measured(recipe: str, breakages: list[str]) -> list[dict[str, Any]]:
    """Return the evidence of one run per seed, trained now or taken from the store."""
    found, config = experiments(recipe, breakages)
    planned = pairs(found, SEEDS)
    todo = chains(planned)
    for outcome in runner.execute(todo, STORE, config.jobs, lambda *_: None):
        if not outcome.usable:
            raise SystemExit(f"{outcome.run.label}: {outcome.reason}")
    return [finished(STORE, run.keys, run.probes) or {} for run in (pair.broken for pair in planned)]


def main() -> None:
    """Print ranges over the seeds and the verdicts."""
    print(f"{'recipe':<22}{'breakage':<20}{'exchange effect':>20}{'replacement effect':>20}   verdicts")
    for recipe, breakages in ASKED:
        evidence = measured(recipe, breakages)
        effects = [
            span([its["word_order"][name] for its in evidence]) for name in ("exchange_effect", "replacement_effect")
        ]
        verdicts = Counter(f.verdict.value for its in evidence for f in findings(its) if f.check == CHECK)
        counts = ", ".join(f"{count} {verdict}" for verdict, count in verdicts.items())
        name = breakages[0] if breakages else "control"
        print(f"{recipe:<22}{name:<20}{effects[0]:>20}{effects[1]:>20}   {counts}", flush=True)


def span(values: list[float]) -> str:
    """Return the smallest and the largest value."""
    return f"{min(values):.3f} to {max(values):.3f}"


if __name__ == "__main__":
    main()
