// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A build without CUDA: creating a device fails with a message, so the other functions are never called.
#include "batch/device.h"

const char *ff_batch_device_missing(void)
{
    return "this build has no CUDA: configure it with -DFOOTFALL_CUDA=ON, where nvcc is found";
}

ff_batch_device *ff_batch_device_open(const ff_batch_model *model, const ff_batch_rules *rules,
                                      const ff_batch_lives *lives, int blocks, double *x, double *in,
                                      ff_batch_rounding rounding, ff_error *err)
{
    (void)model, (void)rules, (void)lives, (void)blocks, (void)x, (void)in, (void)rounding;
    ff_error_set(err, FF_NOT_BUILT, "%s", ff_batch_device_missing());
    return NULL;
}

void ff_batch_device_close(ff_batch_device *device)
{
    (void)device;
}

ff_status ff_batch_device_step(ff_batch_device *device, int steps, ff_error *err)
{
    (void)device, (void)steps;
    return ff_error_set(err, FF_NOT_BUILT, "%s", ff_batch_device_missing());
}

const char *ff_batch_device_general(const ff_batch_device *device)
{
    (void)device;
    return ff_batch_device_missing();
}

ff_status ff_batch_device_observe(ff_batch_device *device, ff_error *err)
{
    (void)device;
    return ff_error_set(err, FF_NOT_BUILT, "%s", ff_batch_device_missing());
}

ff_status ff_batch_device_renew(ff_batch_device *device, double age, ff_error *err)
{
    (void)device, (void)age;
    return ff_error_set(err, FF_NOT_BUILT, "%s", ff_batch_device_missing());
}

ff_status ff_batch_device_begin(ff_batch_device *device, const int *robots, const uint64_t *seeds, int count,
                                ff_error *err)
{
    (void)device, (void)robots, (void)seeds, (void)count;
    return ff_error_set(err, FF_NOT_BUILT, "%s", ff_batch_device_missing());
}

ff_status ff_batch_device_see_inputs(ff_batch_device *device, ff_error *err)
{
    (void)device;
    return ff_error_set(err, FF_NOT_BUILT, "%s", ff_batch_device_missing());
}

ff_status ff_batch_device_see(ff_batch_device *device, ff_error *err)
{
    (void)device;
    return ff_error_set(err, FF_NOT_BUILT, "%s", ff_batch_device_missing());
}

void ff_batch_device_rows_changed(ff_batch_device *device)
{
    (void)device;
}

void ff_batch_device_inputs_changed(ff_batch_device *device)
{
    (void)device;
}

ff_status ff_batch_device_share(ff_batch_device *device, double *places[3], int *number, ff_error *err)
{
    (void)device, (void)places, (void)number;
    return ff_error_set(err, FF_NOT_BUILT, "%s", ff_batch_device_missing());
}

ff_status ff_batch_device_fetch(ff_batch_device *device, const double *from, size_t stride, size_t width, double *to,
                                ff_error *err)
{
    (void)device, (void)from, (void)stride, (void)width, (void)to;
    return ff_error_set(err, FF_NOT_BUILT, "%s", ff_batch_device_missing());
}

void ff_batch_device_clear_row(ff_batch_device *device, int row)
{
    (void)device, (void)row;
}
