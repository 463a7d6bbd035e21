"""What Hydra is told before it composes, and what becomes of its errors."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import hydra
from hydra.core.global_hydra import GlobalHydra
from hydra.errors import HydraException, MissingConfigException
from omegaconf import OmegaConf
from omegaconf.errors import ConfigAttributeError, ConfigKeyError, OmegaConfBaseException

from diagkit import catalogue, schema, sources
from diagkit.mistake import Mistake, nearest


def prepare() -> None:
    """Tell Hydra where recipes, breakages, the schema and the help text are."""
    sources.register()
    schema.register()
    OmegaConf.register_new_resolver("diagkit_catalogue", catalogue.help_text, replace=True)


@contextmanager
def readable() -> Iterator[None]:
    """Turn Hydra's errors in a `with` block into mistakes of one sentence."""
    try:
        yield
    except (HydraException, OmegaConfBaseException) as error:
        raise Mistake(sentence(error)) from error


def sentence(error: Exception) -> str:
    """Say in one sentence what was wrong with a command or config."""
    if isinstance(error, MissingConfigException) and error.missing_cfg_file:
        group, _, name = error.missing_cfg_file.rpartition("/")
        if (group, name) == ("breakage", "mystery"):
            return "a mystery stands alone: +breakage=mystery mystery=3"
        return f"there is no {group} named {name!r}: {nearest(name, error.options or sources.names(group))}"
    cause = error if isinstance(error, OmegaConfBaseException) else error.__cause__
    if isinstance(cause, ConfigKeyError | ConfigAttributeError) and cause.full_key:
        return f"{cause.full_key} is not a setting: {nearest(cause.full_key, _settings())}"
    text = f"{error} {cause}" if cause and str(cause) not in str(error) else str(error)
    text = re.sub(r"\s*(full_key|reference_type|object_type)[:=].*", "", text)
    return " ".join(re.sub(r"^Error merging override (\S+)", r"cannot use \1:", text).split())


def _settings() -> list[str]:
    """Return the settings of the recipe that the command line names."""
    from diagkit.compose import leaves

    GlobalHydra.instance().clear()
    with hydra.initialize_config_module("diagkit.conf", version_base="1.3"):
        return list(leaves(hydra.compose("config", [word for word in sys.argv if word.startswith("recipe=")])))
