# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
"""Robots built and edited in Python."""
import footfall as ff
import numpy as np
import pytest
from conftest import ROOT

DOG = ROOT / "examples" / "dog.yaml"


def test_what_is_built_in_code_is_what_a_file_says():
    spec = ff.Spec("arm")
    spec.add_body("upper", mass=2.0, com=[0, 0, -0.2], inertia=[0.02, 0.02, 0.001, 0, 0, 0])
    spec.add_body("lower", parent="upper", pos=[0, 0, -0.4], mass=1.0, com=[0, 0, -0.2],
                  inertia=[0.01, 0.01, 0.001, 0, 0, 0])
    spec.add_joint("shoulder", "upper", axis=[0, 1, 0], damping=0.1)
    spec.add_joint("elbow", "lower", "hinge", axis=[0, 1, 0], range=[-2.0, 0.1])
    text = """<mujoco model="arm"><compiler angle="radian"/><worldbody>
      <body name="upper"><joint name="shoulder" axis="0 1 0" damping="0.1"/>
        <inertial pos="0 0 -0.2" mass="2" diaginertia="0.02 0.02 0.001"/>
        <body name="lower" pos="0 0 -0.4"><joint name="elbow" axis="0 1 0" limited="true" range="-2 0.1"/>
          <inertial pos="0 0 -0.2" mass="1" diaginertia="0.01 0.01 0.001"/></body></body></worldbody></mujoco>"""
    built, read = spec.compile(), ff.Spec.from_text(text, "mjcf").compile()
    assert built.joints == read.joints == ("shoulder", "elbow") and built.bodies == read.bodies
    ends = []
    for model in (built, read):
        sim = ff.Sim(model, "rk4", contacts=False)
        sim.q = [1.0, -0.5]
        sim.run(0.5)
        ends.append(sim.q.copy())
    assert ends[0] == pytest.approx(ends[1], abs=1e-12)


def test_a_file_can_be_edited_and_written(tmp_path):
    spec = ff.Spec.load(DOG)
    trunk, before = spec.body("trunk"), spec.compile().mass
    trunk.mass += 1.0
    assert spec.compile().mass == pytest.approx(before + 1.0, abs=1e-9)
    spec.joint("FL_knee").damping = 0.7
    assert spec.compile().joint("FL_knee").damping == 0.7
    with pytest.warns(ff.Warning):
        spec.save(tmp_path / "dog.xml")
    again = ff.load_model(tmp_path / "dog.xml")
    assert again.mass == pytest.approx(before + 1.0, abs=1e-9) and again.nv == 18


def test_two_robots_can_be_joined():
    scene = ff.Spec("two")
    for prefix, x in (("a_", -1.0), ("b_", 1.0)):
        dog = ff.Spec.load(DOG)
        dog.key("stand").q = None  # which has the numbers of one dog
        scene.attach(dog, prefix, pos=[x, 0, 0])
    model = scene.compile()
    assert "a_trunk" in model.bodies and "b_trunk" in model.bodies and model.nv == 36
    assert model.q0[0] == pytest.approx(-1.0) and model.q0[model.joint("b_trunk").qadr] == pytest.approx(1.0)


def test_every_kind_of_item_takes_its_fields_and_gives_them_back():
    spec = ff.Spec()
    spec.add_body("base")
    spec.add_joint("slide", "base", "slide")
    spec.add_mesh("tetra", vertices=[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
                  triangles=[[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
    made = [
        (spec.add_geom("tip", "base", "mesh", mesh="tetra", density=1000.0), "mesh", "tetra"),
        (spec.add_frame("eye", "base", pos=[0, 0, 1]), "body", "base"),
        (spec.add_actuator("motor", "slide", "position", gain=3.0, force_range=[-1, 1]), "force_limited", True),
        (spec.add_drive("drive", "slide", settings={"kind": "ideal", "motor.power": 8.5}), "settings",
         {"kind": "ideal", "motor.power": 8.5}),
        (spec.add_battery("cell", voltage=12.0, capacity=100.0), "voltage", 12.0),
        (spec.add_sensor("where", "jointpos", object_type="joint", object="slide"), "object", "slide"),
        (spec.add_equality("held", "joint", object1="slide"), "type", "joint"),
        (spec.add_exclude("base", ""), "body1", "base"),
        (spec.add_pair("tip", "ground", friction=[0.4, 0, 0], solref=[0.01, 1]), "geom2", "ground"),
        (spec.add_tendon("string", [{"type": "point", "name": "eye"}], range=[0, 1]), "limited", True),
        (spec.add_leg("leg", ["slide"], "eye"), "joints", ("slide",)),
        (spec.add_hand("hand", ["base"]), "bodies", ("base",)),
        (spec.add_material("mud", stiffness=2e4, friction_law="stribeck", mu_static=0.5), "friction_law", "stribeck"),
        (spec.add_biped("base", step_time=0.7), "step_time", 0.7),
    ]
    for item, field, value in made:
        assert getattr(item, field) == value
        assert field in dir(item)
    key = spec.add_key("home", [0.1])
    assert np.array_equal(key.q, [0.1]) and key.v is None
    assert spec.material("mud").stiffness == 2e4 and spec.meshes[0].name == "tetra"
    spec.geom("tip").body = None
    assert spec.geom("tip").body is None


def sliding(**actuator):
    """1 kg on a slide without gravity, pulled by a tendon of twice its way."""
    spec = ff.Spec()
    spec.gravity = [0, 0, 0]
    spec.add_body("cart", mass=1.0, inertia=[1, 1, 1, 0, 0, 0])
    spec.add_joint("way", "cart", "slide", axis=[1, 0, 0])
    tendon = spec.add_tendon("string", [{"type": "joint", "name": "way", "factor": 2.0}])
    if actuator:
        spec.add_actuator("pull", tendon="string", **actuator)
    else:
        tendon.stiffness = 3.0
    return spec


def test_a_tendon_pulls_by_its_lever():
    spec = sliding()
    assert spec.tendon("string").pieces[0]["name"] == "way" and spec.tendons[0].pieces[0]["factor"] == 2.0
    sim = ff.Sim(spec.compile(), contacts=False)
    sim.q = [0.1]
    assert sim.qacc[0] == pytest.approx(-2 * 3 * 2 * 0.1, rel=1e-12)  # lever, stiffness, length


def test_an_activation_follows_its_command():
    spec = sliding(gain=5.0, activation="filter", activation_time=0.2)
    sim = ff.Sim(spec.compile(), "rk4", step=1e-3, contacts=False, actuators=True)
    sim.command("pull", 1.0)
    sim.run(0.3)
    assert sim.qacc[0] == pytest.approx(2 * 5 * (1 - np.exp(-0.3 / 0.2)), rel=1e-6)


def test_a_muscle_of_its_optimal_length_gives_its_peak_force():
    spec = sliding(active_operating=[0.5, 1.5], active_force=7.0, active_shortest=0.4, active_longest=1.7,
                   active_speed=1.5, active_passive=1.3, active_lengthening=1.2, length_range=[-1, 1])
    sim = ff.Sim(spec.compile(), contacts=False, actuators=True)
    sim.command("pull", 1.0)
    assert sim.qacc[0] == pytest.approx(-2 * 7, rel=1e-12)  # at length 0: the middle of the range, at rest


def test_a_pair_meets_where_filters_say_no():
    spec = ff.Spec()
    spec.gravity = [0, 0, 0]
    for name, x in (("one", 0.0), ("two", 0.19)):
        spec.add_body(name, mass=1.0, inertia=[1, 1, 1, 0, 0, 0], pos=[x, 0, 0])
        spec.add_joint(name, name, "free")
        spec.add_geom(name, name, "sphere", size=[0.1, 0, 0], contype=0, conaffinity=0)
    for pairs in (0, 1):
        if pairs:
            spec.add_pair("one", "two")
        sim = ff.Sim(spec.compile())
        sim.run(0.05)
        assert (sim.q[7] - sim.q[0] > 0.191) == bool(pairs)


@pytest.mark.parametrize("wrong, error, words", [
    (lambda s: s.add_tendon("t", [{"type": "joint", "nam": "j"}]), ff.NotFound, "did you mean 'name'"),
    (lambda s: s.add_tendon("t", ["j"]), TypeError, "pieces must be a list of dicts"),
    (lambda s: s.add_tendon("t", 3), TypeError, "len"),
    (lambda s: s.add_body("x", mas=1.0), ff.NotFound, "did you mean 'mass'"),
    (lambda s: s.add_body("x", mass=float("nan")), ff.BadArgument, "mass is nan"),
    (lambda s: s.add_body("x", pos=[1, 2]), ff.BadArgument, "pos has 2 numbers"),
    (lambda s: s.add_body("x", pos="here"), TypeError, "pos must be numbers"),
    (lambda s: s.add_body(3), TypeError, "name must be a str"),
    (lambda s: s.add_body(), TypeError, "needs a name"),
    (lambda s: s.add_body("x", "base", 1, 2), TypeError, "by position"),
    (lambda s: s.add_joint("j", "bas"), ff.NotFound, "did you mean 'base'"),
    (lambda s: s.add_joint("j", "base", "hnge"), ff.NotFound, "did you mean 'hinge'"),
    (lambda s: s.add_material("m" * 60), ff.Limit, "at most 47"),
    (lambda s: s.add_mesh("m"), ff.BadArgument, "either a path, or vertices"),
    (lambda s: s.add_mesh("m", vertices=[[0, 0, 0]], triangles=[[0, 1, 7]]), ff.BadArgument, "vertex"),
    (lambda s: s.add_mesh("m", "no-such.stl"), ff.NotFound, "no-such"),
    (lambda s: s.add_leg("l", ["j"] * 9), ff.BadArgument, "joints has 9"),
    (lambda s: s.add_geom("g", "base", "sphere", contype=1.5), TypeError, "contype must be an int"),
    (lambda s: s.add_geom("g", "base", "sphere", contype=2**40), ff.BadArgument, "contype"),
    (lambda s: s.add_drive("d", settings=[1]), TypeError, "settings must be a dict"),
    (lambda s: setattr(s.body("base"), "mas", 1), AttributeError, "did you mean 'mass'"),
    (lambda s: delattr(s.body("base"), "mass"), AttributeError, "deleted"),
    (lambda s: s.attach(s), ff.BadArgument, "same Spec"),
    (lambda s: s.attach(3), TypeError, "Spec"),
    (lambda s: s.save("robot.txt"), ff.BadArgument, "robot.txt"),
    (lambda s: s.from_text("<robot", "urdf", "a.urdf"), ff.BadFile, "a.urdf:1:7"),
    (lambda s: s.from_text("x", "csv"), ff.BadArgument, "format is 'csv'"),
])
def test_what_is_wrong_is_named_and_changes_nothing(wrong, error, words):
    spec = ff.Spec()
    spec.add_body("base", mass=1.0, inertia=[1, 1, 1, 0, 0, 0])
    with pytest.raises(error, match=words):
        wrong(spec)
    assert len(spec.bodies) == 1 and not spec.joints and not spec.geoms and spec.body("base").mass == 1.0
    spec.compile()


def test_compiling_reports_every_problem():
    spec = ff.Spec()
    spec.add_joint("loose", None)
    spec.add_body("heavy", mass=-1.0)
    with pytest.raises(ff.BadModel) as caught:
        spec.compile()
    assert len(str(caught.value).splitlines()) >= 2


def test_no_type_is_refused():
    for add, arguments in (("add_joint", ("j", None, None)), ("add_actuator", ("a", 0, None)),
                           ("add_equality", ("e", None))):
        with pytest.raises(TypeError):
            getattr(ff.Spec("r"), add)(*arguments)
