"""Who is compared: each engine is built from the same numbers and says what it cannot do."""

from importlib import import_module, util
from types import ModuleType

# by the module that must be installed
_MODULES = {"pinocchio": "pinocchio", "mujoco": "mujoco", "exudyn": "exudyn"}


def peers() -> dict[str, ModuleType]:
    """Return the engines that are installed, by name."""
    return {
        name: import_module(f"scripts.benchmarks.engines.{name}")
        for name, needed in _MODULES.items()
        if util.find_spec(needed)
    }
