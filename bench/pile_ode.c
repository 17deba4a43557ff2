// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A pile in the Open Dynamics Engine, by its quick step with the settings it comes with (20 iterations, ERP 0.2).
#include <ode/ode.h>
#include <stdlib.h>

#include "pile.h"

enum { POINTS = 8 }; // of two shapes

typedef struct ode_pile {
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    dBodyID *bodies;
    double step;
    dSurfaceParameters surface;
} ode_pile;

static void near(void *context, dGeomID a, dGeomID b)
{
    ode_pile *o = context;
    dContact contact[POINTS];
    const int n = dCollide(a, b, POINTS, &contact[0].geom, sizeof *contact);
    for (int i = 0; i < n; i++) {
        contact[i].surface = o->surface;
        dJointAttach(dJointCreateContact(o->world, o->contacts, &contact[i]), dGeomGetBody(a), dGeomGetBody(b));
    }
}

static void add_body(ode_pile *o, int i, const pile_body *b)
{
    dMass mass;
    dGeomID geom;
    o->bodies[i] = dBodyCreate(o->world);
    if (b->box) {
        dMassSetBoxTotal(&mass, b->mass, 2 * b->size[0], 2 * b->size[1], 2 * b->size[2]);
        geom = dCreateBox(o->space, 2 * b->size[0], 2 * b->size[1], 2 * b->size[2]);
    } else {
        dMassSetSphereTotal(&mass, b->mass, b->size[0]);
        geom = dCreateSphere(o->space, b->size[0]);
    }
    dBodySetMass(o->bodies[i], &mass);
    dGeomSetBody(geom, o->bodies[i]);
    dBodySetPosition(o->bodies[i], b->pos[0], b->pos[1], b->pos[2]);
}

static void *open_pile(const pile *p)
{
    ode_pile *o = calloc(1, sizeof *o);
    dInitODE2(0);
    o->world = dWorldCreate();
    o->space = dHashSpaceCreate(NULL);
    o->contacts = dJointGroupCreate(0);
    o->bodies = calloc((size_t)p->n, sizeof *o->bodies);
    o->step = p->step;
    o->surface.mode = p->restitution > 0.0 ? dContactBounce : 0;
    o->surface.mode |= dContactApprox1; // the limit of friction follows the normal force
    o->surface.mu = p->mu;
    o->surface.bounce = p->restitution;
    dWorldSetGravity(o->world, 0, 0, -9.81);
    dCreatePlane(o->space, 0, 0, 1, 0);
    for (int i = 0; i < p->n; i++) add_body(o, i, &p->bodies[i]);
    return o;
}

static void step(void *context)
{
    ode_pile *o = context;
    dSpaceCollide(o->space, o, near);
    dWorldQuickStep(o->world, o->step);
    dJointGroupEmpty(o->contacts);
}

static void read_body(void *context, int i, pile_state *out)
{
    const ode_pile *o = context;
    const dReal *p = dBodyGetPosition(o->bodies[i]), *v = dBodyGetLinearVel(o->bodies[i]),
                *w = dBodyGetAngularVel(o->bodies[i]);
    for (int k = 0; k < 3; k++) {
        out->pos[k] = p[k];
        out->velocity[k] = v[k];
        out->spin[k] = w[k];
    }
}

static void close_pile(void *context)
{
    ode_pile *o = context;
    dJointGroupDestroy(o->contacts);
    dSpaceDestroy(o->space);
    dWorldDestroy(o->world);
    dCloseODE();
    free(o->bodies);
    free(o);
}

const pile_engine pile_ode = {"ODE, quick step", open_pile, step, read_body, NULL, close_pile};
