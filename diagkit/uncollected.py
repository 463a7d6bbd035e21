"""Imported first by the server of processes, for the time in which it loads.

Loading torch makes no garbage, so looking for it only takes time; and Ctrl-C is the command's to answer.
"""

import gc
import signal

gc.disable()  # `diagkit/child.py` enables it in every process
signal.signal(signal.SIGINT, signal.SIG_IGN)
