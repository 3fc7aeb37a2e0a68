"""Models of other files: looked for in the folder of the file and in those the user names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from mbd_fmu.errors import os_error_text, shortened
from mbd_fmu.formats.accounting import Account
from mbd_fmu.formats.choices import Choices
from mbd_fmu.formats.folders import Folders
from mbd_fmu.formats.sdf.grammar import SDF
from mbd_fmu.formats.sdf.scopes import BETWEEN, Scope, Source
from mbd_fmu.formats.sdf.versions import check_version, version_of
from mbd_fmu.formats.xml.attributes import Attributes, Texts
from mbd_fmu.formats.xml.grammar import check
from mbd_fmu.formats.xml.xml_tree import Element, read_xml

MOST_DEEP = 20  # models in each other
MOST_MODELS = 500
_CONFIG = "model.config"


@dataclass
class Reading:
    """Makes scopes of models; counts them, for files that include each other grow fast."""

    choices: Choices
    count: int = 0

    def scope(
        self, source: Source, placing: Source, prefix: str, frame: str, *, is_static: bool = False
    ) -> Scope:
        """Return the scope of a world or model, with all within it."""
        self.count += 1
        is_static = Texts(source.element, "model", source.account).flag("static") or is_static
        nested = []
        for inner, by in self._models(source, prefix):
            own = prefix + inner.element.attributes.get("name", "").strip()
            nested.append(self.scope(inner, by, own + BETWEEN, own, is_static=is_static))
        return Scope(source, placing, prefix, frame, is_static, tuple(nested))

    def _models(self, source: Source, prefix: str) -> Iterator[tuple[Source, Source]]:
        """Yield the models in an element, each with that whose pose puts it where it is."""
        for child in source.element.children:
            here = replace(source, element=child)
            if child.tag not in ("model", "include"):
                continue
            if prefix.count(BETWEEN) >= MOST_DEEP or self.count >= MOST_MODELS:
                found = f"more than {MOST_DEEP} models in each other, or {MOST_MODELS} in all"
                source.account.problem(child.line, f"a {child.tag}", found, "write fewer")
                return
            if child.tag == "model":
                yield here, here
            elif (inner := self._included(here)) is not None:
                yield inner, (here if child.first("pose") else inner)

    def _included(self, source: Source) -> Source | None:
        """Return the model that an ``<include>`` means, as it changes it; none after a problem."""
        texts = Texts(source.element, "include", source.account)
        uri = texts.text("uri")
        include = Attributes(source.element, f'include "{shortened(uri)}"', source.account)
        if include.flag("merge"):
            found = "merge puts the parts of a model into another one, and is not read"
            include.problem(found, "take merge out, or write the parts out")
            return None
        try:
            return self._model(include, texts, source, *self._found(uri, source))
        except OSError as error:
            include.problem(os_error_text(error), "make it readable")
            return None

    def _model(
        self, include: Attributes, texts: Texts, source: Source, path: Path | None, reason: str
    ) -> Source | None:
        """Return the model in a file that was found, or was not for some reason."""
        if path is None:
            include.problem("cannot be included", reason)
            return None
        if path.resolve() in [file.resolve() for file in source.files]:
            chain = " -> ".join(file.name for file in (*source.files, path))
            include.problem(f"files include each other: {chain}", "take it out")
            return None
        account = source.account.of_part(str(path), source.element.line)
        model = model_in(read_xml(path), account)
        if model is None:
            return None
        return Source(_changed(model, texts), account, (*source.files, path))

    def _found(self, uri: str, source: Source) -> tuple[Path | None, str]:
        """Return the file that an address means: a model's folder names it in its model.config."""
        folders = Folders(source.files[0].parent, self.choices)
        base = source.path(uri).rstrip("/")
        if base.lower().endswith((".sdf", ".world", ".xml")):
            return folders.find(base)
        path, reason = folders.find(f"{base}/{_CONFIG}")
        if path is None:
            return None, reason
        named = {version_of(e.attributes): e.text.strip() for e in read_xml(path).all("sdf")}
        if not named:
            return None, f"{_CONFIG} names no file; add <sdf version=...>model.sdf</sdf>"
        return folders.find(f"{base}/{named[max(named)]}")


def model_in(root: Element, account: Account) -> Element | None:
    """Return the one model of a file that is included; what is wrong stands in the account."""
    if root.tag != "sdf":
        found = f"the outermost element is <{shortened(root.tag)}>, not <sdf>"
        account.problem(root.line, "file", found, "include models in SDF")
        return None
    check(root, SDF, "sdf", account)
    check_version(root, account)
    models = root.all("model")
    if len(models) != 1 or root.all("world"):
        found = f"holds {len(models)} models and {len(root.all('world'))} worlds"
        account.problem(root.line, "sdf", found, "include files of one model each")
        return None
    return models[0]


def _changed(model: Element, texts: Texts) -> Element:
    """Return the model as the include wants it: its name, its placement, whether it moves."""
    attributes = dict(model.attributes)
    for key in ("name", "placement_frame"):
        if texts.has(key):
            attributes[key] = texts.text(key)
    children = model.children
    if texts.has("static"):
        static = texts.element.all("static")
        children = [*static, *(c for c in children if c.tag != "static")]
    return Element(model.tag, model.line, attributes, children, model.text)
