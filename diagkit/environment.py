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
class Environment:
    """What a report says about its machine."""

    platform: str
    python: str
    packages: dict[str, str]
    cores: int
    jobs: int
    threads: int
    seconds: float  # wall time of all runs
    trained: int  # runs that were computed now
    kept: int  # runs that were there already

    def rows(self) -> dict[str, str]:
        """Return what a table shows."""
        return {
            "platform": self.platform,
            "Python": self.python,
            "packages": ", ".join(f"{name} {number}" for name, number in self.packages.items()),
            "cores": f"{self.cores}; runs side by side: {self.jobs}; threads per run: {self.threads}",
            "wall time": f"{self.seconds:.1f} s, {self.trained} runs computed, {self.kept} taken from the store",
        }


def here(jobs: int, threads: int, seconds: float, trained: int, kept: int) -> Environment:
    """Describe this machine."""
    packages = {name: version(name) for name in PACKAGES}
    return Environment(
        platform.platform(),
        platform.python_version(),
        packages,
        os.cpu_count() or 1,
        jobs,
        threads,
        seconds,
        trained,
        kept,
    )
