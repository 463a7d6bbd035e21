"""How new processes begin: on a server that has torch loaded, 20 ms each."""

import multiprocessing
from multiprocessing.context import BaseContext

from diagkit.probes import probe_names

PRELOADED = ("torch", "torch._dynamo", "diagkit.build", "diagkit.measure", "diagkit.score")  # dynamo: by optimizers


def context() -> BaseContext:
    """Return forkserver with torch and the quick probes preloaded; spawn where there is none, 2 to 3 s a process."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    chosen = multiprocessing.get_context("forkserver")
    chosen.set_forkserver_preload([*PRELOADED, *(f"diagkit.probes.{name}" for name in probe_names(deep=False))])
    return chosen
