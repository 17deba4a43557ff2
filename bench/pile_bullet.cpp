// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A pile in Bullet, by its sequential impulses with the settings it comes with (10 iterations), but that bodies never
// go to sleep: then nothing would be measured.
#include <btBulletDynamicsCommon.h>
#include <memory>
#include <vector>

#include "pile.h"

namespace {

struct BulletPile {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    double step = 0.0;

    void add(btCollisionShape *shape, double mass, const btVector3 &at, const pile *p)
    {
        btVector3 inertia(0, 0, 0);
        if (mass > 0) shape->calculateLocalInertia(btScalar(mass), inertia);
        btRigidBody::btRigidBodyConstructionInfo info(btScalar(mass), nullptr, shape, inertia);
        info.m_startWorldTransform.setIdentity();
        info.m_startWorldTransform.setOrigin(at);
        info.m_friction = btScalar(mass > 0 ? p->mu : 1.0); // Bullet multiplies the two
        info.m_restitution = btScalar(p->restitution);
        shapes.emplace_back(shape);
        bodies.push_back(std::make_unique<btRigidBody>(info));
        bodies.back()->setActivationState(DISABLE_DEACTIVATION);
        world.addRigidBody(bodies.back().get());
    }
};

btCollisionShape *shape_of(const pile_body &b)
{
    if (!b.box) return new btSphereShape(btScalar(b.size[0]));
    return new btBoxShape(btVector3(btScalar(b.size[0]), btScalar(b.size[1]), btScalar(b.size[2])));
}

void *open_pile(const pile *p)
{
    auto *w = new BulletPile;
    w->step = p->step;
    w->world.setGravity(btVector3(0, 0, btScalar(-9.81)));
    w->world.getSolverInfo().m_restitutionVelocityThreshold = 0;
    for (int i = 0; i < p->n; i++) {
        const pile_body &b = p->bodies[i];
        w->add(shape_of(b), b.mass, btVector3(btScalar(b.pos[0]), btScalar(b.pos[1]), btScalar(b.pos[2])), p);
        // of two that both move the product is taken, too: sqrt(mu) each, and mu beside the floor
        w->bodies.back()->setFriction(btScalar(btSqrt(btScalar(p->mu))));
    }
    w->add(new btStaticPlaneShape(btVector3(0, 0, 1), 0), 0, btVector3(0, 0, 0), p);
    w->bodies.back()->setFriction(btScalar(btSqrt(btScalar(p->mu))));
    return w;
}

void step(void *context)
{
    auto *w = static_cast<BulletPile *>(context);
    w->world.stepSimulation(btScalar(w->step), 0);
}

void read_body(void *context, int i, pile_state *out)
{
    const btRigidBody &b = *static_cast<BulletPile *>(context)->bodies[size_t(i)];
    for (int k = 0; k < 3; k++) {
        out->pos[k] = b.getWorldTransform().getOrigin()[k];
        out->velocity[k] = b.getLinearVelocity()[k];
        out->spin[k] = b.getAngularVelocity()[k];
    }
}

void close_pile(void *context)
{
    auto *w = static_cast<BulletPile *>(context);
    for (auto &b : w->bodies) w->world.removeRigidBody(b.get());
    delete w;
}

} // namespace

extern "C" const pile_engine pile_bullet = {"Bullet", open_pile, step, read_body, nullptr, close_pile};
