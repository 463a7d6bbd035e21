"""One run: its stages, and the keys they are stored under.

data -> train -> evaluate -> probe. A key is a hash of what a stage depends on: its part of the config, the seed and
the code that computes it. So a breakage of the evaluation finds its control's training, and a second command
finds the first one's results. Nothing here imports torch until a run is executed.
"""

import copy
import functools
import io
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from diagkit import store
from diagkit.evidence import answered, merged
from diagkit.probes import probe_names

if TYPE_CHECKING:
    from torch import nn

    from diagkit.batches import Loss
    from diagkit.evidence.training import History
    from diagkit.examples import Splits
    from diagkit.subject import Evaluate, Subject

Settings = Mapping[str, Any]
Progress = Callable[[int, float], None]

DATA = {"train", "train_loader", "val", "pairs", "val_pairs", "pipeline", "task"}  # parts of a subject before any model
EVALUATION = {"evaluate", "evaluated_model", "test", "scores"}  # parts of a subject that depend on the evaluation
ASKED_ROWS, ASKED_HELD_OUT = 2000, 1000  # examples of training and validation that probes see
ASKED_SEQUENCES, ASKED_HELD_OUT_SEQUENCES = 320, 200  # of sequences, which cost more

NOTHING: dict[str, Any] = {"missing": {}, "raised": {}}  # evidence of no probe

TRAIN_SECTIONS = ("task", "data", "model", "loss", "optimizer", "schedule", "training", "sabotage", "runtime")
CODE = {
    "train": (
        "diagkit.build",
        "diagkit.examples",
        "diagkit.stages",
        "diagkit.sabotage",
        "diagkit.tasks.corpus",
        "diagkit.text",
        "diagkit.training",
    ),
    "evaluate": ("diagkit.score",),
    "probe": (
        "diagkit.batches",
        "diagkit.evidence",
        "diagkit.guard",
        "diagkit.measure",
        "diagkit.probes",
        "diagkit.rehearsal",
        "diagkit.subject",
        "diagkit.tables",
    ),
}
PACKAGES = {"train": ("numpy", "scikit-learn", "torch"), "evaluate": ("sacrebleu",)}  # that figures depend on


@dataclass(frozen=True)
class Keys:
    """The names of a run's stages in the store."""

    train: str
    evaluate: str
    data_evidence: str  # what probes find in the data alone
    training_evidence: str  # what they find without the evaluation
    probe: str


def keys(config: Settings, seed: int) -> Keys:
    """Return the keys of a resolved config at one seed."""
    code = code_versions(config)
    train = store.key(
        {
            "config": {section: config[section] for section in TRAIN_SECTIONS},
            "file": data_version(config),
            "seed": seed,
            "code": code["train"],
        }
    )
    evaluate = store.key(
        {
            "train": train,
            "config": {section: config[section] for section in ("score", "evaluation")},
            "code": code["evaluate"],
        }
    )
    data = store.key(
        {
            "config": {name: config[name] for name in ("task", "data")} | {"batch": config["training"]["batch_size"]},
            "file": data_version(config),
            "seed": seed,
            "code": store.code_versions([*CODE["train"], *modules(config, "data"), *PACKAGES["train"], *CODE["probe"]]),
        }
    )
    evidence = store.key({"train": train, "code": store.code_versions(CODE["probe"])})
    probe = store.key({"evaluate": evaluate, "evidence": evidence})
    return Keys(train, evaluate, data, evidence, probe)


def code_versions(config: Settings) -> dict[str, dict[str, str]]:
    """Return the versions of the code and packages that a run's training and evaluation are computed by."""
    train = [*CODE["train"], *modules(config, "data", "model", "loss", "optimizer"), *PACKAGES["train"]]
    evaluate = [*CODE["evaluate"], *modules(config, "score"), *PACKAGES["evaluate"]]
    return {"train": store.code_versions(train), "evaluate": store.code_versions(evaluate)}


def data_version(config: Settings) -> str | None:
    """Return a hash of the data file that a config names; None without one."""
    return store.file_version(config["data"].get("path"))


def modules(config: Settings, *sections: str) -> list[str]:
    """Return the modules whose functions some sections of a config name."""
    return [config[section]["_target_"].rpartition(".")[0] for section in sections]


def finished(folder: Path, its: Keys, names: Collection[str]) -> dict[str, Any] | None:
    """Return what some probes found in a run, as plain data; None when one of them has not been asked yet."""
    stored = _stored(folder, its)
    if not set(names) <= answered(stored) or "scores" not in stored:
        return None
    others = set(probe_names()) - set(names)
    left_out = {"missing": dict.fromkeys(others, "it takes long and is asked with deep=true"), "raised": {}}
    return merged({name: its for name, its in stored.items() if name not in others}, left_out)


def _stored(folder: Path, its: Keys) -> dict[str, Any]:
    """Return all that was ever measured in a run."""
    parts = [store.read_json(file) or NOTHING for file in _files(folder, its).values()]
    return functools.reduce(merged, parts, NOTHING)


def _files(folder: Path, its: Keys) -> dict[str, Path]:
    """Return where evidence is: that of the data serves all runs on it, that of a training all of its evaluations."""
    return {
        "data": folder / "evidence" / f"{its.data_evidence}.json",
        "training": folder / "evidence" / f"{its.training_evidence}.json",
        "evaluation": folder / "probe" / f"{its.probe}.json",
    }


def is_asked(folder: Path, its: Keys) -> bool:
    """Return whether the training of a run and what probes found in it are stored."""
    return _files(folder, its)["training"].is_file()


def is_trained(folder: Path, its: Keys) -> bool:
    """Return whether the training of a run is stored."""
    return all((folder / "train" / f"{its.train}{ending}").is_file() for ending in (".pt", ".json"))


def train(config: Settings, seed: int, its: Keys, folder: Path, progress: Progress) -> None:
    """Train the model of a run and store it, unless it is stored already.

    Args and progress are those of `execute`, which finds the training and goes on from there.
    """
    _trained(config, seed, its, folder, progress)


def execute(config: Settings, seed: int, its: Keys, folder: Path, progress: Progress, names: Collection[str]) -> None:
    """Compute and store the stages of a run that are not stored yet.

    Args:
        config: the resolved sections of `schema.EXPERIMENT`.
        its: the keys to store under, from whoever planned the run: the code may be edited meanwhile.
        folder: the store.
        progress: told the step and loss while training.
        names: of the probes that are asked.
    """
    from diagkit import build

    splits, model, trained, history = _trained(config, seed, its, folder, progress)
    evaluated = build.loaded(config, model, trained)
    subject = _subject(config, splits, model, trained, history, evaluated)
    build.seed_everything(seed)
    scores = _scores(config, splits, evaluated, subject.loss_fn, folder / "evaluate" / f"{its.evaluate}.json")
    build.seed_everything(seed)
    files = _files(folder, its)
    found = _evidence(subject, files, names)
    found["evaluation"] |= {"scores": scores, "notes": list(splits.notes)}
    for part, file in files.items():
        store.write_json(file, found[part])


def _evidence(subject: "Subject", files: Mapping[str, Path], names: Collection[str]) -> dict[str, dict[str, Any]]:
    """Ask the probes that were not asked yet, and return all evidence of each file."""
    from diagkit.measure import measure

    found = {}
    for part, file in files.items():
        stored = store.read_json(file) or NOTHING
        new = [name for name in names if _part(name) == part and name not in answered(stored)]
        its = replace(subject, history=None) if part == "data" else subject
        found[part] = merged(stored, measure(its, new))
    return found


def _part(name: str) -> str:
    """Return what a probe depends on: the data alone, the training, or also the evaluation."""
    from diagkit.measure import needs
    from diagkit.subject import Subject

    parts = needs(name) & {field.name for field in fields(Subject)}
    return "evaluation" if parts & EVALUATION else "data" if parts <= DATA else "training"


def _trained(
    config: Settings, seed: int, its: Keys, folder: Path, progress: Progress
) -> tuple["Splits", "nn.Module", "nn.Module", "History"]:
    """Return the data, the untrained and the trained model, and what was recorded while training."""
    from diagkit import build

    build.seed_everything(seed)
    splits = build.splits(config).to(config["runtime"]["device"])
    model = build.model(config, splits)
    return splits, model, *_train(config, seed, splits, model, folder / "train" / its.train, progress)


def _train(
    config: Settings, seed: int, splits: "Splits", model: "nn.Module", place: Path, progress: Progress
) -> tuple["nn.Module", "History"]:
    """Train a copy of the model, or load the weights of an earlier training with the same key."""
    import torch

    from diagkit import build, training
    from diagkit.evidence import from_plain, to_plain
    from diagkit.examples import Batches

    trained = copy.deepcopy(model)
    stored = store.read_json(place.with_suffix(".json"))
    if stored is not None and place.with_suffix(".pt").is_file():
        trained.load_state_dict(torch.load(place.with_suffix(".pt"), weights_only=True))
        history: History = from_plain("history", stored)
        return trained, history
    build.seed_everything(seed)
    optimizer = build.optimizer(config, trained)
    budget = {name: config["training"][name] for name in ("steps", "batch_size", "evaluate_every", "clip_norm")}
    history = training.train(
        trained,
        splits.train,
        Batches(splits.val, config["training"]["batch_size"]),
        build.loss(config),
        optimizer,
        build.schedule(config, optimizer),
        **budget,
        seed=seed,
        progress=progress,
    )
    weights = io.BytesIO()
    torch.save(trained.state_dict(), weights)
    store.write(place.with_suffix(".pt"), weights.getvalue())
    store.write_json(place.with_suffix(".json"), to_plain(history))
    return trained, history


def _subject(
    config: Settings,
    splits: "Splits",
    model: "nn.Module",
    trained: "nn.Module",
    history: "History",
    evaluated: "nn.Module",
) -> "Subject":
    from diagkit import build
    from diagkit.examples import Batches
    from diagkit.subject import Subject

    size = config["training"]["batch_size"]
    asked = (ASKED_ROWS, ASKED_HELD_OUT) if splits.train.pad is None else (ASKED_SEQUENCES, ASKED_HELD_OUT_SEQUENCES)
    test = build.contaminated(splits, config["evaluation"]["test_overlap"])
    return Subject(
        model=model,
        train=Batches(splits.train.first(asked[0]), size, by_length=False),
        val=Batches(splits.val.first(asked[1]), size),
        train_loader=Batches(splits.train, size, by_length=False),
        test=Batches(test, size),
        loss_fn=build.loss(config),
        optimizer=build.optimizer(config, model),
        task=config["task"],
        trained_model=trained,
        evaluated_model=evaluated,
        history=history,
        evaluate=_evaluation(config, splits),
        pipeline=splits.pipeline,
        pairs=splits.train.texts or None,
        val_pairs=splits.val.texts or None,
    )


def _evaluation(config: Settings, splits: "Splits") -> "Evaluate":
    """Return the evaluation that the config describes: the loss and the score of some batches."""
    from diagkit import build
    from diagkit.training import mean_loss

    score = build.target(config["score"])

    def evaluate(model: "nn.Module", batches: Any) -> dict[str, Any]:
        model.train(config["evaluation"]["mode"] == "train")
        loss = mean_loss(model, batches, build.loss(config))
        return {"loss": loss, "score": score(model, batches.examples, splits).value}

    return evaluate


def _scores(config: Settings, splits: "Splits", model: "nn.Module", loss_fn: "Loss", place: Path) -> dict[str, Any]:
    """Score the test set and take the validation loss, as the config says, or read what is stored."""
    from diagkit import build
    from diagkit.evidence import to_plain
    from diagkit.evidence.training import Scores
    from diagkit.examples import Batches
    from diagkit.training import mean_loss

    stored = store.read_json(place)
    if stored is not None:
        return stored
    model.train(config["evaluation"]["mode"] == "train")
    val_loss = mean_loss(model, Batches(splits.val, config["training"]["batch_size"]), loss_fn)
    test = build.contaminated(splits, config["evaluation"]["test_overlap"])
    score = build.call(config["score"], model, test, splits)
    scores = to_plain(
        Scores(
            metric=score.metric,
            value=score.value,
            val_loss=val_loss,
            extra=score.extra,
            signature=score.signature,
            statistics=score.statistics,
            outputs=score.outputs,
            truths=score.truths
            or [truth for _, truth in test.texts]
            or [splits.name_of(value) for value in test.targets.tolist()],
            inputs=score.inputs
            or [source for source, _ in test.texts]
            or [f"test example {row}" for row in range(len(test))],
        )
    )
    store.write_json(place, scores)
    return scores
