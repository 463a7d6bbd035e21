"""What the folder of a report keeps of every run, in `runs.json`: all that a later comparison of any two needs.

The folder can be moved, and its runs compared, without the store that they came from. Packages and machine are those
of the command that wrote the report. For runs that it took from the store, their keys vouch for data, code and the
packages that figures depend on; nothing vouches for the machine.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from diagkit import store
from diagkit.compose import Leaves, flatten
from diagkit.environment import Environment
from diagkit.mistake import Mistake, nearest
from diagkit.stages import code_versions

if TYPE_CHECKING:
    from diagkit.comparison import Comparison, Result

FILE = "runs.json"


@dataclass(frozen=True)
class Record:
    """One run, as a comparison sees it."""

    baseline: str  # the recipe and the user's settings
    breakage: str  # or `control`
    seed: int
    keys: dict[str, str]  # of its stages in the store
    settings: Leaves  # unresolved: one variable is one leaf
    resolved: Leaves
    data: str | None  # hash of the data file
    code: dict[str, str]  # versions of what computed it, by module or package
    packages: dict[str, str]
    machine: dict[str, str]  # platform and Python
    metric: str
    signature: str
    score: float
    figures: dict[str, float]  # everything else that was measured
    test_set: str  # hash of its inputs and truths
    statistics: list[list[float]]  # (test examples, figures), see `diagkit.score`
    outputs: list[str]  # (test examples,)


def content(comparisons: Sequence["Comparison"], environment: Environment) -> str:
    """Return the text of `runs.json`: every run once; what is the same for all of them stands beside them."""
    made = {
        "packages": environment.packages,
        "machine": {"platform": environment.platform, "Python": environment.python},
    }
    runs: dict[tuple[str, str, int], dict[str, Any]] = {}
    for its in comparisons:
        experiment = its.experiment
        for broken, control in its.pairs:
            sides = [(control, "control", experiment.control_settings, experiment.control)]
            sides += [(broken, experiment.name, experiment.settings, experiment.config)] if experiment.story else []
            for result, name, settings, config in sides:
                key = (experiment.baseline, name, result.run.seed)
                run = {"baseline": experiment.baseline, "breakage": name, "settings": settings, **_measured(result)}
                run |= {"resolved": dict(flatten(config)), "code": _code(config)}
                runs.setdefault(key, run)
    return json.dumps({**made, "runs": list(runs.values())})


def _measured(result: "Result") -> dict[str, Any]:
    scores = result.scores
    figures = {"training loss": result.history.final_loss(), "validation loss": scores.val_loss}
    return {
        "seed": result.run.seed,
        "keys": asdict(result.run.keys),
        "data": result.run.data,
        "metric": scores.metric,
        "signature": scores.signature,
        "score": scores.value,
        "figures": {name.replace("_", " "): value for name, value in scores.extra.items()} | figures,
        "test_set": store.key([scores.inputs, scores.truths]),
        "statistics": scores.statistics,
        "outputs": scores.outputs,
    }


def _code(config: Any) -> dict[str, str]:
    versions = code_versions(config)
    return versions["train"] | versions["evaluate"]


def read(folder: Path) -> list[Record]:
    """Return the runs of a report's folder, or of all reports below a folder.

    Raises:
        Mistake: there are none, or two of one name and seed differ.
    """
    files = [folder / FILE] if (folder / FILE).is_file() else sorted(folder.rglob(FILE))
    if not files:
        raise Mistake(_missing(folder))
    found: dict[tuple[str, str, int], Record] = {}
    for record in (record for file in files for record in _read(file)):
        known = found.setdefault((record.baseline, record.breakage, record.seed), record)
        if known.keys != record.keys:
            raise Mistake(
                f"{folder} holds two different runs named {record.baseline} {record.breakage} seed={record.seed}: "
                "name the folder of one report"
            )
    return list(found.values())


def _read(file: Path) -> list[Record]:
    try:
        plain = json.loads(file.read_bytes())
        made = {"packages": plain["packages"], "machine": plain["machine"]}
        return [Record(**run, **made) for run in plain["runs"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Mistake(f"cannot read {file}: {error}; the command that wrote it writes it again") from error


def _missing(folder: Path) -> str:
    """Say why a folder holds no runs, with the nearest one that does."""
    if folder.is_dir() and any(folder.rglob("runs.csv")):
        return f"{folder} has runs.csv but no {FILE}: the same command again writes it and trains nothing"
    there = {str(file.parent) for file in folder.parent.glob(f"*/{FILE}")}
    what = "holds no runs" if folder.exists() else "does not exist"
    return f"{folder} {what}; name the folder of a report: {nearest(str(folder), there)}"
