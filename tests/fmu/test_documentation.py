"""documentation/index.html: a page that says all there is to know, and needs nothing else."""

from __future__ import annotations

import re
from html import escape
from html.parser import HTMLParser

import pytest

from mbd_fmu.export.documentation import index_page
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.system.system import system_of
from tests.fmu import mechanisms
from tests.fmu.cases import CASES

ALONE = {"meta", "line", "circle", "rect", "path", "polyline", "polygon", "ellipse", "br"}


class Page(HTMLParser):
    """The tags of a page, which must nest, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: dict[str, str] = {}
        self.open: list[str] = []
        self.text = ""
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes |= attributes
        if tag not in ALONE:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes |= attributes

    def handle_endtag(self, tag):
        if tag not in ALONE:
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


@pytest.fixture(params=CASES)
def system(request):
    return system_of(spec_of_table(CASES[request.param].table, "test"))


def test_it_has_the_picture_and_all_sections(system):
    page = Page(index_page(system).decode())
    assert page.tags.count("svg") == 1
    for title in (
        "The mechanism",
        "Conventions",
        "Solver",
        "Parameters and start values",
        "Inputs",
        "Outputs",
        "Limits",
        "Licence",
    ):
        assert title in page.text


def test_every_variable_stands_there_with_unit_and_meaning(system):
    page = index_page(system).decode()
    for v in system.table.variables:
        name, unit, meaning = map(escape, (v.name, v.unit, v.description))
        row = rf"<tr><td>{re.escape(name)}</td><td>{re.escape(unit)}</td><td>[^<]*</td>"
        assert re.search(rf"{row}<td>{re.escape(meaning)}</td></tr>", page), v.name


def test_it_needs_nothing_from_outside(system):
    text = index_page(system).decode()
    page = Page(text)
    assert not {"script", "link", "img", "iframe"} & set(page.tags)
    assert not {"src", "href"} & page.attributes.keys()
    assert re.findall(r"https?://[^\s\"]*", text.replace("http://www.w3.org/2000/svg", "")) == []


def test_what_a_user_writes_is_text_and_never_a_tag():
    table = mechanisms.chain()
    table["model"]["description"] = "a < b & <script>alert(1)</script>"
    page = Page(index_page(system_of(spec_of_table(table, "test"))).decode())
    assert "script" not in page.tags
    assert "a < b & <script>alert(1)</script>" in page.text
