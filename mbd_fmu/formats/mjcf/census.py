"""What stands in an MJCF file and is no part of a mechanism: refused, or listed, never overlooked.

All that moves bodies is read from what MuJoCo's compiler makes of the file. The rest is counted
here, element by element, as it stands in the XML.
"""

from __future__ import annotations

from collections.abc import Sequence

from mbd_fmu.errors import shortened
from mbd_fmu.formats.accounting import Account
from mbd_fmu.formats.mjcf.sources import Source
from mbd_fmu.formats.xml.xml_tree import Element

_CONTACT = "contacts are not computed"
_PICTURE = "how the model is drawn elsewhere"
_DATA = "numbers and words for programs of the file's author"
# what is left out on purpose: the element it stands in, or its own tag, and why
IGNORED = {
    "sensor": "outputs of every body and joint are there without it",
    "keyframe": "states the file keeps; the motion starts at qpos0, or where <joint>.q_start says",
    "contact": _CONTACT,
    "custom": _DATA,
    "visual": _PICTURE,
    "statistic": _PICTURE,
    "texture": "shapes are shown in one colour",
    "hfield": _CONTACT,
    "skin": _PICTURE,
    "camera": _PICTURE,
    "light": _PICTURE,
    "site": "a frame; it moves nothing by itself",
    "size": "room for another simulator",
}
_SECTIONS = ("sensor", "keyframe", "contact", "custom")  # what stands in them is counted
REFUSED = {
    "plugin": "code of another program, which is not run",
    "extension": "code of another program, which is not run",
    "flex": "bodies that deform are not carried",
    "flexcomp": "bodies that deform are not carried",
    "composite": "MuJoCo 4 does not know it any more",
}


def take_census(sources: Sequence[Source], account: Account) -> None:
    """Account for all elements that nobody else reads."""
    for source in sources:
        for element in source.root.children:
            _count(source, element, account)


def _count(source: Source, element: Element, account: Account) -> None:
    line, place = source.at(element)
    if element.tag in REFUSED:
        name = element.attributes.get("name") or element.attributes.get("plugin", "")
        where = f'{place}{element.tag} "{shortened(name)}"' if name else place + element.tag
        account.problem(line, where, REFUSED[element.tag], "take it out")
    elif element.tag == "default":
        return  # says nothing of itself
    elif element.tag in _SECTIONS:
        for child in element.children:
            account.ignore(f"<{child.tag}>", source.at(child)[0], IGNORED[element.tag])
    elif element.tag in IGNORED:
        account.ignore(f"<{element.tag}>", line, IGNORED[element.tag])
    else:
        for child in element.children:
            _count(source, child, account)
