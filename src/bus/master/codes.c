// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Texts of AL status codes (ETG.1000.6), SDO abort codes (CiA 301), error codes of emergencies (CiA 402), and states.
#include "slave/registers.h"

#include <footfall/master.h>

typedef struct row {
    uint32_t code;
    const char *text;
} row;

#define ROW(name, number, text) {number, text},
static const row al_codes[] = {FF_EC_AL_CODES(ROW)}, aborts[] = {FF_EC_ABORTS(ROW)},
                 emergencies[] = {FF_EC_EMERGENCIES(ROW)},
                 states[] = {{1, "INIT"}, {2, "PRE-OP"}, {3, "BOOT"}, {4, "SAFE-OP"}, {8, "OP"}};

static const char *find_text(const row *rows, size_t n, uint32_t code)
{
    for (size_t i = 0; i < n; i++)
        if (rows[i].code == code) return rows[i].text;
    return "unknown";
}

#define FIND(rows, code) find_text(rows, sizeof(rows) / sizeof *(rows), code)

const char *ff_ec_al_status_text(uint16_t code)
{
    return FIND(al_codes, code);
}

const char *ff_ec_abort_text(uint32_t code)
{
    return FIND(aborts, code);
}

const char *ff_ec_emergency_text(uint16_t code)
{
    return FIND(emergencies, code);
}

const char *ff_ec_state_text(unsigned state)
{
    return FIND(states, state & 0x0F);
}
