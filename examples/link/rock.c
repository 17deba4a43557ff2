// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A controller in C as a plug-in: swings all legs of ANTON alike, so that its body rocks to and fro above feet that
// stand, as rock.py does.
//     cc -shared -fPIC -Iinclude -o rock.so examples/link/rock.c build/release/libfootfall.a
//     footfall run examples/link/rock.yaml --plugin rock.so            in one process
//     footfall serve examples/link/rock.yaml --link udp:7400           or the robot here,
//     footfall control examples/link/rock.yaml --link udp:7400 --plugin rock.so      and its controller there
#include <footfall/footfall.h>

#include <stdio.h>

enum { LEGS = 6 };
static const char *const legs[LEGS] = {"FL", "FR", "ML", "MR", "RL", "RR"};
static const double amplitude = 0.05; // [rad]
static const double period = 2.0;     // [s]

typedef struct rock {
    double swing; // the signal, hence first  [rad]
    bool begun[LEGS];
    double since[LEGS], angle[LEGS]; // when and where each coxa began  [s], [rad]
    int pot[LEGS], coxa[LEGS];       // items of the frames
} rock;

static ff_status bind(void *memory, const ff_plugin_site *site, ff_error *err)
{
    rock *r = memory;
    for (int i = 0; i < LEGS; i++) {
        char pot[64], coxa[64];
        snprintf(pot, sizeof pot, "sensors.pot_%s_coxa.position", legs[i]);
        snprintf(coxa, sizeof coxa, "drives.%s_coxa.position", legs[i]);
        r->pot[i] = ff_io_find(site->sensors, pot);
        r->coxa[i] = ff_io_find(site->references, coxa);
        if (r->pot[i] < 0 || r->coxa[i] < 0)
            return ff_error_set(err, FF_NOT_FOUND, "this robot has no '%s' or no '%s'", pot, coxa);
    }
    return FF_OK;
}

static ff_status cycle(void *memory, double t, const ff_io_frame *sensors, ff_io_frame *references, ff_error *err)
{
    rock *r = memory;
    (void)err; // nothing can fail
    for (int i = 0; i < LEGS; i++) {
        const ff_io_item *pot = &ff_io_items_of(sensors)[r->pot[i]];
        if (!r->begun[i] && ff_io_known(pot)) {
            r->begun[i] = true;
            r->since[i] = t;
            r->angle[i] = pot->value;
        }
        if (!r->begun[i]) continue;
        r->swing = amplitude * ff_sin(2.0 * FF_PI / period * (t - r->since[i]));
        ff_io_items(references)[r->coxa[i]] = (ff_io_item){.value = r->angle[i] + r->swing, .valid = 1};
    }
    return FF_OK;
}

static const ff_io_name signals[] = {{"swing", "rad"}};

FF_API const ff_plugin footfall_plugin = {.version = FF_PLUGIN_VERSION,
                                          .model_size = sizeof(ff_model),
                                          .memory_size = sizeof(rock),
                                          .signals = signals,
                                          .nsignal = 1,
                                          .bind = bind,
                                          .cycle = cycle};
