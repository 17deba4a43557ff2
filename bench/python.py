# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
"""What Python costs: single steps of ANTON beside the loop in C (bench_steps), an attribute that is a view, the import.

Times are processor time, the best of several blocks; C and Python take turns, as a machine with neighbours may be half
as fast for a minute. Run by scripts/bench from the root of the tree.
"""
import os
import resource
import subprocess
import sys
import time
import warnings

SIMULATED = 2.0  # [s], as in bench_steps.c


def time_import():
    """Seconds that `import footfall` adds to an interpreter, the best of several."""
    def run(code):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", code], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    return min(run("import footfall") for _ in range(9)) - min(run("pass") for _ in range(9))


def time_steps_by_c(folder):
    """Microseconds of a step, the best of five runs."""
    said = subprocess.run([os.path.join(folder, "bench_steps")], capture_output=True, text=True, check=True).stdout
    return float(said.split()[-2])


def time_steps(scene):
    """Microseconds of a step."""
    import footfall as ff

    sim = ff.Run(scene, record=False).sim
    sim.step()
    start, steps = time.process_time(), 0
    while sim.time < SIMULATED:
        sim.step()
        steps += 1
    return 1e6 * (time.process_time() - start) / steps


def time_view(sim):
    """Microseconds of `sim.q`, the loop around it taken away."""
    count = 200_000

    def block(look):
        start = time.process_time()
        if look:
            for _ in range(count):
                sim.q
        else:
            for _ in range(count):
                sim
        return 1e6 * (time.process_time() - start) / count

    return min(block(True) for _ in range(5)) - min(block(False) for _ in range(5))


def report(what, value, unit, met):
    print(f"{what:58s}{value:10.3f} {unit:3s}  {'met' if met else 'MISSED'}")


def main():
    import footfall as ff

    warnings.simplefilter("ignore")
    scene = ff.Scene("experiments/anton-tripod.yaml", overrides=["record={channels: []}"])
    turns = [(time_steps_by_c(sys.argv[1]), min(time_steps(scene) for _ in range(3))) for _ in range(3)]
    by_c, ours = (min(times) for times in zip(*turns))
    report("a single step of ANTON by C", by_c, "us", True)
    report("the same from Python", ours, "us", True)
    report("C over Python, wanted >= 0.7", by_c / ours, "", by_c / ours >= 0.7)
    view = time_view(ff.Run(scene, record=False).sim)
    report("the attribute sim.q, wanted < 0.2 us", view, "us", view < 0.2)
    imported = 1e3 * time_import()
    report("import footfall, wanted < 50 ms", imported, "ms", imported < 50.0)


if __name__ == "__main__":
    main()
