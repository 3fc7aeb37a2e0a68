"""Where the work at one joint begins and ends.

Algorithms of trees go over the joints, outward or back, and do the same work at each. ``each`` says
so in the text: what is done for one item is one piece of work. Numbers do not care. Where the text
runs on symbols, somebody may listen, and make one function of the pieces that are alike, called in
a loop over tables: code that does not grow with the number of joints.

Source   The passes are those of recursive algorithms, Featherstone, Rigid Body Dynamics Algorithms
         (2008), ch. 5 to 7.
Checked  tests/unit/test_tape.py, tests/twins/test_programs.py
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

# Told before each piece of work the items of the pass and which one of them; None: a pass ends.
Listener = Callable[[Sequence[int] | None, int], None]
_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


def each(items: Iterable[int]) -> Iterator[int]:
    """Go over items; the work for one of them does not run into that for the next."""
    listener = _listener.get()
    if listener is None:
        yield from items
        return
    all_items = (*items,)  # a tuple of its own: by that a pass is known
    for item in all_items:
        listener(all_items, item)
        yield item
    if all_items:
        listener(None, 0)


@contextmanager
def heard(listener: Listener) -> Iterator[None]:
    """Tell a listener of all pieces of work meanwhile."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)
