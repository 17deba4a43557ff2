# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
"""wheel.py PACKAGE VERSION OUT: packs the folder PACKAGE as a wheel into the folder OUT and prints its path.

A wheel is a zip file with a list of hashes (packaging.python.org, binary distribution format), so that no tool and no
network is needed. Its tag says what it runs on: Python 3.11 and later by the limited interface, Linux on this machine.
It uses the libraries of Debian 12 that the build was made with, and is not for other systems.
"""
import base64
import hashlib
import pathlib
import platform
import sys
import zipfile

METADATA = """Metadata-Version: 2.1
Name: footfall
Version: {version}
Summary: Multibody simulation of walking robots with contact forces one can trust
License: Apache-2.0
Requires-Python: >=3.11
Requires-Dist: numpy
"""
WHEEL = """Wheel-Version: 1.0
Generator: footfall
Root-Is-Purelib: false
Tag: {tag}
"""
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the same files make the same wheel


def files_of(package):
    for path in sorted(package.iterdir()):
        if path.suffix in (".py", ".pyi", ".so") or path.name == "py.typed":
            yield f"footfall/{path.name}", path.read_bytes()


def pack(package, version, out):
    tag = f"cp311-abi3-linux_{platform.machine()}"
    info = f"footfall-{version}.dist-info"
    files = dict(files_of(package))
    files[f"{info}/METADATA"] = METADATA.format(version=version).encode()
    files[f"{info}/WHEEL"] = WHEEL.format(tag=tag).encode()
    record = []
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record.append(f"{name},sha256={digest},{len(data)}\n")
    files[f"{info}/RECORD"] = ("".join(record) + f"{info}/RECORD,,\n").encode()
    out.mkdir(parents=True, exist_ok=True)
    wheel = out / f"footfall-{version}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, LONG_AGO)
            entry.external_attr = (0o755 if name.endswith(".so") else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return wheel


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    print(pack(pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])))
