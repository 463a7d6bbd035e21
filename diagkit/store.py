"""Results on disk: one file per stage of a run, under the key of what it depends on.

A file is written beside its place and moved there, so it is whole or absent, and an old result survives a full disk.
"""

import contextlib
import hashlib
import importlib.metadata
import importlib.util
import json
import os
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from diagkit.mistake import Mistake


def key(parts: object) -> str:
    """Return a short key of anything JSON can hold; the order of dict entries does not matter."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:20]


@cache
def code_version(module: str) -> str:
    """Return a hash of a module's source (of a package: of all its files), or the version of an installed package.

    The module itself is not imported, but the packages it lies in are.
    """
    top = module.partition(".")[0]
    if top != "diagkit":
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            return f"{top} {importlib.metadata.version(top)}"
        for distribution in importlib.metadata.packages_distributions().get(top, []):  # slow: reads all there are
            return f"{distribution} {importlib.metadata.version(distribution)}"
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        raise Mistake(f"no module named {module!r} can be found for the _target_ of this recipe")
    origin = Path(spec.origin)
    files = sorted(origin.parent.rglob("*.py")) if spec.submodule_search_locations else [origin]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:20]


def code_versions(modules: Iterable[str]) -> dict[str, str]:
    """Return the version of every module."""
    return {module: code_version(module) for module in sorted(set(modules))}


def file_version(path: str | None) -> str | None:
    """Return a hash of a data file's content; None without a path or a readable file."""
    try:
        return _file_version(path, Path(path).stat().st_mtime_ns) if path else None
    except OSError:
        return None  # the run that reads it says what is wrong


@cache
def _file_version(path: str, changed: int) -> str:
    """Read a file once for all runs, and again when it was `changed`."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:20]


def make_folder(folder: Path) -> None:
    """Make a folder and those above it.

    Raises:
        Mistake: it cannot be made or written to.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise Mistake(
            f"cannot write to {folder}: {error.strerror}; choose another folder (store=, hydra.run.dir=)"
        ) from error


def write(path: Path, content: bytes) -> None:
    """Write a file whole or not at all.

    Raises:
        Mistake: it cannot be written; what was there before stays.
    """
    temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".", delete=False) as file:
            temporary = Path(file.name)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(0o644)  # a temporary file is its owner's alone
        temporary.replace(path)
    except OSError as error:
        if temporary:
            temporary.unlink(missing_ok=True)
        raise Mistake(
            f"cannot write {path}: {error.strerror}; free space or choose another folder with store=FOLDER"
        ) from error


def write_json(path: Path, content: dict[str, Any]) -> None:
    """Write a dict; see `write`."""
    write(path, json.dumps(content).encode())


def read_json(path: Path) -> dict[str, Any] | None:
    """Return what was written, None where nothing usable is."""
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return content if isinstance(content, dict) else None
