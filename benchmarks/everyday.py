"""Nine everyday bugs, eleven variants, in one small program, and its two healthy controls.

The program: MLP 64-256-256-10 with ReLU on scikit-learn's digits (inputs / 16, 80:20 stratified), Adam 1e-3,
batch 16, 5 epochs = 450 steps. The 20 % are cut in half, again stratified: 180 for validation, 180 for the test.

    python benchmarks/everyday.py [--seeds 5]

Prints a Markdown table: for every bug whether the diagnosis names it first and all that it says, then what it
says about the healthy controls over several seeds.
"""

import argparse
from collections.abc import Callable, Iterable
from typing import Any

import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import Tensor, nn
from torch.utils.data import DataLoader, TensorDataset

EPOCHS, BATCH, TINY = 5, 16, 30

BUGS: dict[str, tuple[str, str]] = {
    "1": ("learning rate 0", "zero_learning_rate"),
    "2": ("first layer frozen, still in the optimizer", "frozen_parameters"),
    "2b": ("first layer missing from the optimizer", "parameters_not_in_optimizer"),
    "3": ("training labels shuffled", "misaligned_targets, label_noise"),
    "4": ("30 training samples, 10 steps", "overfitting, undertrained"),
    "4b": ("30 training samples, 450 steps", "overfitting"),
    "5": ("evaluated in train mode, dropout 0.5", "evaluation_in_train_mode"),
    "6": ("half of the test set in training", "contaminated_test"),
    "7": ("softmax before cross entropy", "double_softmax"),
    "8": ("zero_grad missing", "missing_zero_grad"),
    "9": ("inputs times 1000", "unnormalized_inputs"),
}
CONTROLS = ("healthy", "healthy_dropout")


def network(dropout: float, end: list[nn.Module]) -> nn.Sequential:
    layers: list[nn.Module] = []
    for width_in in (64, 256):
        layers += [nn.Linear(width_in, 256), nn.ReLU(), *([nn.Dropout(dropout)] if dropout else [])]
    return nn.Sequential(*layers, nn.Linear(256, 10), *end)


@torch.no_grad()
def accuracy(model: nn.Module, batches: Iterable[tuple[Tensor, Tensor]]) -> dict[str, float]:
    hits = [(model(x).argmax(dim=1) == y).float() for x, y in batches]
    return {"accuracy": torch.cat(hits).mean().item()}


def evaluate_as_left(model: nn.Module, batches: Iterable[tuple[Tensor, Tensor]]) -> dict[str, float]:
    model.train()  # what a training loop leaves behind when nobody calls eval()
    return accuracy(model, batches)


def evaluate_in_eval_mode(model: nn.Module, batches: Iterable[tuple[Tensor, Tensor]]) -> dict[str, float]:
    model.eval()
    return accuracy(model, batches)


def step_without_zero_grad(
    model: nn.Module,
    batch: tuple[Tensor, Tensor],
    loss_fn: Callable[[Tensor, Tensor], Tensor],
    optimizer: torch.optim.Optimizer,
) -> float:
    inputs, targets = batch
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    optimizer.step()
    return loss.item()


def build(bug: str, seed: int = 0) -> dict[str, Any]:
    """The keyword arguments of `diagkit.diagnose` for one bug or control."""
    if bug not in BUGS and bug not in CONTROLS:
        raise ValueError(f"bug {bug!r} is not one of {', '.join([*BUGS, *CONTROLS])}")
    digits = load_digits()
    inputs = torch.tensor(digits.data, dtype=torch.float32) / 16
    targets = torch.tensor(digits.target)
    train_ids, held_out = train_test_split(
        torch.arange(len(inputs)), test_size=0.2, stratify=targets, random_state=seed
    )
    val_ids, test_ids = train_test_split(held_out, test_size=0.5, stratify=targets[held_out], random_state=seed)

    generator = torch.Generator().manual_seed(seed)
    if bug in ("4", "4b"):
        train_ids = train_ids[:TINY]
    if bug == "6":
        train_ids = torch.cat([train_ids, test_ids[: len(test_ids) // 2]])
    train_targets = targets[train_ids]
    if bug == "3":
        train_targets = train_targets[torch.randperm(len(train_targets), generator=generator)]
    if bug == "9":
        inputs = inputs * 1000

    torch.manual_seed(seed)
    with_dropout = bug in ("5", "healthy_dropout")
    model = network(0.5 if with_dropout else 0.0, [nn.Softmax(dim=1)] if bug == "7" else [])
    if bug == "2":
        model[0].requires_grad_(False)
    owned = model[1:] if bug == "2b" else model
    case: dict[str, Any] = {
        "model": model,
        "train": DataLoader(TensorDataset(inputs[train_ids], train_targets), BATCH, shuffle=True, generator=generator),
        "val": DataLoader(TensorDataset(inputs[val_ids], targets[val_ids]), BATCH),
        "test": DataLoader(TensorDataset(inputs[test_ids], targets[test_ids]), BATCH),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.Adam(owned.parameters(), lr=0.0 if bug == "1" else 1e-3),
        "epochs": 225 if bug == "4b" else EPOCHS,
        "task": "classification",
    }
    if with_dropout:
        case["evaluate"] = evaluate_as_left if bug == "5" else evaluate_in_eval_mode
    if bug == "8":
        case["train_step"] = step_without_zero_grad
    return case


def causes(bug: str, seed: int) -> list[str]:
    from diagkit import diagnose  # late: the table of bugs is of use without it

    return [str(cause) for cause in diagnose(**build(bug, seed)).causes]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5, help="how often the healthy controls are diagnosed")
    options = parser.parse_args()
    torch.set_num_threads(1)

    print("| id | bug | named first? | causes |\n|---|---|---|---|")
    first = named = 0
    for bug, (description, accepted) in BUGS.items():
        found, fair = causes(bug, seed=0), accepted.split(", ")
        is_first, is_named = found[:1] != [] and found[0] in fair, bool(set(found[:3]) & set(fair))
        first, named = first + is_first, named + is_named
        verdict = "yes" if is_first else "later" if is_named else "no"
        print(f"| {bug} | {description} | {verdict} | {', '.join(found) or '-'} |", flush=True)
    print(f"\n{first} of {len(BUGS)} named first, {named} among the first three.")

    print("\n| control | seed | causes |\n|---|---|---|")
    alarms = 0
    for control in CONTROLS:
        for seed in range(options.seeds):
            found = causes(control, seed)
            alarms += bool(found)
            print(f"| {control} | {seed} | {', '.join(found) or '-'} |", flush=True)
    print(f"\n{alarms} false alarms in {options.seeds * len(CONTROLS)} healthy runs.")


if __name__ == "__main__":
    main()
