"""`diagkit.run`, the command from Python."""

from pathlib import Path

import pytest

import diagkit
from diagkit.mistake import Mistake


@pytest.mark.slow
def test_run_returns_the_comparison_and_the_report(project: Path) -> None:
    table = diagkit.run(recipe="tiny", breakages=["zero_lr"], seeds=[0, 1], overrides=["jobs=2"])
    (row,) = table.to_dict("records")
    assert row["breakage"] == "zero_lr"
    assert row["seeds"] == 2
    assert row["interval_over"] == "seeds"
    assert row["promise"] == "kept"
    assert Path(table.attrs["report"]).read_text().startswith("# ")


def test_a_misspelt_breakage_names_the_nearest(project: Path) -> None:
    with pytest.raises(Mistake, match="did you mean zero_lr"):
        diagkit.run(recipe="tiny", breakages=["zero_rl"])


@pytest.mark.slow
def test_a_script_without_a_main_guard_trains_once(project: Path) -> None:
    import subprocess
    import sys

    script = project / "script.py"
    script.write_text("import diagkit\nprint('begin')\nprint(len(diagkit.run(recipe='tiny')))\n")
    done = subprocess.run([sys.executable, str(script)], cwd=project, capture_output=True, text=True, timeout=120)
    assert done.stdout.split() == ["begin", "1"], done.stderr


def test_no_module_takes_the_name_of_a_public_function() -> None:
    names = {file.stem for file in Path(diagkit.__file__).parent.glob("*.py")}
    assert not {"run"} & names, "importing the module would hide the function"
