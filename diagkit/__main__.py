"""The command: `python -m diagkit`. Hydra composes configs; this module collects, runs and reports them."""

import gc
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import hydra
from hydra.core.hydra_config import HydraConfig
from hydra.types import RunMode
from omegaconf import DictConfig

from diagkit import catalogue, processes
from diagkit.compose import Experiment, Refusal, checked, memoized
from diagkit.hydra_setup import prepare, readable
from diagkit.mistake import Mistake, Refused

MISTAKE, INTERRUPTED = 2, 130
SWEEP = ("-m", "--multirun")  # with other options Hydra only shows something
OUR_ERRORS = "HYDRA_FULL_ERROR"  # set, Hydra lets exceptions through instead of printing and exiting with 1


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    gc.set_threshold(100_000)  # configs and packages are large and stay: looking through them again only takes time
    if argv is not None:
        sys.argv = [sys.argv[0], *argv]
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))  # the user's own functions, which only `python -m` would find
    wants_traceback = os.environ.get(OUR_ERRORS) == "1"
    os.environ[OUR_ERRORS] = "1"
    try:
        return _command()
    except BrokenPipeError:  # the reader of a pipe, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return _say("stopped before any run began", INTERRUPTED)
    except Mistake as mistake:
        if wants_traceback:
            raise
        return _say(str(mistake), MISTAKE)


def _say(text: str, status: int) -> int:
    print(text, file=sys.stderr)
    return status


def _command() -> int:
    prepare()
    sys.argv, secret = _drawn(sys.argv)
    if "--info" in sys.argv:
        print(catalogue.listing())
    if not any(word.startswith("-") and word not in SWEEP for word in sys.argv[1:]):
        processes.context(_recipes(sys.argv))
    jobs: list[tuple[DictConfig, Path, bool]] = []
    asked: list[Experiment] = []
    refusals: list[Refusal] = []
    compose = memoized()
    mistakes: list[Mistake] = []  # raised after Hydra is done, which would print a line about each job

    @hydra.main(version_base="1.3", config_path="pkg://diagkit.conf", config_name="config")
    def collect(config: DictConfig) -> None:
        its = HydraConfig.get()
        if its.launcher._target_ != "hydra._internal.core_plugins.basic_launcher.BasicLauncher":
            raise Mistake("diagkit runs its jobs itself, side by side: leave hydra/launcher out and set jobs=N")
        sweep = its.mode is RunMode.MULTIRUN
        jobs.append((config, Path(its.sweep.dir if sweep else its.runtime.output_dir), sweep))
        overrides = list(its.overrides.task)
        try:
            asked.extend(checked(config, overrides, its.runtime.choices["recipe"], compose))
        except Mistake as mistake:
            if sweep and isinstance(mistake, Refused):
                refusals.append(refusal(overrides, its.runtime.choices["recipe"], str(mistake)))
            else:
                mistakes.append(mistake)

    try:
        with readable():
            collect()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Mistake(
            f"cannot write to {error.filename}: {error.strerror}; choose another folder with hydra.run.dir=FOLDER "
            "(hydra.sweep.dir with -m)"
        ) from error
    if mistakes:
        raise Mistake("; ".join(dict.fromkeys(map(str, mistakes))))
    if not jobs:  # --help, --info, --cfg and completion end here
        return 0
    if secret:
        from diagkit import mystery

        asked = [mystery.untold(experiment, jobs[0][0].mystery) for experiment in asked]
    return _conduct(jobs, asked, refusals)


def _recipes(words: list[str]) -> list[str]:
    named = [name for word in words if word.startswith("recipe=") for name in word.partition("=")[2].split(",")]
    return named or ["translation"]


def _drawn(words: list[str]) -> tuple[list[str], bool]:
    if "+breakage=mystery" not in words:
        return words, False
    from diagkit import mystery  # pandas, which --help does without

    return mystery.drawn(words)


def _conduct(jobs: list[tuple[DictConfig, Path, bool]], asked: list[Experiment], refusals: list[Refusal]) -> int:
    from diagkit.session import Interrupted, Session, conduct, show

    if not asked:
        raise Refused("; ".join(refusal.reason for refusal in refusals))
    asked = list({(experiment.baseline, experiment.name): experiment for experiment in asked}.values())
    config, folder, sweep = jobs[0]
    seeds = list(dict.fromkeys(seed for job, *_ in jobs for seed in job.seeds))
    try:
        ending = conduct(Session(asked, refusals, seeds, config.jobs, Path(config.store), folder, config.deep, sweep))
    except Interrupted as how_much:
        return _say(str(how_much), INTERRUPTED)
    show(ending)
    return ending.exit_status()


def refusal(overrides: Sequence[str], recipe: str, reason: str) -> Refusal:
    """Return the row of a breakage that is not run."""
    name = next((o.partition("=")[2] for o in overrides if o.startswith("+breakage=")), "control")
    settings = [o for o in overrides if not o.startswith(("+breakage=", "recipe="))]
    return Refusal(" ".join([recipe, *settings]), name, reason)


if __name__ == "__main__":
    raise SystemExit(main())
