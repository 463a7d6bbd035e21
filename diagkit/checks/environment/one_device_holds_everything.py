"""Are the model and its batches on one device?

## Why it matters
A parameter that was left behind (a tensor in a plain list, a layer made after `.to(device)`), or one that was never
given values (device `meta`), raises in the middle of a step, or makes every step copy.

## Threshold
None: one device holds all, or not. A model that is spread over several devices on purpose is read as a fault; accept
it with a `baseline`. Whether another backend gives another answer cannot be asked on a machine that has only one.

## Cost
Reads the device of every parameter.

## Examples
PASS:

>>> from diagkit.evidence.environment import Devices
>>> print(one_device_holds_everything(Devices({"cuda:0": "a.weight"}, ["cuda:0"], ["cpu", "cuda"])))
PASS: parameters and batches are on cuda:0

FAIL, a layer stayed behind:

>>> print(one_device_holds_everything(Devices({"cuda:0": "a.weight", "cpu": "scale"}, ["cuda:0"], ["cpu", "cuda"])))
FAIL: parameters are on cuda:0 (a.weight) and cpu (scale)

SKIP, there is one device:

>>> print(one_device_holds_everything(Devices({"cpu": "a.weight"}, ["cpu"], ["cpu"])))
SKIP: everything is on cpu, the only device here, so no other can disagree

## Fix
Register tensors with `register_buffer` or as `nn.Parameter`, and call `.to(device)` after the last layer was made.

## Sources
- PyTorch documentation of `nn.Module.to` and `register_buffer`
"""

from diagkit.evidence.environment import Devices
from diagkit.finding import Finding, failed, passed, skipped

SPEAKS_FOR = ("device_disagreement",)


def one_device_holds_everything(devices: Devices) -> Finding:
    """Compare the devices of parameters with each other and the batches with them.

    Batches on the CPU beside a model elsewhere are healthy: the loader fills them there and the step moves them.
    """
    if len(devices.parameters) > 1:
        where = " and ".join(f"{device} ({name})" for device, name in devices.parameters.items())
        return failed(f"parameters are on {where}").means("device_disagreement")
    mine = next(iter(devices.parameters), "cpu")
    elsewhere = [device for device in devices.batches if device not in (mine, "cpu")]
    if elsewhere:
        return failed(f"parameters are on {mine}, batches on {', '.join(elsewhere)}").means("device_disagreement")
    if mine == "meta":
        return failed("parameters are on meta: they were never given values").means("device_disagreement")
    if devices.available == ["cpu"]:
        return skipped("everything is on cpu, the only device here, so no other can disagree")
    return passed(f"parameters and batches are on {mine}")
