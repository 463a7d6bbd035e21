"""Where Hydra finds recipes and breakages: the user's project folder first, then the ones built in.

Two small Hydra plugins. `+breakage=x` reads `breakages/x.yaml` and `recipe=y` reads `recipes/y.yaml`; a file
without a package header is merged at the root of the config, since a breakage changes settings of its recipe.
"""

import copy
from functools import cache
from pathlib import Path

from hydra.core.config_search_path import ConfigSearchPath
from hydra.core.object_type import ObjectType
from hydra.core.plugins import Plugins
from hydra.plugins.config_source import ConfigLoadError, ConfigResult, ConfigSource
from hydra.plugins.search_path_plugin import SearchPathPlugin
from omegaconf import DictConfig, ListConfig, OmegaConf
from yaml import YAMLError

from diagkit.mistake import Mistake

GROUPS = {"recipe": "recipes", "breakage": "breakages"}


def builtin_root() -> Path:
    """Return the folder that holds the built-in `recipes/` and `breakages/`: a wheel's data, or the checkout."""
    package = Path(__file__).parent
    checkout = package.parent
    return checkout if (checkout / "pyproject.toml").is_file() else package / "_data"


def roots() -> list[Path]:
    """Return the folders to look in, the first match wins."""
    return list(dict.fromkeys([Path.cwd(), builtin_root()]))


def names(group: str) -> dict[str, Path]:
    """Map every name of a group to its file.

    Args:
        group: `recipe` or `breakage`.
    """
    found: dict[str, Path] = {}
    for root in roots():
        for file in sorted((root / GROUPS[group]).glob("*.yaml")):
            if file.is_file():
                found.setdefault(file.stem, file)
    return dict(sorted(found.items()))


def text_of(file: Path) -> str:
    """Read a recipe or breakage.

    Raises:
        Mistake: it cannot be read, or is no text.
    """
    try:
        return file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Mistake(f"{file} cannot be read: {error}") from error


def parsed(file: Path) -> DictConfig | ListConfig:
    """Read a recipe or breakage as a config of its own.

    Raises:
        Mistake: it cannot be read, or is no YAML.
    """
    return copy.deepcopy(_parsed(file, text_of(file)))


@cache
def _parsed(file: Path, text: str) -> DictConfig | ListConfig:
    """Parse a file once per content: a sweep composes its recipe four times a breakage."""
    try:
        return OmegaConf.create(text)
    except YAMLError as error:
        raise Mistake(f"{file} is no YAML: {' '.join(str(error).split())}") from error


class FolderSource(ConfigSource):
    """Serve the groups of `GROUPS` from the folders of one root."""

    @staticmethod
    def scheme() -> str:
        return "diagkit"

    def _file(self, config_path: str) -> Path:
        group, _, name = config_path.removesuffix(".yaml").partition("/")
        return Path(self.path) / GROUPS.get(group, "") / f"{name}.yaml"

    def load_config(self, config_path: str) -> ConfigResult:
        file = self._file(config_path)
        if not file.is_file():
            raise ConfigLoadError(f"{file} does not exist")
        header = self._get_header_dict(text_of(file))
        header["package"] = header.get("package") or "_global_"
        return ConfigResult(self.provider, self.full_path(), parsed(file), header)

    def available(self) -> bool:
        return any((Path(self.path) / folder).is_dir() for folder in GROUPS.values())

    def is_group(self, config_path: str) -> bool:
        return config_path in ("", *GROUPS)

    def is_config(self, config_path: str) -> bool:
        return config_path.partition("/")[0] in GROUPS and self._file(config_path).is_file()

    def list(self, config_path: str, results_filter: ObjectType | None) -> list[str]:
        if config_path == "":
            return sorted(GROUPS) if results_filter is not ObjectType.CONFIG else []
        if results_filter is ObjectType.GROUP or config_path not in GROUPS:
            return []
        return sorted(file.stem for file in (Path(self.path) / GROUPS[config_path]).glob("*.yaml"))


class FolderSearchPath(SearchPathPlugin):
    """Add the roots to Hydra's search path."""

    def manipulate_search_path(self, search_path: ConfigSearchPath) -> None:
        providers = ["project", "diagkit"] if len(roots()) == 2 else ["diagkit"]
        for provider, root in zip(providers, roots(), strict=True):
            search_path.append(provider, f"{FolderSource.scheme()}://{root}")


def register() -> None:
    """Make both plugins known to Hydra; call before composing."""
    Plugins.instance().register(FolderSource)
    Plugins.instance().register(FolderSearchPath)
