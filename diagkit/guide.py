"""The pages that need no run: the procedure to follow, a page a check, and what names which fault."""

import inspect
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from diagkit.faults import vocabulary
from diagkit.judge import Check, checks
from diagkit.markdown import table
from diagkit.probes import probe_names
from diagkit.sources import builtin_root
from diagkit.stale import Block, Page
from diagkit.story import ASKED, QUESTIONS, Story

VALUES = builtin_root() / "benchmarks" / "values"  # written by benchmarks/zoo.py
HABITS = (
    "*Know your reference points:* the loss of guessing is ln C for C equally likely classes, and with dropout a "
    "healthy validation loss lies at or slightly below the training loss.",
    "*Keep a control:* a run that differs in nothing but the thing you suspect, with the same seeds.",
    "*Change one thing at a time:* two changes at once explain nothing, whichever way the score moves.",
)
SYMPTOMS = {
    "data": ("The loss falls and stops high; outputs have nothing to do with inputs.", "Realign or rebuild the data."),
    "learning": ("The loss is flat near that of guessing.", "Unfreeze, reattach, mend the optimizer or its schedule."),
    "wrong_thing": (
        "The validation loss lies above the training loss and the gap widens, or the score stops early.",
        "More data, regularization or early stopping; mend masks, shapes and the loss.",
    ),
    "measurement": ("Scores are too good for the outputs one reads.", "Split and deduplicate first, then score."),
    "environment": ("Two identical runs disagree.", "Eval mode, the same device, vocabulary and weights."),
}  # the tutorial's procedure
JAX = (
    ("find the first NaN", "`torch.autograd.detect_anomaly`", "`jax_debug_nans`"),
    ("check gradients numerically", "`torch.autograd.gradcheck`", "`jax.test_util.check_grads(order=2)`"),
    ("run line by line", "eager mode", "`jax_disable_jit`"),
    ("print and stop inside", "`print`, `breakpoint`", "`jax.debug.print`, `jax.debug.breakpoint`"),
    ("assert on values", "`assert`", "`jax.experimental.checkify`"),
)
COMPARISONS = "no single training shows it; `python -m diagkit.compare` names it where two sets of runs are compared"
Values = Mapping[str, Sequence[tuple[str, float, float]]]  # by check: program, value, threshold


def home(notice: str, stories: Sequence[Story]) -> Page:
    """Say which page answers what; the front of the site."""
    pages = [
        ("when-it-fails.md", "When it fails", f"{len(stories)} failures by their symptom, each planted and told"),
        ("procedure.md", "Five questions", "the way through a training of your own that does not learn"),
        ("faults.md", "Faults", f"the {len(vocabulary())} names a diagnosis uses, and which check gives them"),
        ("breakages.md", "Breakages", "what to plant, and which variable it changes"),
        ("detection.md", "What each check sees", "which failures are noticed, and which the score hides"),
        ("healthy-programs.md", "Healthy programs", "how often a check is wrong about them"),
        ("faulty-programs.md", "Faulty programs", "how many of their faults are named"),
    ]
    return [
        Block(notice),
        Block("# diagkit"),
        Block(
            "Break a healthy training on purpose, one variable at a time, and see which checks notice. And when your "
            "own model will not learn, let the same checks name the fault."
        ),
        Block(table(["page", "tells"], [[f"[{title}]({file})", what] for file, title, what in pages])),
        Block("Every figure on these pages was measured by the command that stands beside it."),
    ]


def procedure(notice: str) -> Page:
    """Tell how to go through the five questions with one's own model."""
    page = [
        Block(notice),
        Block("# Five questions, in this order"),
        Block(
            "A failure in one question makes everything below it meaningless, so ask in this order and stop at the "
            "first FAIL. `diagnose(...)` asks all of them of your own model, loaders, loss and optimizer; each check "
            "below says what it measures, against which threshold and why, and can be asked alone."
        ),
        Block(
            "```python\nfrom diagkit import diagnose\n\n"
            "print(diagnose(model=model, train=train_loader, val=val_loader, loss_fn=loss_fn, optimizer=optimizer, "
            'epochs=20))\nprint(diagnose(..., only=["data"]))  # one question, without training\n```'
        ),
    ]
    for number, question in enumerate(QUESTIONS, 1):
        symptom, fix = SYMPTOMS[question]
        rows = [[f"[{_title(its)}]({_place(its)})", _words(its.speaks_for)] for its in _of(question)]
        page += [
            Block(f"## {number}. {ASKED[question]}"),
            Block(f"**You see:** {symptom} **Then:** {fix}"),
            Block(table(["check", "faults it can name"], rows)),
        ]
    return [
        *page,
        Block("## Three habits"),
        Block("\n".join(f"- {habit}" for habit in HABITS)),
        Block("## In JAX"),
        Block("The questions are the same; these are the tools that stand in for PyTorch's."),
        Block(table(["to", "PyTorch", "JAX"], JAX)),
    ]


def faults(notice: str) -> Page:
    """List every fault with the checks that can name it, or why none can."""
    rows = []
    for name, fault in vocabulary().items():
        naming = [f"[{_title(its)}]({_place(its)})" for its in checks().values() if name in its.speaks_for]
        rows.append([f"`{name}`", fault.means, ", ".join(naming) or COMPARISONS])
    return [
        Block(notice),
        Block("# Faults, and what names them"),
        Block("The names a diagnosis may use, in the order of the five questions."),
        Block(table(["fault", "means", "named by"], rows)),
    ]


def check_pages(notice: str, stories: Sequence[Story]) -> dict[str, Page]:
    """Return a page per check, by its path below `docs/`."""
    healthy, faulty = values("healthy"), values("faulty")
    return {_place(its): _check(notice, its, stories, healthy, faulty) for its in checks().values()}


def values(zoo: str) -> Values:
    """Return what checks measured of the programs of a zoo; nothing where it was not kept."""
    file = VALUES / f"{zoo}.json"
    return json.loads(file.read_text("utf-8")) if file.is_file() else {}


def figure_name(check: str) -> str:
    """Return the file name of a check's figure."""
    return f"{check.replace('/', '-')}.svg"


def _check(notice: str, its: Check, stories: Sequence[Story], healthy: Values, faulty: Values) -> Page:
    title, _, rest = its.page.partition("\n")
    promised = [f"`{story.name}`" for story in stories if its.name in story.expect.fail]
    figure = f"![Healthy and faulty programs](../figures/checks/{figure_name(its.name)})"
    apart = (
        f"Runs of healthy programs: {len(healthy[its.name])}. Programs with a fault that this check speaks for: "
        f"{len(faulty.get(its.name, ()))}. The dashed line is the threshold (`python benchmarks/zoo.py`)."
        if its.name in healthy
        else ""
    )
    page = [
        Block(notice),
        Block(f"# {title}"),
        Block(f"`{its.name}`, question {QUESTIONS.index(its.question) + 1}: {ASKED[its.question]}"),
        Block(f"**Names:** {_words(its.speaks_for)}."),
        Block(f"**Planted by:** {', '.join(promised)}." if promised else ""),
        Block(_fenced(rest.strip())),
        Block("## Ask it alone"),
        Block(_calls(its)),
        Block("## How far healthy and faulty lie apart" if apart else ""),
        Block(f"{figure}\n\n{apart}" if apart else ""),
    ]
    return [block for block in page if block.text]


def _calls(its: Check) -> str:
    lines = [f"from {its.judge.__module__} import {its.judge.__name__}"]
    probes = [name for name in its.evidence if name in probe_names()]
    lines += [f"from diagkit.probes.{name} import {name}" for name in probes]
    others = [f"{name}=..." for name in its.evidence if name not in probes]
    asked = ", ".join([*(f"{name}({_arguments(name)})" for name in probes), *others])
    return "\n".join(["```python", *lines, "", f"print({its.judge.__name__}({asked}))", "```"])


def _arguments(probe: str) -> str:
    from diagkit.measure import probe as function

    parameters = inspect.signature(function(probe)).parameters.values()
    return ", ".join(f"{p.name}={p.name}" for p in parameters if p.default is inspect.Parameter.empty)


def _fenced(page: str) -> str:
    """Put the doctests of a page into code blocks."""
    lines: list[str] = []
    inside = False
    for line in page.split("\n"):
        if line.startswith(">>>") and not inside:
            lines, inside = [*lines, "```pycon"], True
        elif inside and not line:
            lines, inside = [*lines, "```"], False
        lines.append(line)
    return "\n".join([*lines, "```"] if inside else lines)


def _of(question: str) -> list[Check]:
    return [its for its in checks().values() if its.question == question]


def _title(its: Check) -> str:
    return its.name.partition("/")[2].replace("_", " ")


def _place(its: Check) -> str:
    return f"checks/{its.name.replace('/', '-')}.md"


def _words(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def written(folder: Path, check: str) -> Path:
    """Return where the figure of a check is written."""
    return folder / "figures" / "checks" / figure_name(check)
