"""Many runs side by side, each in a process of its own: what one does to itself costs that run alone."""

import contextlib
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, replace
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from pathlib import Path

from joblib import Parallel, delayed

from diagkit import child, processes
from diagkit.plan import Chain, Run
from diagkit.stages import finished, is_asked, is_trained

Watch = Callable[..., None]  # of a run, what happens, and details; see `execute`


@dataclass(frozen=True)
class Outcome:
    """How a run ended.

    Attributes:
        status: `kept` (it was stored already), `done`, `raised`, `died`, `refused` or `mistake`.
        reason: one sentence where it did not end well.
        details: the traceback of one that raised.
        seconds: of the process that scored and asked it.
        training: seconds of the process that trained it before; that of several runs is counted with the first.
    """

    run: Run
    status: str
    reason: str = ""
    details: str = ""
    seconds: float = 0.0
    training: float = 0.0

    @property
    def usable(self) -> bool:
        """Whether there is evidence of it."""
        return self.status in ("kept", "done")


def execute(chains: list[Chain], folder: Path, jobs: int, watch: Watch) -> Generator[Outcome, None, None]:
    """Execute the runs that are not stored yet and yield every run's outcome as it ends.

    The threads only wait for their processes, so joblib's threading backend serves: a process that dies does not take
    the pool with it.

    Args:
        folder: the store.
        jobs: runs side by side.
        watch: told from other threads `(run, "step", step, loss)` now and then, `(run, "warning", text)`, `(run,
            "trained")` and `(run, "asked for its figures")`.
    """
    todo: list[Chain] = []
    for chain in chains:
        kept = [run for run in chain if finished(folder, run.keys, run.probes) is not None]
        yield from (Outcome(run, "kept") for run in kept)
        rest = tuple(run for run in chain if run not in kept)
        if rest and is_asked(folder, rest[0].keys):
            todo += [(run,) for run in rest]  # nothing is left to wait for
        elif rest:
            todo.append(rest)
    if todo:
        yield from _in_processes(todo, folder, jobs, watch)


def _in_processes(todo: list[Chain], folder: Path, jobs: int, watch: Watch) -> Generator[Outcome, None, None]:
    """Train everything first and ask afterwards, the shortest last, so that no core idles; alone, run by run."""
    lanes = _Lanes(folder, processes.context(), watch, set(), threading.Event())
    trained, asked = ({chain[0].keys.train: threading.Event() for chain in todo} for _ in range(2))
    failed: set[str] = set()
    spent: dict[str, float] = {}  # seconds of each training

    def train(run: Run) -> list[Outcome]:
        outcome = _one(run, lanes, only_train=True)
        watch(run, "trained")
        if not outcome.usable:
            failed.add(run.keys.probe)
        spent[run.keys.train] = outcome.seconds
        trained[run.keys.train].set()
        return [] if outcome.usable else [outcome]

    def ask(run: Run) -> list[Outcome]:
        trained[run.keys.train].wait()
        watch(run, "asked for its figures")
        outcomes = [] if run.keys.probe in failed else [_one(run, lanes)]
        asked[run.keys.train].set()
        return [replace(outcome, training=spent.pop(run.keys.train, 0.0)) for outcome in outcomes]

    def ask_of_evaluation(run: Run) -> list[Outcome]:
        asked[run.keys.train].wait()  # what is found in the training is found once
        return ask(run)

    parallel = Parallel(
        n_jobs=jobs, backend="threading", return_as="generator_unordered", pre_dispatch="n_jobs", batch_size=1
    )
    order: list[tuple[Callable[[Run], list[Outcome]], Run]] = []
    for first, *others in todo:
        if is_trained(folder, first.keys):
            trained[first.keys.train].set()
        else:
            order.append((train, first))
        order += [(ask, first), *((ask_of_evaluation, run) for run in others)]
    if jobs > 1:
        order.sort(key=lambda work: (train, ask, ask_of_evaluation).index(work[0]))
    ended = parallel(delayed(work)(run) for work, run in order)
    try:
        for outcomes in ended:
            yield from outcomes
    finally:  # also when the consumer stops early or Ctrl-C arrives
        lanes.stopping.set()
        for process in list(lanes.living):
            process.kill()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # joblib's advice to read to the end
            ended.close()


@dataclass(frozen=True)
class _Lanes:
    """What the processes of one command share."""

    folder: Path
    context: BaseContext
    watch: Watch
    living: set[BaseProcess]
    stopping: threading.Event


def _one(run: Run, lanes: _Lanes, only_train: bool = False) -> Outcome:
    receiver, sender = lanes.context.Pipe(duplex=False)
    arguments = (sender, run, str(lanes.folder), str(Path.cwd()), only_train)
    process = lanes.context.Process(target=child.main, args=arguments, daemon=False)  # type: ignore[attr-defined]
    if lanes.stopping.is_set():
        return Outcome(run, "died", "stopped before it began")
    began = time.perf_counter()
    with _without_interrupt(), _without_main():
        process.start()
        lanes.living.add(process)
    sender.close()
    end = ("died", "", "")
    with contextlib.suppress(EOFError, OSError):
        while (message := receiver.recv())[0] in ("step", "warning"):
            lanes.watch(run, *message)
        end = message
    process.join()
    lanes.living.discard(process)
    seconds = time.perf_counter() - began
    if end[0] == "died":
        return Outcome(run, "died", _exit(process.exitcode), seconds=seconds)
    return Outcome(run, *end, seconds=seconds)


def _exit(code: int | None) -> str:
    if code is not None and code < 0:
        return f"its process died of {signal.Signals(-code).name}"
    return f"its process ended with exit status {code}"


@contextlib.contextmanager
def _without_interrupt() -> Iterator[None]:
    """Hold Ctrl-C back until a new process is known: one that nobody kills would be waited for at the end."""
    held = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, held)


_main_lock = threading.Lock()


@contextlib.contextmanager
def _without_main() -> Iterator[None]:
    """Keep a new process from importing the caller's script again, which would train without end unless guarded."""
    main = sys.modules["__main__"]
    names = ("__spec__", "__file__")
    with _main_lock:
        kept = {name: getattr(main, name) for name in names if hasattr(main, name)}
        try:
            main.__spec__ = None
            if "__file__" in kept:
                del main.__file__
            yield
        finally:
            for name, value in kept.items():
                setattr(main, name, value)


def count(outcomes: Iterable[Outcome], status: str) -> int:
    """Return how many ended in one way."""
    return sum(outcome.status == status for outcome in outcomes)
