"""`diagnose` on live objects: what it says, and that it leaves no trace."""

import copy
from pathlib import Path
from typing import Any

import pytest
import torch
from conftest import Command
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

import diagkit
from diagkit.mistake import Mistake


def build(freeze: bool = False) -> dict[str, Any]:
    """Return a small healthy training, or one whose first layer is frozen."""
    torch.manual_seed(0)
    x = torch.randn(400, 6)
    y = (x[:, 0] + 0.5 * x[:, 1] > 0).long()
    model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 2))
    if freeze:
        model[0].requires_grad_(False)
    generator = torch.Generator().manual_seed(1)
    return {
        "model": model,
        "train": DataLoader(TensorDataset(x[:300], y[:300]), 32, shuffle=True, generator=generator),
        "val": DataLoader(TensorDataset(x[300:350], y[300:350]), 50),
        "test": DataLoader(TensorDataset(x[350:], y[350:]), 50),
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.Adam(model.parameters(), lr=1e-2),
        "epochs": 8,
    }


@pytest.mark.slow
def test_a_healthy_training_is_healthy() -> None:
    diagnosis = diagkit.diagnose(**build())
    assert diagnosis, str(diagnosis)
    assert diagnosis.causes == ()
    assert "Nothing wrong was found." in str(diagnosis)


@pytest.mark.slow
def test_a_frozen_layer_is_named_with_its_fix() -> None:
    diagnosis = diagkit.diagnose(**build(freeze=True))
    assert not diagnosis
    assert diagnosis.causes[0] == "frozen_parameters"
    assert "0.weight" in str(diagnosis)
    assert "fix: " in str(diagnosis)
    meant = diagkit.diagnose(**build(freeze=True), expected_frozen=["0.*"])
    assert "frozen_parameters" not in meant.causes


@pytest.mark.slow
def test_everything_is_as_it_was() -> None:
    its = build()
    model, optimizer = its["model"], its["optimizer"]
    nn.functional.cross_entropy(model(torch.randn(4, 6)), torch.tensor([0, 1, 0, 1])).backward()
    optimizer.step()
    model.eval()
    model[2].train()
    gradients = [p.grad for p in model.parameters()]
    values = copy.deepcopy(
        (model.state_dict(), optimizer.state_dict(), [g.clone() for g in gradients if g is not None])
    )
    modes = [module.training for module in model.modules()]
    generator, mine = torch.get_rng_state(), its["train"].generator.get_state()
    diagkit.diagnose(**its, budget=20)
    assert [p.grad for p in model.parameters()] == gradients
    assert [module.training for module in model.modules()] == modes
    assert torch.equal(torch.get_rng_state(), generator)
    assert torch.equal(its["train"].generator.get_state(), mine)
    after = (model.state_dict(), optimizer.state_dict(), gradients)
    assert str(after) == str(values)
    assert not any(module._forward_hooks or module._forward_pre_hooks for module in model.modules())


def test_only_asks_what_it_is_told_to() -> None:
    diagnosis = diagkit.diagnose(**build(), only=["learning/optimizer_owns_all_parameters"])
    assert [finding.check for finding in diagnosis.findings] == ["learning/optimizer_owns_all_parameters"]
    assert list(diagnosis.frame()["verdict"]) == ["PASS"]
    assert "optimizer owns all parameters" in diagnosis.to_markdown()
    assert "<table>" in diagnosis._repr_html_()


def test_a_saved_diagnosis_is_a_baseline(tmp_path: Path) -> None:
    only = ["learning/gradients_reach_all_parameters"]
    first = diagkit.diagnose(**build(freeze=True), only=only)
    first.save(tmp_path / "baseline.json")
    assert not first
    assert diagkit.diagnose(**build(freeze=True), only=only, baseline=tmp_path / "baseline.json")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"task": "clasification"}, "task must be one of"),
        ({"scheduler_interval": "batch"}, "scheduler_interval is step or epoch"),
        ({"only": ["learning/loss_goes_dwn"]}, "did you mean learning/loss_goes_down"),
        ({"budget": -1}, "budget must be positive"),
        ({"train": []}, "train must hold at least one batch"),
        ({"baseline": "nowhere.json"}, "baseline must be a diagnosis or the path of a saved one"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_wrong_argument_gets_one_sentence(words: dict[str, Any], sentence: str) -> None:
    with pytest.raises(Mistake, match=sentence):
        diagkit.diagnose(**{**build(), "only": ["learning/optimizer_owns_all_parameters"], **words})


def test_the_shell_says_what_it_cannot_use(command: Command) -> None:
    done = command("nowhere:build", module="diagkit.diagnose")
    assert done.returncode == 2
    assert "nowhere:build must be MODULE:FUNCTION" in done.stderr


def test_importing_the_module_does_not_hide_the_function() -> None:
    import diagkit.diagnose

    assert callable(diagkit.diagnose)


def test_a_predict_for_inference_alone_does_not_train():
    torch.manual_seed(0)
    x = torch.randn(300, 4)
    batches = [(part, part[:, :3].argmax(1)) for part in x.split(30)]
    model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3))

    @torch.no_grad()
    def predict(its, inputs):
        return its.eval()(inputs).softmax(1)

    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    loss = nn.CrossEntropyLoss()
    diagnosis = diagkit.diagnose(model, batches, loss, optimizer, epochs=5, predict=predict, only=["learning"])
    assert "detached_graph" not in diagnosis.causes


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 3)

    def forward(self, pair):
        return self.linear(torch.cat(pair, 1))


def test_a_model_that_takes_a_tuple_gets_it_and_an_empty_validation_is_none():
    torch.manual_seed(0)
    x = torch.randn(200, 4)
    batches = [((part, part), part[:, :3].argmax(1)) for part in x.split(20)]
    model = Pair()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    diagnosis = diagkit.diagnose(model, batches, nn.CrossEntropyLoss(), optimizer, val=[], epochs=20)
    assert "environment/a_step_runs" in [f.check for f in diagnosis.findings if f.verdict.value == "PASS"]
    assert not [f.text for f in diagnosis.findings if f.verdict.value == "ERROR"]


@pytest.mark.filterwarnings("ignore")  # of torch.compile's own imports
def test_a_compiled_model_is_asked_as_it_was_written():
    torch.manual_seed(0)
    x = torch.randn(200, 4)
    batches = [(part, part[:, :3].argmax(1)) for part in x.split(20)]
    model = nn.Linear(4, 3)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    compiled = torch.compile(model)
    diagnosis = diagkit.diagnose(compiled, batches, nn.CrossEntropyLoss(), optimizer, epochs=2, only=["learning"])
    assert "parameters_not_in_optimizer" not in diagnosis.causes
