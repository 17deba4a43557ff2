# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
"""The codec in Python (examples/link/telegram.py) on a telegram that C has packed: read_sample.py SOURCE_DIR"""
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1] + "/examples/link")
import telegram  # noqa: E402

data = bytes.fromhex(open(sys.argv[1] + "/tests/bus/link/sample.hex").read())
head, payload = telegram.unseal(data)
items = telegram.unpack_items(payload)
assert head["type"] == telegram.REFERENCES and head["sequence"] == 40 and head["counter"] == 0xFFFFFFFF
assert head["interface"] == 0x8000000000000001 and head["time"] == 1.5 and head["sent"] == -7
assert items["sequence"] == 12 and items["conditions"] == 6 and items["time"] == 1500000000
assert items["values"] == [0.125, None, -3.0] and items["ages"] == [500000, 0, 0] and items["signals"] == [-0.5, 1e300]
packed = telegram.pack_items(items["values"], 12, 1500000000, 6, items["signals"], items["ages"])
again = telegram.seal(head["type"], packed, 40, 0xFFFFFFFF, head["interface"], 1.5, -7)
assert again == data
# the short form: 0.125 and -3 as IEEE 754 has them, 0x3E000000 and 0xC0400000
short = bytes.fromhex("050000003e000040c0")
assert telegram.pack_short([0.125, None, -3.0]) == short
assert telegram.unpack_short(short, 3) == [0.125, None, -3.0]
for i in range(len(data)):
    try:
        telegram.unseal(data[:i] + bytes([data[i] ^ 4]) + data[i + 1:])
        raise SystemExit("byte %d may be anything" % i)
    except ValueError:
        pass
print("3 items and 2 signals read and packed again: 1 passed, 0 failed")
