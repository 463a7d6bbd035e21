"""The process of one run: what happens on its side of the pipe."""

import gc
import signal
import sys
import time
import traceback
import warnings
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from diagkit.mistake import Mistake, Refused
from diagkit.plan import Run
from diagkit.stages import execute, train

INTERVAL = 0.1  # seconds between two progress messages


def main(pipe: Connection, run: Run, folder: str, project: str, only_train: bool) -> None:
    """Execute a run, or its training alone, and send its progress and its outcome.

    Sends `("step", step, loss)` at times, `("warning", text)`, and at the end one `(status, text, details)`, where
    status is `done`, `mistake`, `refused` or `raised`.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to answer
    gc.freeze()  # else every collection walks all that the server has loaded: a fifth of the probes' time
    gc.enable()
    warnings.showwarning = lambda message, *_, **__: pipe.send(("warning", str(message)))  # not through the bar
    if project not in sys.path:
        sys.path.insert(0, project)  # the user's own data, models and losses
    pipe.send(_outcome(pipe, run, Path(folder), only_train))


def _outcome(pipe: Connection, run: Run, folder: Path, only_train: bool) -> tuple[str, str, str]:
    try:
        import torch

        torch.set_num_threads(run.config["runtime"]["threads"])
        if only_train:
            train(run.config, run.seed, run.keys, folder, _reporter(pipe))
        else:
            execute(run.config, run.seed, run.keys, folder, _reporter(pipe), run.probes)
    except Refused as reason:
        return "refused", str(reason), ""
    except Mistake as reason:
        return "mistake", str(reason), ""
    except BrokenPipeError:
        raise SystemExit(1) from None  # the parent is gone, and nobody waits for this run
    except Exception as error:
        return "raised", f"{type(error).__name__}: {error}", traceback.format_exc()
    return "done", "", ""


def _reporter(pipe: Connection) -> Any:
    last = 0.0

    def report(step: int, loss: float) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= INTERVAL:
            last = now
            pipe.send(("step", step, loss))

    return report
