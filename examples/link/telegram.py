# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# Made from src/bus/link/telegram.py.in by scripts/telegram: change that.
"""Telegrams between a robot and its controller: docs/link.md describes every byte. Needs nothing but Python."""
import struct
import zlib

HELLO = 1  # the controller requests the interface of the robot; no payload
INTERFACE = 2  # the robot's answer: period, clock, names and units of the items of both frames
SENSORS = 3  # the robot's sensors
REFERENCES = 4  # the controller's answer to the sensors whose counter it carries, and its signals
BYE = 5  # the sender ends; the payload says why, as UTF-8; the controller answers it by its own

MAGIC, VERSION = 0x4B4C4646, 1
OLDEST = 0xFFFFFFFF  # an age that says: that long or longer

_HEAD = struct.Struct(
    "<"
    "I"  # magic: `FFLK`
    "H"  # version: 1
    "H"  # type: what it is for, above
    "I"  # length: of the whole telegram, head and checksum included
    "I"  # sequence: number of the sender's telegrams, sent again or not
    "I"  # counter: working counter: the robot counts its cycles, an answer copies it
    "I"  # form: of items: 0, or 1 for the short form; an answer copies it
    "Q"  # interface: hash of names and units of both frames; 0 in `HELLO` of one that does not know it
    "d"  # time: of the robot's clock at the cycle
    "q"  # sent: the sender's own clock, to measure round trips; an answer copies that of the robot
)
_HEAD_NAMES = (
    "magic",
    "version",
    "type",
    "length",
    "sequence",
    "counter",
    "form",
    "interface",
    "time",
    "sent",
)
_ITEMS = struct.Struct(
    "<"
    "I"  # count: items of the frame
    "I"  # signals: numbers of the controller that the robot records; 0 from the robot
    "I"  # sequence: number of the frame
    "I"  # conditions: that the controller meets, a bit each; 0 from the robot
    "q"  # time: of the frame
)
_INTERFACE = struct.Struct(
    "<"
    "d"  # period: between two cycles
    "I"  # lockstep: 1: the robot waits for each answer; 0: it runs in real time
    "I"  # sensors: items of a frame of sensors
    "I"  # references: items of a frame of references
    "I"  # signals: numbers of the controller that the robot records
)


def seal(kind, payload=b"", sequence=0, counter=0, interface=0, time=0.0, sent=0, form=0):
    """The bytes of a telegram."""
    length = _HEAD.size + len(payload) + 4
    data = _HEAD.pack(MAGIC, VERSION, kind, length, sequence, counter, form, interface, time, sent) + payload
    return data + struct.pack("<I", zlib.crc32(data))


def unseal(data):
    """Head (a dict) and payload of a telegram; ValueError where it is damaged."""
    if len(data) < _HEAD.size + 4:
        raise ValueError("too short for a telegram")
    head = dict(zip(_HEAD_NAMES, _HEAD.unpack_from(data)))
    if head["magic"] != MAGIC or head["version"] != VERSION or head["length"] != len(data):
        raise ValueError("no telegram of this version")
    if zlib.crc32(data[:-4]) != struct.unpack("<I", data[-4:])[0]:
        raise ValueError("wrong checksum")
    return head, data[_HEAD.size:-4]


def _fill(data):
    return data + bytes(-len(data) % 8)


def pack_items(values, sequence=0, time_ns=0, conditions=0, signals=(), ages=None):
    """The payload of sensors or references. `values`: numbers, None where there is no value. `ages`: [ns]"""
    bits = bytearray((len(values) + 7) // 8)
    for i, value in enumerate(values):
        bits[i // 8] |= (value is not None) << i % 8
    ages = [0] * len(values) if ages is None else ages
    data = _ITEMS.pack(len(values), len(signals), sequence, conditions, time_ns) + _fill(bytes(bits))
    data += _fill(struct.pack("<%dI" % len(ages), *ages))
    data += struct.pack("<%dd" % len(values), *(0.0 if value is None else value for value in values))
    return data + struct.pack("<%dd" % len(signals), *signals)


def unpack_items(payload):
    """A dict with sequence, conditions, time [ns], values (None: no value), ages [ns], signals."""
    count, nsignal, sequence, conditions, time = _ITEMS.unpack_from(payload)
    at = _ITEMS.size
    bits = payload[at:at + (count + 7) // 8]
    at += (len(bits) + 7) // 8 * 8
    ages = struct.unpack_from("<%dI" % count, payload, at)
    at += (4 * count + 7) // 8 * 8
    values = struct.unpack_from("<%dd" % count, payload, at)
    signals = struct.unpack_from("<%dd" % nsignal, payload, at + 8 * count)
    values = [value if bits[i // 8] >> i % 8 & 1 else None for i, value in enumerate(values)]
    return {"sequence": sequence, "conditions": conditions, "time": time, "values": values, "ages": list(ages),
            "signals": list(signals)}


def pack_short(values):
    """The short form of a payload (form 1): values alone, None where there is none."""
    bits = sum((value is not None) << i for i, value in enumerate(values))
    known = [value for value in values if value is not None]
    return bits.to_bytes((len(values) + 7) // 8, "little") + struct.pack("<%df" % len(known), *known)


def unpack_short(payload, count):
    """The values of the short form of a frame of `count` items, None where there is none."""
    size = (count + 7) // 8
    bits = int.from_bytes(payload[:size], "little")
    known = iter(struct.unpack("<%df" % ((len(payload) - size) // 4), payload[size:]))
    return [next(known) if bits >> i & 1 else None for i in range(count)]


def unpack_interface(payload):
    """A dict with period [s], lockstep, and sensors, references, signals: lists of (name, unit)."""
    period, lockstep, *counts = _INTERFACE.unpack_from(payload)
    at, texts = _INTERFACE.size, []
    while at < len(payload):
        texts.append(payload[at + 1:at + 1 + payload[at]].decode())
        at += 1 + payload[at]
    names = list(zip(texts[::2], texts[1::2]))
    ends = [0, counts[0], counts[0] + counts[1], sum(counts)]
    lists = [names[ends[k]:ends[k + 1]] for k in range(3)]
    return {"period": period, "lockstep": bool(lockstep), "sensors": lists[0], "references": lists[1],
            "signals": lists[2]}
