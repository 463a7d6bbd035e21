"""Imported first by the server of processes: collecting garbage while torch loads is a quarter of the time it takes."""

import gc

gc.disable()  # `diagkit/child.py` enables it in every process
