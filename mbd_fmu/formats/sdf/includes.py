"""Models of other files: looked for in the folder of the file and in those the user names."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from mbd_fmu.errors import os_error_text, shortened
from mbd_fmu.formats.accounting import Account
from mbd_fmu.formats.attributes import Attributes, Texts
from mbd_fmu.formats.choices import Choices
from mbd_fmu.formats.grammar import check
from mbd_fmu.formats.looks import MeshFolders
from mbd_fmu.formats.sdf.grammar import SDF
from mbd_fmu.formats.sdf.scopes import Scope
from mbd_fmu.formats.sdf.versions import check_version, version_of
from mbd_fmu.formats.xml_tree import Element, read_xml

MOST_DEEP = 20  # files that include each other
MOST_MODELS = 500
_CONFIG = "model.config"


@dataclass
class Reading:
    """Makes scopes of models; counts them, for files that include each other grow fast."""

    choices: Choices
    count: int = 0

    def top(self, element: Element, account: Account, file: Path, prefix: str, frame: str) -> Scope:
        """Return the scope of a world, or of the model that a file is of."""
        is_static = Texts(element, "model", account).flag("static")
        nested = self._nested(element, account, (file,), prefix, is_static=is_static)
        return Scope(
            *(element, account, file, prefix, frame, account.outer(element.line)),
            *(element, account, is_static, nested),
        )

    def _nested(
        self,
        element: Element,
        account: Account,
        files: tuple[Path, ...],
        prefix: str,
        *,
        is_static: bool,
    ) -> tuple[Scope, ...]:
        found = []
        for child in element.children:
            if child.tag == "model":
                found.append(
                    self._scope(child, account, files, prefix, (child, account), is_static)
                )
            elif child.tag == "include":
                included = self._included(child, account, files)
                if included is not None:
                    model, inner, file = included
                    placing = (child, account) if child.first("pose") else (model, inner)
                    way = (*files, file)
                    found.append(self._scope(model, inner, way, prefix, placing, is_static))
        return tuple(found)

    def _scope(
        self,
        element: Element,
        account: Account,
        files: tuple[Path, ...],
        prefix: str,
        placing: tuple[Element, Account],
        is_static: bool,
    ) -> Scope:
        self.count += 1
        frame = prefix + element.attributes.get("name", "").strip()
        is_static = Texts(element, "model", account).flag("static") or is_static
        inside = f"{frame}::"
        nested = self._nested(element, account, files, inside, is_static=is_static)
        return Scope(
            *(element, account, files[-1], inside, frame, account.outer(element.line)),
            *(*placing, is_static, nested),
        )

    def _included(
        self, include: Element, account: Account, files: tuple[Path, ...]
    ) -> tuple[Element, Account, Path] | None:
        """Return the model that an ``<include>`` means, as it changes it; none after a problem."""
        texts = Texts(include, "include", account)
        uri = texts.text("uri")
        where = f'include "{shortened(uri)}"'
        if Attributes(include, where, account).flag("merge"):
            found = "merge puts the parts of a model into another one, and is not read"
            account.problem(include.line, where, found, "take merge out, or write the parts out")
            return None
        path, reason = self._found(uri, files[-1].parent)
        if path is None:
            account.problem(include.line, where, "cannot be included", reason or "give <uri>")
            return None
        if path.resolve() in [file.resolve() for file in files] or len(files) > MOST_DEEP:
            chain = " -> ".join(file.name for file in (*files, path))
            account.problem(
                include.line, where, f"files include each other: {chain}", "take it out"
            )
            return None
        if self.count >= MOST_MODELS:
            account.problem(include.line, where, f"more than {MOST_MODELS} models", "use fewer")
            return None
        inner = account.of_part(str(path), include.line)
        try:
            model = model_in(read_xml(path), inner)
        except OSError as error:
            account.problem(include.line, where, os_error_text(error), "make it readable")
            return None
        return None if model is None else (_changed(model, texts), inner, path)

    def _found(self, uri: str, folder: Path) -> tuple[Path | None, str]:
        """Return the file that an address means: a model's folder names it in its model.config."""
        folders = MeshFolders(folder, self.choices)
        if uri.lower().endswith((".sdf", ".world", ".xml")):
            return folders.find(uri)
        base = uri.rstrip("/")
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
