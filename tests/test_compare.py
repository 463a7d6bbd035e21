"""The command `python -m diagkit.compare`: what it prints, how it ends, and what it says about mistakes."""

import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest
from conftest import Command
from test_claim import LR, A, group

from diagkit import compare, records
from diagkit.claim import Group
from diagkit.mistake import Mistake


def write(folder: Path, **named: Group) -> None:
    """Write what a report with these breakages would leave."""
    runs = [{**asdict(run), "breakage": name} for name, its in named.items() for run in its.runs]
    made = {key: runs[0][key] for key in ("packages", "machine")}
    folder.mkdir(parents=True)
    plain = [{key: value for key, value in run.items() if key not in made} for run in runs]
    (folder / records.FILE).write_text(json.dumps({**made, "runs": plain}))


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    worse = group("B", [30, 33, 29, 34, 31, 32], **LR)
    write(tmp_path / "first", control=A, frozen_encoder=group("A", [50] * 6, settings={"model.freeze": ["encoder.*"]}))
    write(tmp_path / "second", control=worse)
    return tmp_path


def test_namesakes_of_two_folders_are_compared(folders: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert compare.main(["first", "second"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == [
        "A  first#control: digits control, seeds 0, 1, 2, 3, 4, 5",
        "B  second#control: digits control, seeds 0, 1, 2, 3, 4, 5",
    ]
    assert lines[3:6] == [
        "changed: one variable",
        "  config       optimizer.lr: 0.002 → 0.1",
        "  data         the same",
    ]
    assert "B minus A, paired over seeds 0, 1, 2, 3, 4, 5:" in lines
    assert lines[-1].startswith("second#control is worse than first#control in accuracy")


def test_runs_inside_a_folder_are_named(folders: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert compare.main(["first#control", "first#frozen_encoder"]) == 0
    assert "model.freeze: null → [encoder.*]" in capsys.readouterr().out
    assert compare.main(["first#frozen_encoder", "second"]) == 1
    assert "confounded_comparison: 2 things changed" in capsys.readouterr().out


def test_several_comparisons_are_corrected_for(folders: Path, capsys: pytest.CaptureFixture[str]) -> None:
    frozen = {"settings": {"model.freeze": ["encoder.*"], "optimizer.lr": 0.1}}
    write(folders / "third", control=group("C", [40] * 6, **LR), frozen_encoder=group("C", [90] * 6, **frozen))
    assert compare.main(["first", "third"]) == 0
    assert capsys.readouterr().out.count("0.031, the least that 6 seeds allow, 0.062 after Holm's correction") == 2


def test_another_setting_in_a_sweep_over_recipes_finds_its_namesake(folders: Path) -> None:
    def sweep(name: str, setting: str) -> list[compare.Group]:
        recipes = [group(recipe, [10], baseline=f"{recipe}{setting}").runs for recipe in ("digits", "tiny")]
        write(folders / name, control=Group(name, (*recipes[0], *recipes[1])))
        return compare.groups(name)

    found = compare.matched(sweep("day", ""), sweep("night", " optimizer.lr=0.1"))
    assert [(a.name, b.name) for a, b in found] == [
        ("day#digits control", "night#digits optimizer.lr=0.1 control"),
        ("day#tiny control", "night#tiny optimizer.lr=0.1 control"),
    ]


def test_a_folder_of_reports_is_one_set_of_runs(folders: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folders / "day" / "morning", control=group("D", [10, 12], seeds=[0, 1]))
    write(folders / "day" / "evening", control=group("D", [11, 13], seeds=[2, 3]))
    assert compare.main(["day", "second"]) == 0
    assert "paired over seeds 0, 1, 2, 3:" in capsys.readouterr().out
    write(folders / "day" / "night", control=group("D", [11], seeds=[3], **LR))
    assert compare.main(["day", "second"]) == 2
    assert "day holds two different runs named digits control seed=3" in capsys.readouterr().err


MISTAKES = {
    ("first#contrl", "second"): "first holds no runs named 'contrl': did you mean control? There are: control, froz",
    ("frist", "second"): "frist does not exist; name the folder of a report: did you mean first? There are: ",
    ("empty", "second"): "empty holds no runs; name the folder of a report",
    ("old", "second"): "old has runs.csv but no runs.json: the same command again writes it and trains nothing",
    ("broken", "second"): "cannot read broken/runs.json",
}


@pytest.mark.parametrize("words", MISTAKES, ids="-".join)
def test_a_mistake_gets_one_sentence(folders: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, str]) -> None:
    for name, file in (("empty", "other.txt"), ("old", "runs.csv"), ("broken", "runs.json")):
        (folders / name).mkdir()
        (folders / name / file).write_text("{}")
    assert compare.main(words) == 2
    said = capsys.readouterr().err
    assert MISTAKES[words] in said
    assert len(said.strip().splitlines()) == 1


def test_no_common_name_is_a_mistake_with_all_names(folders: Path) -> None:
    with pytest.raises(Mistake, match="name one of each: first#frozen_encoder, third#control, third#tiny_data"):
        write(folders / "third", control=A, tiny_data=A)
        compare.matched(compare.groups("first#frozen_encoder"), compare.groups("third"))


def test_the_command_starts_without_a_warning_torch_or_pandas() -> None:
    code = "import sys, diagkit.compare; print([name for name in ('torch', 'pandas') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "[]"
    line = [sys.executable, "-W", "error", "-m", "diagkit.compare", "--help"]
    done = subprocess.run(line, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
def test_runs_of_two_commands_can_be_compared(command: Command, project: Path) -> None:
    line = ("recipe=tiny", "+breakage=zero_lr", "seeds=[0,1]")
    assert command(*line, "hydra.run.dir=first").returncode == 0
    assert command(*line, "model.width=2", "hydra.run.dir=second").returncode == 0
    done = command("first#control", "second#control", module="diagkit.compare")
    assert "model.width: 4 → 2" in done.stdout, done.stderr
    assert "changed: one variable" in done.stdout
    done = command("first#control", "second#zero_lr", module="diagkit.compare")
    assert done.returncode == 1
    assert "confounded_comparison" in done.stdout
    done = command("first", "first", module="diagkit.compare")
    assert done.stdout.count("uninformative_comparison: nothing was changed") == 2
