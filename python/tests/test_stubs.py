# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
"""The type stubs list what the module has, no more and no less, with the same arguments."""
import ast
import pathlib

import footfall as ff
import pytest

STUB = ast.parse((pathlib.Path(ff.__file__).parent / "__init__.pyi").read_text())
CLASSES = {node.name: node for node in STUB.body if isinstance(node, ast.ClassDef)}


def stub_names(node):
    names = set()
    for item in node.body:
        if isinstance(item, ast.FunctionDef):
            names.add(item.name)
        elif isinstance(item, ast.AnnAssign):
            names.add(item.target.id)
    return {name for name in names if not name.startswith("_")}


@pytest.mark.parametrize("name", CLASSES)
def test_a_class_has_the_names_of_its_stub(name):
    real = getattr(ff, name)
    there = {n for n in dir(real) if not n.startswith("_")}
    if issubclass(real, tuple):  # a word of Python cannot stand in a stub, nor the methods of every tuple
        there -= {"count", "index", "n_fields", "n_sequence_fields", "n_unnamed_fields", "is"}
    assert stub_names(CLASSES[name]) == there


def test_every_name_of_the_module_has_a_stub():
    stubs = set(CLASSES) | {node.name for node in STUB.body if isinstance(node, ast.FunctionDef)}
    imports = [node for node in STUB.body if isinstance(node, ast.ImportFrom)]
    stubs |= {alias.asname or alias.name for node in imports for alias in node.names}
    modules = ("distributions", "figure", "results", "env", "spaces")
    public = {name for name in dir(ff) if not name.startswith("_") and name not in modules}  # as help() lists them
    assert public == {name for name in stubs if not name.startswith("_") and hasattr(ff, name)}
    assert {"plot", "Recording"} <= public


@pytest.mark.parametrize("name", ["Sim", "Run", "Scene", "Spec", "Model", "Batch"])
def test_methods_take_the_arguments_of_their_stub(name):
    for item in CLASSES[name].body:
        signature = getattr(getattr(ff, name), getattr(item, "name", ""), None)
        signature = getattr(signature, "__text_signature__", None)
        if not isinstance(item, ast.FunctionDef) or not signature or item.name.startswith("_"):
            continue
        real = ast.parse(f"def f{signature.replace('$', '')}: ...").body[0].args
        if real.kwarg or item.decorator_list:
            continue
        for kind in ("args", "kwonlyargs"):
            assert [a.arg for a in getattr(real, kind)] == [a.arg for a in getattr(item.args, kind)], item.name
