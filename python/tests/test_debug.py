# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
"""Debian's debug interpreter, whose assertions notice wrong counts of references and exceptions that were left
behind."""
import os
import subprocess

import footfall as ff
import pytest
from conftest import ROOT, SANITIZED

PYTHON = "/usr/bin/python3-dbg"
CODE = f"""
import gc, footfall as ff
model = ff.load_model({str(ROOT / "examples" / "dog.yaml")!r})
spec = ff.Spec.load({str(ROOT / "examples" / "dog.yaml")!r})
for _ in range(4):
    sim = ff.Sim(model, key="stand")
    q = sim.q
    sim.step()
    sim.contacts, sim.feet, sim.energy, sim.mass_matrix(), sim.linearise(), sim.pose("trunk")
    sim.restore(sim.save())
    for wrong in (lambda: sim.apply("x"), lambda: setattr(sim, "q", [1]), lambda: spec.add_body("x", mas=1),
                  lambda: setattr(spec.body("trunk"), "x", 1), lambda: ff.Scene.from_text("x")):
        try:
            wrong()
        except (ff.Error, AttributeError):
            pass
    ff.run_batch([sim], 0.01)
    sim.close()
    spec.compile(), repr(spec.bodies), dir(spec.body("trunk"))
    gc.collect()
print("done", q.shape[0])
"""


@pytest.mark.skipif(SANITIZED or not os.path.exists(PYTHON), reason="python3-dbg is not here")
def test_the_debug_interpreter_finds_nothing():
    folder = os.path.dirname(os.path.dirname(ff.__file__))
    said = subprocess.run([PYTHON, "-X", "dev", "-W", "ignore", "-c", CODE], capture_output=True, text=True,
                          env={"PYTHONPATH": folder, "PYTHONDONTWRITEBYTECODE": "1"}, timeout=120, check=False)
    assert said.returncode == 0 and said.stdout == "done 19\n", said.stderr
