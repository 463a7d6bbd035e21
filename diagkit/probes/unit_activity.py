"""Do the units of a trained model fire, and do they leave room?

Every relu, sigmoid and tanh of a forward pass is seen, called as a module or as a function, over hundreds of examples
in eval mode. A unit of a relu is dead when it is zero for all of them; a value of a sigmoid or tanh is saturated within
1 % of a limit. Gates inside recurrent layers are left out, and whether the activation is the output itself is noted.

Sources: CS231n, activation functions (dying ReLU, saturated sigmoids); Lu et al., dying ReLU (2019).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils._python_dispatch import TorchDispatchMode

from diagkit.batches import Predict, call, pairs, rows, tensors
from diagkit.evidence.learning import UnitActivity
from diagkit.guard import evaluating
from diagkit.subject import NotGiven

DEEP = True
MAX_EXAMPLES = 1000
LIMIT = 0.01  # of the range, from either end
aten = torch.ops.aten
KINDS = {
    aten.relu.default: "relu",
    aten.relu_.default: "relu",
    aten.sigmoid.default: "sigmoid",
    aten.sigmoid_.default: "sigmoid",
    aten.tanh.default: "tanh",
    aten.tanh_.default: "tanh",
}
GATED = (nn.RNNBase, nn.RNNCellBase)


@dataclass
class _Seen:
    kind: str
    fired: Tensor
    saturated: float = 0.0
    values: int = 0
    is_output: bool = False


def unit_activity(
    model: nn.Module, trained_model: nn.Module, train: Iterable[Any], predict: Predict | None = None
) -> UnitActivity:
    """Watch the activations over the first `MAX_EXAMPLES` training examples.

    Raises:
        NotGiven: no relu, sigmoid or tanh is called outside of gates.
    """
    seen, examples = _watch(trained_model, train, predict)
    before, _ = _watch(model, train, predict)
    if not seen:
        raise NotGiven("no relu, sigmoid or tanh is called")
    return UnitActivity(
        examples=examples,
        names=[key[0] or "model" for key in seen],
        kinds=[its.kind for its in seen.values()],
        units=[its.fired.numel() for its in seen.values()],
        dead=[_dead(its) for its in seen.values()],
        dead_before=[_dead(before[key]) if key in before else 0.0 for key in seen],
        saturated=[its.saturated / its.values for its in seen.values()],
        saturated_before=[before[key].saturated / before[key].values if key in before else 0.0 for key in seen],
        is_output=[its.is_output for its in seen.values()],
    )


def _dead(its: _Seen) -> float:
    return float((~its.fired).float().mean()) if its.kind == "relu" else 0.0


Key = tuple[str, int]  # module, and which activation in it


def _watch(model: nn.Module, train: Iterable[Any], predict: Predict | None) -> tuple[dict[Key, _Seen], int]:
    watch = _Activations()
    hooks = [h for name, module in model.named_modules() for h in watch.hooks(name, module)]
    examples = 0
    try:
        with evaluating(model):
            for inputs, _ in pairs(train):
                watch.start()
                with watch:
                    outputs = call(model, inputs, predict)
                watch.mark_outputs(tensors(outputs))
                examples += rows(inputs)
                if examples >= MAX_EXAMPLES:
                    break
    finally:
        for hook in hooks:
            hook.remove()
    return watch.seen, examples


class _Activations(TorchDispatchMode):
    """Sees every activation function, in whichever way it is called."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # torch leaves it so
        self.stack: list[nn.Module] = []
        self.names: list[str] = []
        self.seen: dict[Key, _Seen] = {}
        self.counts: dict[str, int] = {}
        self.last: list[tuple[Key, Tensor]] = []
        self.channels_second = False

    def start(self) -> None:
        self.counts, self.last = {}, []

    def hooks(self, name: str, module: nn.Module) -> list[Any]:
        return [
            module.register_forward_pre_hook(lambda m, _: self._enter(name, m)),
            module.register_forward_hook(lambda m, _, __: self._leave(m), always_call=True),
        ]

    def _enter(self, name: str, module: nn.Module) -> None:
        self.stack.append(module)
        self.names.append(name)

    def _leave(self, module: nn.Module) -> None:
        self.stack.pop()
        self.names.pop()
        if isinstance(module, nn.modules.conv._ConvNd):
            self.channels_second = True
        elif isinstance(module, nn.Linear):
            self.channels_second = False

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        kind = KINDS.get(func) or ("relu" if func is aten.clamp_min.default and args[1] == 0 else None)
        if kind and isinstance(result, Tensor) and not any(isinstance(m, GATED) for m in self.stack):
            self._note(kind, result)
        return result

    def _note(self, kind: str, values: Tensor) -> None:
        name = self.names[-1] if self.names else ""
        key = (name, self.counts.get(name, 0))
        self.counts[name] = key[1] + 1
        axis = 1 if values.dim() == 4 or (values.dim() == 3 and self.channels_second) else values.dim() - 1
        others = [i for i in range(values.dim()) if i != axis]
        fired = (values != 0).any(others[0]) if len(others) == 1 else (values != 0).transpose(0, axis).flatten(1).any(1)
        its = self.seen.setdefault(key, _Seen(kind, torch.zeros_like(fired)))
        if its.fired.shape == fired.shape:
            its.fired |= fired
        low = -1.0 if kind == "tanh" else 0.0
        margin = LIMIT * (1.0 - low)
        its.saturated += float(((values < low + margin) | (values > 1.0 - margin)).sum()) if kind != "relu" else 0.0
        its.values += values.numel()
        self.last.append((key, values))

    def mark_outputs(self, outputs: list[Tensor]) -> None:
        """Note which activations are what the model returns."""
        places = {output.data_ptr() for output in outputs}
        for key, values in self.last:
            if values.data_ptr() in places:
                self.seen[key].is_output = True
        self.last = []
