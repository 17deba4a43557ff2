# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
"""The wheel: whole, named by its tag, and what comes out of it works where nothing else is."""
import base64
import hashlib
import os
import pathlib
import subprocess
import sys
import zipfile

import footfall as ff
import pytest
from conftest import ROOT, SANITIZED

sys.path.insert(0, str(ROOT / "python"))
import wheel  # noqa: E402


@pytest.mark.skipif(SANITIZED, reason="the module as users get it")
def test_a_wheel_is_whole_and_works(tmp_path):
    package = pathlib.Path(ff.__file__).parent
    path = wheel.pack(package, "0.1.0", tmp_path)
    assert path.name == f"footfall-0.1.0-cp311-abi3-linux_{os.uname().machine}.whl"
    with zipfile.ZipFile(path) as archive:
        names = set(archive.namelist())
        record = archive.read("footfall-0.1.0.dist-info/RECORD").decode().splitlines()
        for name, digest, size in (line.split(",") for line in record):
            data = archive.read(name)
            if digest:
                hashed = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
                assert digest == "sha256=" + hashed and int(size) == len(data)
        archive.extractall(tmp_path / "there")
    assert {line.split(",")[0] for line in record} == names
    assert {"footfall/_core.abi3.so", "footfall/__init__.py", "footfall/__init__.pyi", "footfall/py.typed"} <= names
    code = "import footfall as ff; print(ff.__file__, ff.Spec('x').compile().nv)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path,
                          env={"PYTHONPATH": str(tmp_path / "there")})
    assert said.stdout.split() == [str(tmp_path / "there" / "footfall" / "__init__.py"), "0"]


def test_the_same_files_make_the_same_wheel(tmp_path):
    (tmp_path / "footfall").mkdir()
    (tmp_path / "footfall" / "__init__.py").write_text("")
    one = wheel.pack(tmp_path / "footfall", "0.1.0", tmp_path / "one").read_bytes()
    assert one == wheel.pack(tmp_path / "footfall", "0.1.0", tmp_path / "two").read_bytes()
