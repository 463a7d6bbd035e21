import torch
from torch import nn

from diagkit import diagnose


class Failing(nn.Module):
    def __init__(self, error: str) -> None:
        super().__init__()
        self.linear, self.error = nn.Linear(4, 3), error

    def forward(self, x):
        if self.error:
            raise ValueError(self.error)
        torch.linalg.cholesky(torch.eye(2, dtype=torch.half))
        return self.linear(x)


def diagnosed(error):
    x = torch.randn(60, 4, generator=torch.Generator().manual_seed(0))
    batches = [(part, part[:, :3].argmax(1)) for part in x.split(20)]
    model = Failing(error)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    return diagnose(model, batches, nn.CrossEntropyLoss(), optimizer, only=["environment"])


def test_an_operator_that_the_device_lacks_is_named():
    assert diagnosed("").causes == ("device_disagreement",)


def test_a_crash_without_a_name_is_not_healthy():
    diagnosis = diagnosed("of the author's own")
    assert diagnosis.causes == ()
    assert not diagnosis
    assert "of the author's own" in diagnosis.verdict()
