"""The equations and the runtime of a mechanism as a WebAssembly module: the FMU's code in a page.

It imports nothing and exports the functions of ``runtime/browser.h``. It is kept with the libraries
of the compiler, under a hash of all it is made of.
"""

from __future__ import annotations

from collections.abc import Callable

from mbd_fmu.export.c_code import model_sources
from mbd_fmu.export.compile import BROWSER, compile_library, compiler_key
from mbd_fmu.export.identity import identity
from mbd_fmu.export.libraries import kept_library
from mbd_fmu.export.runtime import runtime_sources
from mbd_fmu.export.symbols import symbols_of
from mbd_fmu.system.system import System


def browser_module(
    system: System,
    *,
    like: System | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> bytes:
    """Return the module of a mechanism, compiled if it has not been before.

    ``like`` another system, whose FMU it is to have the bits of, where both say the same.
    """
    model = b"" if like is None else identity(like.spec)
    key = identity(system.spec, b"browser", model, compiler_key(BROWSER))

    def made() -> bytes:
        progress("equations")
        symbols = symbols_of(system, like=like)
        progress("module for the browser")
        sources = runtime_sources(system, "browser") | model_sources(system, symbols)
        return compile_library(sources, BROWSER)

    return kept_library(key, made)
