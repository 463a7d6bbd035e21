"""How new processes begin: on a server that has torch loaded, 20 ms each."""

import atexit
import contextlib
import multiprocessing
import os
import re
import signal
from collections.abc import Iterable
from multiprocessing import forkserver
from multiprocessing.context import BaseContext

from diagkit import sources
from diagkit.probes import probe_names

PRELOADED = (
    "diagkit.uncollected",
    "torch",
    "torch._dynamo",  # which every optimizer imports
    "diagkit.build",
    "diagkit.measure",
    "diagkit.score",
)
OWN_TARGET = re.compile(r"_target_: (diagkit\.[\w.]+)\.\w+")


def context(recipes: Iterable[str] = ()) -> BaseContext:
    """Return forkserver, its server running or starting; spawn where there is none, 2 to 3 s a process.

    The server loads torch, the quick probes and, where the first call names recipes, their modules that are diagkit's
    own: a user's are loaded in the processes of the runs, where an error costs that run alone. Loading torch takes
    longer than composing, so a command calls this first.
    """
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    files = sources.names("recipe")
    texts = [sources.text_of(files[name]) for name in recipes if name in files]
    own = dict.fromkeys(module for text in texts for module in OWN_TARGET.findall(text))
    probes = [f"diagkit.probes.{name}" for name in probe_names(deep=False)]
    forkserver.set_forkserver_preload([*PRELOADED, *own, *probes])
    forkserver.ensure_running()
    atexit.register(_end_server)
    return multiprocessing.get_context("forkserver")


def _end_server() -> None:
    """End a server that may still be loading: it holds the command's output open, and a pipe would wait for it."""
    server = getattr(forkserver, "_forkserver", None)  # there is no public way to its process
    if pid := getattr(server, "_forkserver_pid", None):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
