# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
"""ANTON walks, gets a command to slow down, and the forces of its feet are drawn."""
import sys

import footfall as ff

run = ff.Run(ff.Scene("experiments/anton-tripod.yaml", expect=[]))
run.sim.run(4.0)  # to the time [s]
run.command({"speed": 0.05})  # [m/s]; it walked at 0.1 before
run.go()  # to the end of the scene
figure = run.recording.plot("feet.force.*.z", "base.pos.x", "walk.margin", title=run.scene.title)
path = sys.argv[1] if len(sys.argv) > 1 else "walk_anton.svg"
figure.save(path)
print(f"walked {run.sim.q[0]:.2f} m in {run.sim.time:.0f} s; the figure: {path}")
