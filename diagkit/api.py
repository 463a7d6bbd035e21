"""The command from Python, for notebooks and scripts."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import hydra
import pandas as pd
from hydra.core.global_hydra import GlobalHydra
from omegaconf import DictConfig

from diagkit import processes
from diagkit.compose import Compose, Experiment, checked, memoized
from diagkit.hydra_setup import prepare, readable


def run(
    recipe: str = "translation",
    breakages: Sequence[str] = (),
    seeds: Sequence[int] = (0,),
    overrides: Sequence[str] = (),
    folder: str | Path | None = None,
) -> pd.DataFrame:
    """Train the control and the broken runs, compare them and write the report.

    Args:
        recipe: a name of `recipes/`.
        breakages: names of `breakages/`; without any, the control alone is run.
        seeds: one control and one run of each breakage per seed, paired.
        overrides: further settings as on the command line, such as `optimizer.lr=0.01` or `jobs=1`.
        folder: where the report goes; `outputs/<date>/<time>` by default.

    Returns:
        One row per breakage. `frame.attrs["report"]` is the path of the report.

    Raises:
        Mistake: a name, value or input cannot be used; its text says what to do.
    """
    from diagkit.comparison import frame
    from diagkit.session import Session, conduct

    processes.context(recipe.split()[:1])
    asked, config = experiments(recipe, breakages, overrides)
    place = Path(folder) if folder else Path("outputs", datetime.now().strftime("%Y-%m-%d/%H-%M-%S"))
    ending = conduct(Session(asked, [], list(seeds), config.jobs, Path(config.store), place, config.deep))
    table = frame(ending.comparisons, ending.refusals)
    table.attrs["report"] = str(ending.path)
    return table


def experiments(
    recipe: str, breakages: Sequence[str], overrides: Sequence[str] = ()
) -> tuple[list[Experiment], DictConfig]:
    """Compose the experiments of every breakage, or the control alone, and the config of the last one.

    Args:
        recipe: its name, or a baseline as reports call it: the name and settings, such as `digits data.train_size=60`.

    Raises:
        Mistake: a name or value cannot be used.
    """
    recipe, *settings = recipe.split()
    common = [f"recipe={recipe}", *settings, *overrides]
    asked = [[*common, f"+breakage={name}"] for name in breakages] or [common]
    found: list[Experiment] = []
    with composing() as compose:
        for words in asked:
            config = compose(words)
            found.extend(checked(config, words, recipe, compose))
    return found, config


@contextmanager
def composing() -> Iterator[Compose]:
    """Initialize Hydra for the time of a `with` block and give what composes; its errors become mistakes.

    An application that uses Hydra itself keeps its own state.
    """
    prepare()
    outer = GlobalHydra.instance().hydra
    GlobalHydra.instance().clear()
    try:
        with readable(), hydra.initialize_config_module("diagkit.conf", version_base="1.3"):
            yield memoized()
    finally:
        GlobalHydra.instance().clear()
        GlobalHydra.instance().hydra = outer
