"""diagkit: break a healthy training on purpose, one variable at a time, and see which checks notice."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from diagkit.api import run
    from diagkit.examine import diagnose

__all__ = ["diagnose", "run"]


def __getattr__(name: str) -> Any:
    """Import the public functions on first use, so that the command line starts without torch and pandas."""
    if name == "run":
        from diagkit.api import run

        return run
    if name == "diagnose":
        from diagkit.examine import diagnose

        return diagnose
    raise AttributeError(f"module 'diagkit' has no attribute {name!r}")
