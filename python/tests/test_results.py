# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
"""What runs leave behind: recordings as arrays, figures, the report page, certificates."""

import gc
import os
import re
import signal
import tempfile
import threading
import time
import xml.etree.ElementTree

import footfall as ff
import numpy as np
import pytest
from conftest import ROOT

BALL = """footfall: 1
name: ball
bodies: {ball: {joint: free,
  inertial: {mass: 1, com: [0, 0, 0], inertia: [1, 1, 1]}, shapes: [{sphere: 0.05}]}}
"""
FALL = """footfall: 1
title: A ball falls & lands
robot: ball.yaml
place: {pos: [0, 0, 1]}
solver: {method: rk4, step: 1 ms}
record: {rate: 100, channels: [base, energy]}
time: 0.4
"""


@pytest.fixture
def scene(tmp_path):
    (tmp_path / "ball.yaml").write_text(BALL)
    (tmp_path / "s.yaml").write_text(FALL)
    return ff.Scene(tmp_path / "s.yaml")


def test_channels_are_arrays(scene):
    run = scene.run()
    recording = run.recording
    t = recording.time
    assert len(recording) == 41 and t[-1] == 0.4
    z = recording["base.pos.z"]
    assert np.abs(z - (z[0] - 9.81 / 2 * t**2)).max() < 1e-12  # [m] rk4 is exact for a parabola
    assert recording["base.pos"].shape == (41, 3) and recording.columns("base.pos") == ("x", "y", "z")
    assert recording.units["base.pos"] == "m" and recording.units["energy.total"] == "J"
    assert np.ptp(recording["energy.total"]) < 1e-10
    assert "base.pos.z" in recording and "base.pos.w" not in recording and "base.pos" in list(recording)
    with pytest.raises(ff.NotFound, match="did you mean 'base.pos.z'"):
        recording["base.poz.z"]
    with pytest.raises(TypeError):
        recording.read(3)
    assert run.recording is recording and recording.ended and "A ball falls" in recording.scene_text
    kept = recording["base.pos.z"]
    with recording:
        assert repr(recording).startswith("<footfall.Recording: 41 rows of")
    assert kept[0] == z[0] and repr(recording) == "<footfall.Recording: closed>"
    with pytest.raises(ff.Closed):
        recording.read("time")


def test_a_run_is_recorded_while_it_goes_on(scene):
    run = ff.Run(scene)
    run.sim.run(0.1)
    assert len(run.recording) == 11
    run.sim.run(0.2)
    assert len(run.recording) == 21


def test_what_is_recorded_can_be_chosen(scene):
    assert set(ff.Run(scene, record=["com.pos"]).recording) == {"time", "com.pos"}
    assert {"q", "energy.total", "base.pos"} <= set(ff.Run(scene).recording)
    with pytest.raises(ff.NotFound, match="nothing was recorded"):
        ff.Run(scene, record=False).recording
    with pytest.raises(ff.Error, match='no channel fits "knee"'):
        ff.Run(scene, record=["knee"])


def test_files_of_the_program_are_read(scene, tmp_path):
    from footfall import _core

    run = scene.run()
    _core.save_run(run, tmp_path)
    again = ff.Recording(tmp_path)
    assert (again["base.pos"] == run.recording["base.pos"]).all() and again.path.endswith("run.h5")
    assert ff.Recording(str(tmp_path / "run.h5")).time[-1] == 0.4
    with pytest.raises(ff.NotFound):
        ff.Recording(tmp_path / "nowhere.h5")
    (tmp_path / "text.h5").write_text("no recording")
    with pytest.raises(ff.BadFile):
        ff.Recording(tmp_path / "text.h5")


def test_figures_are_svg(scene, tmp_path):
    recording = scene.run().recording
    figure = recording.plot("base.pos", "energy.total", "base.velocity.z", title="a < b & c")
    text = figure._repr_html_()
    root = xml.etree.ElementTree.fromstring(text)  # well-formed, whatever the names hold
    words = [e.text for e in root.iter() if e.tag.endswith("text")]
    assert {"a < b & c", "x", "y", "z", "base.pos [m]", "energy.total [J]", "time [s]"} <= set(words)
    figure.save(tmp_path / "f.svg")
    assert (tmp_path / "f.svg").read_text() == text
    with pytest.raises(ff.NotFound):
        recording.plot("knee")
    # A line through two points runs from corner to corner: 4 % of the range are free above and below, 6.5 of 176 px.
    (path,) = re.findall(r'<path d="([^"]*)"', ff.plot([0, 1], [0, 10]).svg())
    assert path == "M74.0 179.5L706.0 16.5"
    gap = ff.plot([0, 1, 2, 3], [0, 1, np.nan, 3]).svg()
    assert re.search(r'd="M[^M]*L[^ML]*M[^L]*"', gap)
    with pytest.raises(ValueError, match="shape"):
        ff.plot([0, 1, 2], {"short": [1, 2]})
    peak = np.zeros(100000)
    peak[54321] = 1.0
    assert " 16.5L" in ff.plot(np.arange(100000), peak).svg()  # thinned, but no peak is lost


def words_of(figure):
    """Texts of a figure with their size [px]."""
    root = xml.etree.ElementTree.fromstring(figure.svg())
    return [(e.text, float(e.get("font-size", 12))) for e in root.iter() if e.tag.endswith("text")]


def test_long_words_keep_to_their_room():
    """A letter of Helvetica has a width of 0.55 sizes of the font on average; panels are 720 px wide."""
    long = "a rather long word that says more than there is room for, " * 4
    figure = ff.plot([0, 1], {long: [1, 2], "short": [2, 3]}, long, long, title=long)
    for text, size in words_of(figure):
        assert 0.55 * size * len(text) < 700 and size >= 9
        assert text in ("short", *(t for t, _ in words_of(ff.plot([0, 1], [1, 3])))) or ".." in text
    numbers = [text for text, _ in words_of(ff.plot([0, 1], [1e6, 1e6 + 1e-3]))]
    assert "1000000" in numbers and "1000000.0002" in numbers  # neighbours are distinguished


def test_legends_hold_names_alone():
    unnamed = ff.Figure().panel([0, 1], {"x": [1, 2], "y": [2, 3]}).panel([0, 1], [3, 4])
    assert unnamed.svg().count('stroke-width="2"') == 2  # lines of the legend
    many = ff.plot([0, 1], {f"curve {i}": [i, i] for i in range(40)})
    texts = [text for text, _ in words_of(many)]
    assert "curve 22" in texts and "curve 23" not in texts and "and 17 more" in texts
    strokes = re.findall(r'<path [^>]*(stroke="[^"]*") stroke-width="1.6"( stroke-dasharray="[^"]*")?', many.svg())
    assert len(set(strokes[:32])) == 32  # eight colours by four dashes


@pytest.mark.parametrize("make, says", [
    (lambda: ff.plot([0, 1], {}), "curves is empty"),
    (lambda: ff.Figure("nothing").svg(), "the figure is empty"),
    (lambda: ff.plot([0], [1]), "two points or more"),
    (lambda: ff.plot([0, 1], [0, 1]).save("figure.png"), "'figure.png' does not end in .svg: .* rsvg-convert"),
    (lambda: ff.plot([0, 1], [0, 1]).save("figure"), "does not end in .svg"),
    (lambda: ff.Report("page").save("report.pdf"), "'report.pdf' does not end in .html"),
])
def test_what_cannot_be_drawn_or_written_is_refused(tmp_path, monkeypatch, make, says):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ff.BadArgument, match=says):
        make()
    assert not list(tmp_path.iterdir())


def test_ticks_are_round():
    from footfall.figure import ticks

    assert ticks(0, 1) == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1])
    assert ticks(-7, 13) == pytest.approx([-5, 0, 5, 10])
    assert ticks(1e-9, 3e-9) == pytest.approx([1e-9, 1.5e-9, 2e-9, 2.5e-9, 3e-9])
    assert ticks(2, 2) == [2]


def test_the_report_is_a_page(scene, tmp_path):
    run = scene.run()
    try:
        report = run.report()
    except ff.NotBuilt:
        pytest.skip("built without pages")
    assert report.page.lstrip().lower().startswith("<!doctype html") and "A ball falls" in report.page
    assert '"finished"' in report.page
    inline = report._repr_html_()
    assert inline.startswith("<iframe srcdoc=") and inline.count("<iframe") == 1 and inline.count("<script") == 0
    report.save(tmp_path / "r.html")
    assert (tmp_path / "r.html").read_text() == report.page


def test_certificates_have_bars(scene):
    run = scene.run()
    certificate = run.certify()
    assert certificate.certainty == "resolved" and "agree" in certificate.text
    assert certificate.bars["energy.final"] < 1e-9 and set(certificate.bars) == set(run.metrics)
    assert "error bar" in certificate._repr_html_()
    assert run.sim.time == 0.4  # the run itself is left as it was


def test_what_rests_is_resolved():
    certificate = ff.Scene.of_robot(ROOT / "examples" / "dog.yaml", "standing", time=0.1).run().certify()
    assert certificate.certainty == "resolved" and "nothing moved by more than" in certificate.text


def test_ctrl_c_ends_a_certificate(scene):
    run = ff.Run(ff.Scene(scene.path, time="100000 s"), record=False)
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    start = time.process_time()
    with pytest.raises(KeyboardInterrupt):
        run.certify()
    assert time.process_time() - start < 2


def test_nothing_stays_behind(scene, tmp_path, monkeypatch):
    (tmp_path / "there").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "there"))  # other programs use /tmp at the same time
    for _ in range(3):
        run = scene.run()
        run.recording.plot("energy.total").svg()
        assert os.listdir(tmp_path / "there")
        run.recording.close()
    del run
    gc.collect()
    assert not os.listdir(tmp_path / "there")
