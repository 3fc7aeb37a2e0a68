"""What may stand in a foreign file: tags, their attributes, and the tags inside them.

A misspelt ``<orgin>`` is the danger: other readers skip it and put the joint elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from mbd_fmu.errors import nearest, shortened
from mbd_fmu.formats.accounting import Account
from mbd_fmu.formats.xml.xml_tree import Element

UNEXPANDED = ("${", "$(")  # what only xacro understands


@dataclass(frozen=True)
class Tag:
    """An element of a format."""

    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    children: Mapping[str, Tag] = field(default_factory=dict)
    once: tuple[str, ...] = ()  # of its children, those that stand there once at most
    needed: tuple[str, ...] = ()  # and those that must stand there
    idle: Mapping[str, str] = field(default_factory=dict)  # attributes without effect: why
    ignored: str = ""  # why it is left out, with all that it holds
    refused: str = ""  # what to do instead of it, for without it the motion is another one
    text: bool = False  # its value stands between <tag> and </tag>
    blank: bool = False  # and may be missing there
    is_scope: bool = False  # its children are called by their own names, without it


def check(element: Element, tag: Tag, where: str, account: Account) -> None:
    """Account for all that stands in an element and that nobody would read."""
    _check_attributes(element, tag, where, account)
    _check_text(element, tag, where, account)
    seen: dict[str, int] = {}
    for child in element.children:
        known = tag.children.get(child.tag)
        if known is None:
            _doubt(element, child, tag, where, account)
        elif known.ignored:
            account.ignore(f"<{child.tag}>", child.line, known.ignored)
        elif known.refused:
            found = f"<{child.tag}> changes the motion and is not read"
            account.doubt(child.line, where, found, known.refused)
        else:
            if child.tag in tag.once and child.tag in seen:
                found = f"a second <{child.tag}>; the first stands in line {seen[child.tag]}"
                account.problem(child.line, where, found, "leave one")
            check(child, known, _inside(where, tag, child), account)
        seen.setdefault(child.tag, child.line)
    for name in tag.needed:
        if name not in seen:
            remedy = f"<{name}>...</{name}>" if tag.children[name].text else f"<{name} .../>"
            account.problem(element.line, where, f"<{name}> is missing", f"add {remedy}")


def _inside(where: str, tag: Tag, child: Element) -> str:
    """Say where a child stands: by its name, or by its tag within what it belongs to."""
    own = (
        f'{child.tag} "{shortened(child.attributes["name"])}"' if "name" in child.attributes else ""
    )
    if tag.is_scope:
        return own or f"{'an' if child.tag[0] in 'aeiou' else 'a'} {child.tag}"
    return f"{where}, {child.tag}"


def _check_attributes(element: Element, tag: Tag, where: str, account: Account) -> None:
    known = (*tag.required, *tag.optional)
    for name, value in element.attributes.items():
        if name.startswith("xmlns"):
            continue
        if name in tag.idle:
            account.ignore(f"{name}= of <{element.tag}>", element.line, tag.idle[name])
        elif name not in known:
            found = f'unknown attribute {shortened(name)}="{shortened(value)}"'
            account.doubt(element.line, where, found, _remedy(element, tag, name, value))
    for name in tag.required:
        if name not in element.attributes:
            found = f"the attribute {name} is missing"
            account.problem(element.line, where, found, f'add {name}="..."')


def _remedy(element: Element, tag: Tag, name: str, value: str) -> str:
    """Say what somebody may have meant by an attribute that there is not."""
    if name in tag.children:
        return f"write it as an element: <{name}>{shortened(value)}</{name}>"
    if tag.text and not element.text.strip():
        return f"write its value as text: <{element.tag}>{shortened(value)}</{element.tag}>"
    return nearest(name, (*tag.required, *tag.optional))


def _check_text(element: Element, tag: Tag, where: str, account: Account) -> None:
    """Numbers stand where the format has them: URDF reads nothing from <mass>1</mass>."""
    text = shortened(" ".join(element.text.split()))
    if tag.text and not text and not tag.blank:
        found = f"<{element.tag}> is empty"
        account.problem(element.line, where, found, f"write <{element.tag}>...</{element.tag}>")
    elif text and not tag.text:
        known = (*tag.required, *tag.optional)
        is_value = len(known) == 1 and bool(tag.required)
        remedy = f'write <{element.tag} {known[0]}="{text}"/>' if is_value else "take it out"
        account.doubt(element.line, where, f'the text "{text}" stands in <{element.tag}>', remedy)


def _doubt(element: Element, child: Element, tag: Tag, where: str, account: Account) -> None:
    if child.tag in (*tag.required, *tag.optional):
        found = f"<{child.tag}> stands inside <{element.tag}>"
        remedy = f'write it as an attribute: <{element.tag} {child.tag}="...">'
        account.doubt(child.line, where, found, remedy)
        return
    found = f"unknown element <{shortened(child.tag)}>"
    if tag.children:
        remedy = nearest(child.tag, tag.children)
    else:
        remedy = f"<{element.tag}> holds no elements"
    account.doubt(child.line, where, found, remedy)
