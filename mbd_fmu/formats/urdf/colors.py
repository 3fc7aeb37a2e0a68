"""Colours of a model file as shares of red, green and blue.

Source   CSS Color Module Level 3 (W3C, 2018), sec. 4.1, and "orange" of CSS 2.1, sec. 4.3.6.
"""

from __future__ import annotations

_NAMED = {
    "black": "#000000",
    "silver": "#c0c0c0",
    "gray": "#808080",
    "white": "#ffffff",
    "maroon": "#800000",
    "red": "#ff0000",
    "purple": "#800080",
    "fuchsia": "#ff00ff",
    "green": "#008000",
    "lime": "#00ff00",
    "olive": "#808000",
    "yellow": "#ffff00",
    "navy": "#000080",
    "blue": "#0000ff",
    "teal": "#008080",
    "aqua": "#00ffff",
    "orange": "#ffa500",
}


def rgb_of(color: str) -> tuple[float, float, float]:
    """Return the shares of a colour, from 0 to 1."""
    digits = _NAMED.get(color, color).removeprefix("#")
    red, green, blue = (int(digits[i : i + 2], 16) / 255.0 for i in (0, 2, 4))
    return red, green, blue
