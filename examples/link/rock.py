#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
"""A controller of a robot at the other end of UDP, with nothing but Python: rocks the body to and fro on its feet.

    python3 examples/link/rock.py PORT
"""
import math
import socket
import sys

import telegram


def meet(wire):
    """Asks the robot for its interface until it answers, and says that we know it now. Returns hash and interface."""
    while True:
        try:
            wire.send(telegram.seal(telegram.HELLO))
            head, payload = telegram.unseal(wire.recv(65536))
        except (socket.timeout, ConnectionRefusedError, ValueError):
            continue
        if head["type"] == telegram.INTERFACE:
            wire.send(telegram.seal(telegram.HELLO, interface=head["interface"]))
            return head["interface"], telegram.unpack_interface(payload)


def work(wire, number, interface, control):
    """Answers the frames of the robot until it says that it is over; a frame that comes twice gets the same answer."""
    last, answer = None, b""
    while True:
        try:
            head, payload = telegram.unseal(wire.recv(65536))
        except socket.timeout:
            wire.send(telegram.seal(telegram.HELLO, interface=number))  # ours may have been lost
            continue
        except ValueError:
            continue  # damaged: the robot sends it again
        if head["type"] == telegram.BYE:
            wire.send(telegram.seal(telegram.BYE, interface=number))
            return payload.decode()
        if head["type"] != telegram.SENSORS or head["interface"] != number:
            continue
        if head["counter"] != last:
            values = control(head["time"], telegram.unpack_items(payload)["values"])
            answer = telegram.pack_items(values, time_ns=round(1e9 * head["time"]))
            last = head["counter"]
        wire.send(telegram.seal(telegram.REFERENCES, answer, counter=head["counter"], interface=number,
                                time=head["time"], sent=head["sent"]))


def rock(interface):
    """Swings all legs alike, so that the body moves the other way above feet that stand."""
    shoulders = [(i, name.split(".")[1]) for i, (name, unit) in enumerate(interface["references"])
                 if name.endswith("_coxa.position")]
    pots = {name: i for i, (name, unit) in enumerate(interface["sensors"])}
    start = {}

    def control(t, sensors):
        references = [None] * len(interface["references"])  # None: as before
        for i, joint in shoulders:
            seen = sensors[pots["sensors.pot_%s.position" % joint]]
            if joint not in start and seen is not None:
                start[joint] = (t, seen)
            if joint in start:
                begun, angle = start[joint]
                references[i] = angle + 0.05 * math.sin(2 * math.pi * 0.5 * (t - begun))
        return references

    return control


if __name__ == "__main__":
    wire = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    wire.connect(("127.0.0.1", int(sys.argv[1])))
    wire.settimeout(0.1)
    number, interface = meet(wire)
    print("the robot ended:", work(wire, number, interface, rock(interface)))
