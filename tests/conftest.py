"""Fixtures: a user's project folder, and the command run in it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

PROJECT = Path(__file__).with_name("project")
SHARED = Path(__file__).parents[2] / "shared"

Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the tests' project folder, which is the current folder meanwhile."""
    folder = tmp_path / "project"
    shutil.copytree(PROJECT, folder)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def command(project: Path) -> Command:
    """Run `python -m MODULE ...` in the project folder."""

    def run(*words: str, module: str = "diagkit", timeout: float = 300) -> subprocess.CompletedProcess[str]:
        paths = [str(project), *filter(None, [os.environ.get("PYTHONPATH")])]  # a caller's says which checkout is meant
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
        line = [sys.executable, "-m", module, *words]
        return subprocess.run(line, cwd=project, env=environment, capture_output=True, text=True, timeout=timeout)

    return run


@pytest.fixture
def english_french() -> list[tuple[str, str]]:
    """5,000 real sentence pairs, where they are at hand."""
    file = SHARED / "data" / "eng-fra.tsv"
    if not file.exists():
        pytest.skip("the real sentence pairs are not at hand")
    rows = [line.split("\t") for line in file.read_text("utf-8").splitlines()]
    return [(row[0], row[1]) for row in rows]
