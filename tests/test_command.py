"""The command line: what it prints, how it ends, and what it says about mistakes."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest
from conftest import Command

MISTAKES = {
    "recipe=digit": "there is no recipe named 'digit': did you mean digits?",
    "+breakage=frozen_encode": "there is no breakage named 'frozen_encode': did you mean frozen_encoder?",
    "optimizer.lrr=1": "optimizer.lrr is not a setting: did you mean optimizer.lr?",
    "+optimizer.lrr=1": "optimizer.lrr is not a setting of recipe translation: did you mean optimizer.lr?",
    "training.steps=three": "cannot use training.steps=three: Value 'three' of type 'str' could not be converted",
    "training.steps=-4": "training.steps must be at least 1, got -4",
    "optimizer.lr=fast": "optimizer.lr must be a number such as 0.001, got 'fast'",
    "optimizer.lr=nan": "optimizer.lr must be at least 0, got nan",
    "schedule.decay=cosin": "expected one of [constant, cosine]",
    "seeds=[]": "seeds must hold at least one number",
    "jobs=0": "jobs must be at least 1, got 0",
    "+breakage=[zero_lr,tiny_data]": "changes 2 variables",
    "+breakage=[zero_lr,lr_too_high]": "breakage zero_lr sets optimizer.lr, and so does another breakage, which wins",
    "+breakage=[mystery,zero_lr]": "a mystery stands alone: +breakage=mystery mystery=3",
    "data.path=none.tsv": "data.path must be a readable text file, got none.tsv: No such file",
    "store=/proc/nowhere": "cannot write to /proc/nowhere",
    "hydra.run.dir=/proc/nowhere": "cannot write to /proc/nowhere",
}


@pytest.mark.parametrize("word", MISTAKES, ids=str)
def test_a_mistake_gets_one_sentence(command: Command, word: str) -> None:
    done = command(word)
    assert done.returncode == 2
    assert MISTAKES[word] in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_breakage_that_does_not_apply_names_what_there_is(command: Command) -> None:
    done = command("recipe=tiny", "+breakage=drowned_positions")
    assert done.returncode == 2
    assert "sets model.embedding_std, which recipe tiny does not have" in done.stderr
    done = command("recipe=own", "+breakage=frozen_encoder")
    assert done.returncode == 2
    assert "no parameter matches 'encoder.*'; there are: 0.*" in done.stderr


def test_a_breakage_that_changes_nothing_is_refused(command: Command) -> None:
    done = command("recipe=tiny", "optimizer.lr=0", "+breakage=zero_lr")
    assert done.returncode == 2
    assert "changes nothing on tiny" in done.stderr


def test_a_breakage_that_the_command_line_overrules_is_refused(command: Command) -> None:
    done = command("recipe=tiny", "optimizer.lr=0.01", "+breakage=zero_lr")
    assert done.returncode == 2
    assert "zero_lr sets optimizer.lr, and so does optimizer.lr=0.01 on the command line, which wins" in done.stderr


def test_a_mystery_is_one_number(command: Command) -> None:
    done = command("-m", "recipe=digits", "+breakage=mystery", "mystery=1,2")
    assert done.returncode == 2
    assert "mystery must be one whole number such as mystery=3, got 1,2" in done.stderr


def test_a_story_with_a_missing_field_is_refused(command: Command, project: Path) -> None:
    file = project / "breakages" / "model_raises.yaml"
    file.write_text("\n".join(line for line in file.read_text().splitlines() if "looks_like" not in line))
    done = command("recipe=own", "+breakage=model_raises")
    assert done.returncode == 2
    assert "breakages/model_raises.yaml lacks the field breakage.looks_like" in done.stderr


def test_help_lists_recipes_and_breakages_without_torch() -> None:
    code = (
        "import atexit, sys\n"
        "atexit.register(lambda: print([name for name in ('torch', 'pandas') if name in sys.modules]))\n"
        "from diagkit.__main__ import main\n"
        "main(['--help'])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert "frozen_encoder" in done.stdout
    assert "The encoder is frozen" in done.stdout
    assert "digits" in done.stdout
    assert done.stdout.splitlines()[-1] == "[]"


def test_users_own_recipes_come_first(command: Command) -> None:
    done = command("--help")
    assert "A user's own data, model, loss and score" in done.stdout


@pytest.mark.slow
def test_a_sweep_shares_controls_and_survives_what_its_runs_do(command: Command, project: Path) -> None:
    breakages = "+breakage=model_raises,model_kills,zero_lr,frozen_encoder"
    done = command("-m", "recipe=own", breakages, "hydra.sweep.dir=out")
    assert done.returncode == 3, done.stderr
    rows = pd.read_csv(project / "out" / "comparison.csv").set_index("breakage")
    assert rows.loc["model_raises", "promise"] == "raised: RuntimeError: this model cannot be built"
    assert rows.loc["model_kills", "promise"] == "died: its process died of SIGKILL"
    assert rows.loc["frozen_encoder", "promise"].startswith("not run: model.freeze")
    assert "rate_arrives" in rows.loc["zero_lr", "fired"]
    runs = pd.read_csv(project / "out" / "runs.csv")
    assert list(runs["breakage"]).count("control") == 1
    assert (project / "out" / "figures" / "own-zero_lr.svg").read_text().startswith("<?xml")
    assert "cannot be built" in next((project / "out" / "logs").glob("*raises*")).read_text()


@pytest.mark.slow
def test_the_same_command_again_trains_nothing(command: Command, project: Path) -> None:
    line = ("recipe=tiny", "+breakage=train_mode_eval", "hydra.run.dir=out")
    assert command(*line).returncode == 0
    trainings = sorted((project / "outputs" / "store" / "train").iterdir())
    assert len(trainings) == 2, "one training, its weights and its history, serves control and broken run"
    times = [file.stat().st_mtime_ns for file in trainings]
    assert command(*line).returncode == 0
    assert times == [file.stat().st_mtime_ns for file in sorted((project / "outputs" / "store" / "train").iterdir())]
    assert "0 runs computed, 2 taken from the store" in (project / "out" / "report.md").read_text()


@pytest.mark.slow
def test_the_same_run_gives_the_same_bits_whatever_runs_beside_it(command: Command, project: Path) -> None:
    command("recipe=tiny", "store=alone", "jobs=1")
    command("-m", "recipe=tiny", "+breakage=zero_lr,frozen_encoder", "store=beside", "jobs=2")
    (alone,) = (project / "alone" / "train").glob("*.pt")
    assert alone.read_bytes() == (project / "beside" / "train" / alone.name).read_bytes()


@pytest.mark.slow
def test_confounded_is_allowed_when_asked_and_said_everywhere(command: Command, project: Path) -> None:
    words = ("recipe=tiny", "+breakage=[zero_lr,tiny_data]", "allow_confounded=true", "hydra.run.dir=out")
    done = command(*words)
    assert "confounded: " in done.stdout
    report = (project / "out" / "report.md").read_text()
    assert "**confounded:**" in report
    assert "allow_confounded=true" in report
    rows = pd.read_csv(project / "out" / "comparison.csv").set_index("breakage")
    assert set(rows["promise"]) == {"none was given"}
    assert rows["confounded"].tolist() == [True, False, False]
    assert list(rows.index[1:]) == ["zero_lr+tiny_data/data.train_size", "zero_lr+tiny_data/optimizer.lr"]
    assert "Alone, `data.train_size` makes" in report


@pytest.mark.slow
def test_a_sweep_goes_on_without_a_confounded_breakage(command: Command, project: Path) -> None:
    done = command("-m", "recipe=tiny", "+breakage=zero_lr,confounded_corpus,zero_lr", "hydra.sweep.dir=out")
    assert done.returncode == 0, done.stderr
    rows = pd.read_csv(project / "out" / "comparison.csv").set_index("breakage")
    assert rows.loc["confounded_corpus", "promise"].startswith(
        "not run: breakage confounded_corpus changes 2 variables"
    )
    assert rows.loc["zero_lr", "promise"] == "kept"  # one row, though it was named twice
    words = ("-m", "recipe=tiny", "+breakage=zero_lr,confounded_corpus", "allow_confounded=true", "hydra.sweep.dir=two")
    assert command(*words).returncode == 0
    rows = pd.read_csv(project / "two" / "comparison.csv").set_index("breakage")
    assert rows.loc["confounded_corpus", "promise"].startswith("not run: data.train_size must be at most")


@pytest.mark.slow
def test_ctrl_c_keeps_what_is_done(project: Path) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job and its children ignore it
    line = [sys.executable, "-m", "diagkit", "-m", "recipe=own", "+breakage=zero_lr,model_waits", "jobs=1"]
    running = subprocess.Popen(line, cwd=project, stderr=subprocess.PIPE, text=True)
    probes = project / "outputs" / "store" / "probe"
    deadline = time.monotonic() + 120
    while len(list(probes.glob("*.json"))) < 2 and time.monotonic() < deadline:
        time.sleep(0.2)
    running.send_signal(signal.SIGINT)
    _, stderr = running.communicate(timeout=30)
    assert running.returncode == 130
    assert "stopped: 2 of 3 runs and 2 of 3 trainings are done and kept" in stderr
    assert "Traceback" not in stderr


@pytest.mark.slow
def test_a_full_disk_leaves_the_old_result_whole(project: Path) -> None:
    code = (
        "import resource, signal\n"
        "from pathlib import Path\n"
        "from diagkit import store\n"
        "store.write_json(Path('a/result.json'), {'old': 1})\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
        "store.write_json(Path('a/result.json'), {'new': 'x' * 1000})\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=project, capture_output=True, text=True, timeout=60)
    assert "cannot write a/result.json: File too large" in done.stderr
    assert json.loads((project / "a" / "result.json").read_text()) == {"old": 1}
    assert [file.name for file in (project / "a").iterdir()] == ["result.json"]


@pytest.mark.slow
def test_what_pytorch_warns_of_is_told_once(command: Command) -> None:
    done = command("recipe=forecast", "+breakage=broadcast_loss", "data.train_size=700", "training.steps=20")
    assert done.stderr.count("broadcasting") == 1
    assert "broadcast_loss seed=0 warns: Using a target size" in done.stderr


UNREADABLE = {b"title: \xff\n": "cannot be read: 'utf-8' codec", b"title: [a\n": "is no YAML: while parsing"}


@pytest.mark.parametrize("content", UNREADABLE, ids=["bytes", "yaml"])
def test_a_file_that_cannot_be_read_gets_one_sentence(command: Command, project: Path, content: bytes) -> None:
    (project / "recipes" / "bad.yaml").write_bytes(content)
    done = command("recipe=bad")
    assert done.returncode == 2
    assert UNREADABLE[content] in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert command("--help").returncode == 0
