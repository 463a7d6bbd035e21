"""Where the runs were made: versions, platform, threads, wall time."""

import os
import platform
from dataclasses import dataclass
from importlib.metadata import version

PACKAGES = (
    "diagkit",
    "torch",
    "hydra-core",
    "omegaconf",
    "joblib",
    "sacrebleu",
    "numpy",
    "pandas",
    "scikit-learn",
)


@dataclass(frozen=True)
class Spent:
    """Where the time of a command went, seconds.

    Attributes:
        wall: of all runs, side by side.
        training: of the processes that trained, one after the other; so is `asking`, that of scores and probes.
    """

    wall: float
    training: float
    asking: float

    def __str__(self) -> str:
        """Return the wall time and the share of the processes' time that was not training.

        >>> str(Spent(10.0, 12.0, 4.0)), str(Spent(1.0, 0.0, 0.0))
        ('10.0 s, 25 % of the runs outside training', '1.0 s')
        """
        runs = self.training + self.asking
        share = f", {self.asking / runs:.0%} of the runs outside training".replace("%", " %") if self.training else ""
        return f"{self.wall:.1f} s{share}"


@dataclass(frozen=True)
class Environment:
    """What a report says about its machine."""

    platform: str
    python: str
    packages: dict[str, str]
    cores: int
    jobs: int
    threads: int
    spent: Spent
    done: int  # runs that were computed now
    kept: int  # runs that were there already

    def rows(self) -> dict[str, str]:
        """Return what a table shows."""
        return {
            "platform": self.platform,
            "Python": self.python,
            "packages": ", ".join(f"{name} {number}" for name, number in self.packages.items()),
            "cores": f"{self.cores}; runs side by side: {self.jobs}; threads per run: {self.threads}",
            "wall time": f"{self.spent}; {self.done} runs computed, {self.kept} taken from the store",
        }


def here(jobs: int, threads: int, spent: Spent, done: int, kept: int) -> Environment:
    """Describe this machine."""
    packages = {name: version(name) for name in PACKAGES}
    return Environment(
        platform.platform(),
        platform.python_version(),
        packages,
        os.cpu_count() or 1,
        jobs,
        threads,
        spent,
        done,
        kept,
    )
