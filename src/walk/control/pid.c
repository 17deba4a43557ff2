// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Controller with proportional, integral and derivative action. The memory holds the integral of ki e, so that another
// ki does not change the past. Back-calculation
//     I[n] = I[n-1] + dt ki e[n] + (dt / tracking_time) (limited u[n] - u[n])
// bounds the integral at a limit of the output; with a constant error u becomes ki e tracking_time beyond the limit.
#include <footfall/filter.h>

ff_status ff_pid_check(const ff_pid *pid, ff_error *err)
{
    if (!isfinite(pid->kp) || !isfinite(pid->ki) || !isfinite(pid->kd))
        return ff_error_set(err, FF_BAD_ARGUMENT, "gains kp %g, ki %g, kd %g must be finite", pid->kp, pid->ki,
                            pid->kd);
    if (!(pid->dt > 0.0) || !isfinite(pid->dt))
        return ff_error_set(err, FF_BAD_ARGUMENT, "the sampling period is %g s: it must be positive", pid->dt);
    if (!(pid->low <= pid->high))
        return ff_error_set(err, FF_BAD_ARGUMENT, "the lower limit %g lies above the upper limit %g", pid->low,
                            pid->high);
    if (!(pid->derivative_time >= 0.0 && pid->tracking_time >= 0.0))
        return ff_error_set(err, FF_BAD_ARGUMENT, "derivative_time %g s and tracking_time %g s must not be negative",
                            pid->derivative_time, pid->tracking_time);
    return FF_OK;
}

static double limited(const ff_pid *pid, double u)
{
    return ff_min(ff_max(u, pid->low), pid->high);
}

// The derivative filter; without a time constant the plain difference.
static ff_filter slope_filter(const ff_pid *pid)
{
    double a0 = pid->dt + 2.0 * pid->derivative_time;
    if (pid->derivative_time == 0.0) return (ff_filter){.b = {1.0 / pid->dt, -1.0 / pid->dt, 0.0}};
    return (ff_filter){.b = {1.0 / a0, 0.0, -1.0 / a0}, .a = {(pid->dt - 2.0 * pid->derivative_time) / a0, 0.0}};
}

double ff_pid_step(const ff_pid *pid, ff_pid_memory *memory, double reference, double measured)
{
    double error = reference - measured;
    if (!isfinite(error)) return memory->output;
    ff_filter f = slope_filter(pid);
    memory->error = error;
    memory->slope = ff_filter_step(&f, memory->filter, pid->derivative_of_measured ? -measured : error);
    memory->integral += pid->dt * pid->ki * error;
    double u = pid->kp * error + memory->integral + pid->kd * memory->slope;
    memory->output = limited(pid, u);
    double share = pid->tracking_time > pid->dt ? pid->dt / pid->tracking_time : 1.0;
    if (pid->ki != 0.0) memory->integral += share * (memory->output - u);
    return memory->output;
}

void ff_pid_start(const ff_pid *pid, ff_pid_memory *memory, double reference, double measured, double output)
{
    double error = isfinite(reference - measured) ? reference - measured : 0.0;
    ff_filter f = slope_filter(pid);
    *memory = (ff_pid_memory){.error = error, .output = limited(pid, output)};
    ff_filter_start(&f, memory->filter, pid->derivative_of_measured && isfinite(measured) ? -measured : error);
    memory->integral = memory->output - (pid->kp + pid->dt * pid->ki) * error;
}

void ff_pid_change(const ff_pid *from, const ff_pid *to, ff_pid_memory *memory)
{
    // the next step adds dt ki e again, so that only the instantaneous parts are made up for
    double before = from->kp * memory->error + from->kd * memory->slope;
    double after = to->kp * memory->error + to->kd * memory->slope;
    memory->integral += before - after;
}
