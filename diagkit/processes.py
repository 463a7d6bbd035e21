"""How new processes begin: on a server that has torch loaded, 20 ms each."""

import atexit
import contextlib
import multiprocessing
import os
import signal
from multiprocessing import forkserver
from multiprocessing.context import BaseContext

from diagkit.probes import probe_names
from diagkit.stages import Settings, modules

PRELOADED = ("torch", "torch._dynamo", "diagkit.build", "diagkit.measure", "diagkit.score")  # dynamo: by optimizers


def context(config: Settings) -> BaseContext:
    """Return forkserver, its server already starting; spawn where there is none, 2 to 3 s a process.

    The server loads torch, the quick probes and the modules of a recipe that are diagkit's own: a user's are loaded in
    the processes of the runs, where an error costs that run alone.
    """
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    chosen = multiprocessing.get_context("forkserver")
    own = [module for module in modules(config) if module.startswith("diagkit.")]
    chosen.set_forkserver_preload([*PRELOADED, *own, *(f"diagkit.probes.{name}" for name in probe_names(deep=False))])
    forkserver.ensure_running()
    atexit.register(_end_server)
    return chosen


def _end_server() -> None:
    """End a server that may still be loading: it holds the command's output open, and a pipe would wait for it."""
    server = getattr(forkserver, "_forkserver", None)  # there is no public way to its process
    if pid := getattr(server, "_forkserver_pid", None):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
