# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
"""The blocks of docs/python-tutorial.md run as they stand, and what the page says of them is so."""

import pathlib
import re

import footfall as ff
import numpy as np
import pytest
from conftest import ROOT

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "python-tutorial.md"


def test_the_tutorial_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names = {}
    for match in re.finditer(r"^```python\n(.*?)^```$", PAGE.read_text(), re.S | re.M):
        line = PAGE.read_text().count("\n", 0, match.start(1))
        try:
            exec(compile("\n" * line + match.group(1), str(PAGE), "exec"), names)
        except ff.NotBuilt:
            pytest.skip("built without pages")
    said = capsys.readouterr().out
    assert "dog: 12.0 kg, 18 degrees of freedom, legs FL, FR, RL, RR" in said
    assert re.search(r"wrong.yaml:\d+:\d+: error: unknown key 'mas'; did you mean 'mass'\?", said)
    assert names["carried"] == pytest.approx(9.81 * names["dog"].mass, rel=1e-3)
    # While it slides the dog goes as far as the block, and up to 3 cm farther by what its legs give.
    slid, block = np.array(names["slid"]), names["block"]
    ahead = names["friction"] < 0.42
    assert (slid[ahead] > block[ahead]).all() and (slid[ahead] < block[ahead] + 0.03).all()
    assert (np.abs(slid[~ahead]) < 0.03).all()
    assert names["certificate"].certainty in ("resolved", "unresolved", "chaotic")
    for file in ("push.svg", "friction.svg", "report.html"):
        assert (tmp_path / file).stat().st_size > 1000
    figure = PAGE.parent / "figures" / "python-tutorial.svg"
    assert figure.read_text() == (tmp_path / "friction.svg").read_text(), "the figure of the page is another"


SOLO = ROOT.parent / "shared/models/urdf/example-robot-data/robots/solo_description/robots/solo12.urdf"


@pytest.mark.skipif(not SOLO.exists(), reason="the external models are not here")
def test_a_urdf_is_dropped(tmp_path, monkeypatch):
    """The block of docs/python.md: the floor brings the momentum that gravity does not explain."""
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "python.md").read_text()
    (block,) = re.findall(r'^```python\n(model = ff.load_model\("solo12.urdf".*?)^```$', page, re.S | re.M)
    names = {"ff": ff}
    exec(block.replace("solo12.urdf", str(SOLO)), names)
    model, sim = names["model"], names["sim"]
    impulse = 1e-3 * sum(names["forces"])  # [N s], forces at the ends of milliseconds, of peaks that last 5 ms
    assert impulse == pytest.approx(9.81 * model.mass * sim.time + sim.momentum()[5], rel=0.05)
    assert min(names["forces"]) >= 0 and (tmp_path / "drop.svg").exists()
