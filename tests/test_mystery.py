"""The drill: the same number draws the same breakage, and a secret comparison says nothing of it."""

import pytest

from diagkit import mystery
from diagkit.api import experiments
from diagkit.mistake import Mistake


def test_a_number_draws_one_breakage_and_others_draw_others() -> None:
    drawn = [mystery.drawn(["diagkit", "recipe=digits", "+breakage=mystery", f"mystery={n}"])[0][2] for n in range(20)]
    again = [mystery.drawn(["diagkit", "recipe=digits", "+breakage=mystery", f"mystery={n}"])[0][2] for n in range(20)]
    assert drawn == again
    assert len(set(drawn)) > 5
    assert "+breakage=mystery" not in drawn


def test_it_stays_secret_until_it_is_revealed() -> None:
    words = ["diagkit", "recipe=digits", "+breakage=mystery"]
    assert mystery.drawn(words)[1]
    assert not mystery.drawn([*words, "reveal=true"])[1]
    assert mystery.drawn(["diagkit", "+breakage=zero_lr"]) == (["diagkit", "+breakage=zero_lr"], False)
    with pytest.raises(Mistake):
        mystery.drawn(["diagkit", "recipe=nothing", "+breakage=mystery"])


def test_the_experiment_does_not_tell() -> None:
    (experiment,), _ = experiments("digits", ["zero_lr"])
    told = mystery.untold(experiment, 4)
    assert (told.name, told.changes) == ("mystery", ())
    assert told.overrides == ("recipe=digits", "+breakage=mystery", "mystery=4")
