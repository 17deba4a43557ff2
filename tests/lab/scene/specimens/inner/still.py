# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
# Takes what it is given, and does nothing.


def start(robot):
    assert robot.parameters["size"] == 1


def command(t, values):
    assert values["go"] == 1


def cycle(t, sensors, references):
    pass
