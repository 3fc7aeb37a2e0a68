"""Reports in words; what they look like is seen in tests/viewer."""

from mbd_fmu.validate.report import write_report


def test_what_could_not_be_judged_stands_in_the_report_with_its_reason(tmp_path):
    path = tmp_path / "pages" / "report.html"
    write_report(path, [], {"arm": 'arm/model.toml: 1 problem\n  joint "<a>": no body "b"'})
    text = path.read_text(encoding="utf-8")
    assert "0 of 1 FMUs pass" in text
    assert "joint &quot;&lt;a&gt;&quot;: no body &quot;b&quot;" in text
