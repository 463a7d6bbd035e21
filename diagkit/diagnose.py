"""`python -m diagkit.diagnose my_project.train:build`: the diagnosis from the shell."""

import argparse
import sys
import traceback
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from diagkit.mistake import Mistake

HEALTHY, FAULTS, UNUSABLE = 0, 1, 2


class _Callable(ModuleType):
    """Importing this module takes the name of the function `diagkit.diagnose`, so the module can be called too."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        from diagkit.examine import diagnose

        return diagnose(*args, **kwargs)


sys.modules[__name__].__class__ = _Callable


def main(argv: list[str] | None = None) -> int:
    """Diagnose what a function returns, print the answers, and return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m diagkit.diagnose",
        description="Examine a training and name its faults. Exit status: 0 healthy, 1 faults, 2 unusable.",
    )
    parser.add_argument("build", metavar="MODULE:FUNCTION", help="returns the keyword arguments of diagkit.diagnose")
    parser.add_argument("--save", metavar="FILE", help="write the diagnosis as JSON, a baseline for later")
    parser.add_argument("--baseline", metavar="FILE", help="a saved diagnosis; what fails there too is accepted")
    options = parser.parse_args(argv)
    try:
        return _diagnose(options.build, options.save, options.baseline)
    except Mistake as mistake:
        print(mistake, file=sys.stderr)
        return UNUSABLE


def _diagnose(name: str, save: str | None, baseline: str | None) -> int:
    from diagkit.examine import diagnose

    arguments = _arguments(name)
    if baseline:
        arguments["baseline"] = baseline
    try:
        diagnosis = diagnose(**arguments)
    except TypeError as error:
        raise Mistake(f"{name} must return the keyword arguments of diagkit.diagnose: {error}") from error
    print(diagnosis)
    if save:
        diagnosis.save(save)
    return HEALTHY if diagnosis else FAULTS


def _arguments(name: str) -> dict[str, Any]:
    module, _, function = name.partition(":")
    sys.path.insert(0, str(Path.cwd()))
    try:
        build = getattr(import_module(module), function or "build")
    except (ImportError, AttributeError, ValueError) as error:
        raise Mistake(f"{name} must be MODULE:FUNCTION, importable from this folder: {error}") from error
    try:
        arguments = build()
    except Exception as error:
        traceback.print_exc()
        raise Mistake(f"{name} raised {type(error).__name__}: {error}") from error
    if not isinstance(arguments, dict):
        raise Mistake(f"{name} must return a dict of keyword arguments, got a {type(arguments).__name__}")
    return arguments


if __name__ == "__main__":
    raise SystemExit(main())
