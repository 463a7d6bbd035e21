"""Diagnose every program of `healthy/` and `faulty/`: false alarms, and faults named.

    python benchmarks/zoo.py healthy            # 3 seeds each; writes docs/healthy-programs.md
    python benchmarks/zoo.py faulty             # buggy and fixed; writes docs/faulty-programs.md
    python benchmarks/zoo.py healthy NAME ...   # some of them, written nowhere

Each program runs in a worker of its own thread; a rate comes with its Wilson interval of 95 %. Whole passes also leave
the figures that the checks measured in `benchmarks/values/`, which the pages of the checks draw.
"""

import argparse
import importlib.util
import json
import math
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from joblib import Parallel, delayed
from tqdm import tqdm

from diagkit.judge import checks
from diagkit.paired import wilson

HERE = Path(__file__).parent
DOCS = HERE.parent / "docs"
SEEDS = (0, 1, 2)
TOP = 3  # causes among which a fault counts as named


@dataclass(frozen=True)
class Answer:
    """What the diagnosis of one program said."""

    name: str
    variant: str
    causes: tuple[str, ...]
    seconds: float
    errors: tuple[str, ...] = ()  # checks that raised
    text: str = ""
    values: tuple[tuple[str, float, float], ...] = ()  # check, measured value, threshold


def diagnose_file(file: Path, name: str, variant: str, argument: Any) -> Answer:
    """Build one program and diagnose it."""
    import torch

    from diagkit.examine import diagnose
    from diagkit.finding import Verdict

    torch.set_num_threads(1)
    began = time.perf_counter()
    try:
        spec = importlib.util.spec_from_file_location(name, file)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        diagnosis = diagnose(**module.build(argument))
    except Exception:
        return Answer(name, variant, ("RAISED",), time.perf_counter() - began, (traceback.format_exc(limit=-3),))
    errors = tuple(f"{f.check}: {f.text}" for f in diagnosis.findings if f.verdict is Verdict.ERROR)
    values = tuple(
        (f.check, f.value, f.threshold)
        for f in diagnosis.findings
        if f.value is not None and f.threshold is not None and math.isfinite(f.value)
    )
    seconds = time.perf_counter() - began
    return Answer(name, variant, diagnosis.causes, seconds, errors, diagnosis.verdict(), values)


def rate(hits: int, of: int) -> str:
    """Return a share with its Wilson interval."""
    low, high = wilson(hits, of)
    return f"{hits} of {of} ({hits / of:.1%}, 95 % interval {low:.1%} to {high:.1%})"


def run(tasks: list[tuple[Path, str, str, Any]], jobs: int) -> list[Answer]:
    """Diagnose many programs side by side."""
    work = (delayed(diagnose_file)(*task) for task in tasks)
    answers: list[Answer] = []
    for answer in tqdm(Parallel(n_jobs=jobs, return_as="generator")(work), total=len(tasks), disable=None):
        answers.append(answer)
        if answer.causes or answer.errors:
            print(f"{answer.name} {answer.variant} ({answer.seconds:.0f} s): {', '.join(answer.causes) or '-'}")
            print("".join(f"    ERROR {error}\n" for error in answer.errors), end="", flush=True)
    return answers


def healthy(names: list[str], jobs: int) -> str:
    """Diagnose the healthy programs and return the page."""
    files = [file for file in sorted((HERE / "healthy").glob("[!_]*.py")) if not names or file.stem in names]
    answers = run([(file, file.stem, f"seed {seed}", seed) for file in files for seed in SEEDS], jobs)
    if not names:
        keep("healthy", answers, lambda answer, check: True)
    alarms = {answer.name for answer in answers if answer.causes}
    about = {file.stem: (file.read_text("utf-8").split('"""')[1].splitlines() or [""])[0] for file in files}
    rows = [
        f"| {name} | {about[name]} | "
        + " | ".join(", ".join(a.causes) or "–" for a in answers if a.name == name)
        + " |"
        for name in about
    ]
    head = f"| program | what it is | {' | '.join(f'seed {seed}' for seed in SEEDS)} |\n|---|---|{'---|' * len(SEEDS)}"
    summary = (
        f"Programs with any fault: {rate(len(alarms), len(files))}. "
        f"Runs with any fault: {rate(sum(bool(a.causes) for a in answers), len(answers))}."
    )
    intro = "`python benchmarks/zoo.py healthy` diagnoses these programs; every fault named here is a false alarm."
    return "\n\n".join(["# Healthy programs", intro, summary, "\n".join([head, *rows])]) + "\n"


def faulty(names: list[str], jobs: int) -> str:
    """Diagnose the faulty programs and their repaired twins and return the page."""
    folders = [
        file.parent for file in sorted((HERE / "faulty").glob("*/case.py")) if not names or file.parent.name in names
    ]
    tasks = [(d / "case.py", d.name, variant, variant == "fixed") for d in folders for variant in ("buggy", "fixed")]
    answers = {(a.name, a.variant): a for a in run(tasks, jobs)}
    stories = {folder.name: yaml.safe_load((folder / "case.yaml").read_text("utf-8")) for folder in folders}
    if not names:
        buggy = [answer for answer in answers.values() if answer.variant == "buggy"]
        keep("faulty", buggy, lambda answer, check: stories[answer.name]["fault"] in checks()[check].speaks_for)
    rows, count = [], {"first": 0, "named": 0, "detected": 0, "false": 0}
    for folder in folders:
        story = stories[folder.name]
        accepted = {story["fault"], *story.get("accepted", [])}
        causes = answers[folder.name, "buggy"].causes
        wrong = [c for c in answers[folder.name, "fixed"].causes if c not in story.get("fair_on_fixed", [])]
        result = (
            "first"
            if accepted & set(causes[:1])
            else "named"
            if accepted & set(causes[:TOP])
            else "other"
            if causes
            else "missed"
        )
        count["first"] += result == "first"
        count["named"] += result in ("first", "named")
        count["detected"] += bool(causes)
        count["false"] += bool(wrong)
        rows.append(f"| {folder.name} | {story['fault']} | {result} | {', '.join(causes[:TOP])} | {', '.join(wrong)} |")
    total = len(folders)
    summary = "\n".join(f"- {what}: {rate(hits, total)}" for what, hits in count.items())
    head = "| program | planted fault | result | causes | false alarm on the repaired twin |\n|---|---|---|---|---|"
    intro = "`python benchmarks/zoo.py faulty` diagnoses these programs and their repaired twins."
    return "\n\n".join(["# Faulty programs", intro, summary, "\n".join([head, *rows])]) + "\n"


def keep(zoo: str, answers: list[Answer], counts: Callable[[Answer, str], bool]) -> None:
    """Write what the checks measured, by check: of faulty programs only where the check speaks for the fault."""
    found: dict[str, list[list[Any]]] = {}
    for answer in answers:
        for check, value, threshold in answer.values:
            if counts(answer, check):
                found.setdefault(check, []).append([answer.name, float(f"{value:.4g}"), float(f"{threshold:.4g}")])
    folder = HERE / "values"
    folder.mkdir(exist_ok=True)
    lines = ",\n".join(f"{json.dumps(check)}: {json.dumps(its)}" for check, its in sorted(found.items()))
    (folder / f"{zoo}.json").write_text(f"{{\n{lines}\n}}\n", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("zoo", choices=["healthy", "faulty"])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    pages: dict[str, Callable[[list[str], int], str]] = {"healthy": healthy, "faulty": faulty}
    page = pages[options.zoo](options.names, options.jobs)
    print(page)
    if not options.names:
        (DOCS / f"{options.zoo}-programs.md").write_text(page, "utf-8")


if __name__ == "__main__":
    main()
