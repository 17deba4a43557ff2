// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Functions that programs call for a slave: begin a program, fail, read and write registers.
#include "master/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void ff_slave_run(ff_master_slave *p, const ff_master_step *program)
{
    p->program = p->step = program;
    p->entered = false;
    p->cursor = 0;
    p->error[0] = '\0';
}

ff_step_result ff_slave_fail(ff_master_slave *p, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(p->error, sizeof p->error, format, list);
    va_end(list);
    return FF_STEP_FAIL;
}

void ff_request_read(ff_master_slave *p, ff_master_datagram *a, uint16_t ado, unsigned n)
{
    a->command = p->number < 0 ? FF_EC_BRD : FF_EC_FPRD;
    a->adp = p->number < 0 ? 0 : p->info.station;
    a->ado = ado;
    a->n = n;
    memset(a->data, 0, n);
}

uint8_t *ff_request_write(ff_master_slave *p, ff_master_datagram *a, uint16_t ado, unsigned n)
{
    ff_request_read(p, a, ado, n);
    a->command = p->number < 0 ? FF_EC_BWR : FF_EC_FPWR;
    return a->data;
}

bool ff_slaves_all_answer(const ff_ec_master *m)
{
    for (int i = 0; i < m->count; i++)
        if (!m->slaves[i].info.answers) return false;
    return true;
}

void ff_slaves_forget_positions(ff_ec_master *m)
{
    m->recounted = false;
    for (int i = 0; i < m->count; i++) m->slaves[i].address_seen = FF_MASTER_NONE;
}
