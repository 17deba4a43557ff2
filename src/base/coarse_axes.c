// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// MuJoCo keeps every inertia as three moments and a quaternion. It finds them by Jacobi rotations, the largest
// off-diagonal entry first, and stops as soon as the next rotation by t would have cos t > 1 - 1e-12, that is t <
// 1.4e-6 rad. The remaining off-diagonal entries are dropped: up to 1.4e-6 of the inertia, a thousand times the
// difference that is allowed if the motions of a robot in two programs are to agree to 1e-9. Therefore this file makes
// the same rotations and drops the same entries. Method: G. H. Golub, C. F. Van Loan, Matrix Computations, section 8.5
// (classical Jacobi, symmetric Schur step).
#include <footfall/base.h>

#define SMALLEST_TURN  1e-12 // 1 - cos t of the smallest rotation that is made
#define SMALLEST_ENTRY 1e-12 // off-diagonal entry that is removed  [kg m^2]
#define MOST_TURNS     500

/// D = R' A R for the rotation of `quat`.
static void turn_tensor(const double A[9], const double quat[4], double D[9])
{
    double R[9], half[9];
    ff_quat_to_mat3(R, quat);
    ff_mat3_tmul(half, R, A);
    ff_mat3_mul(D, half, R);
}

/// Axis of the rotation that removes the largest off-diagonal entry.
static int pick_axis(const double D[9])
{
    double xy = fabs(D[1]), xz = fabs(D[2]), yz = fabs(D[5]);
    if (xy > xz && xy > yz) return 2;
    return xz > yz ? 1 : 0;
}

/// One Schur step about `axis`; false when all entries are small enough.
static bool turn_once(const double D[9], int axis, double quat[4])
{
    int row = axis == 0 ? 1 : 0, column = axis == 2 ? 1 : 2;
    double entry = D[3 * row + column];
    if (fabs(entry) < SMALLEST_ENTRY) return false;
    double tau = (D[4 * column] - D[4 * row]) / (2.0 * entry), root = sqrt(1.0 + tau * tau);
    double tangent = tau >= 0.0 ? 1.0 / (tau + root) : -1.0 / (root - tau);
    double cosine = 1.0 / sqrt(1.0 + tangent * tangent);
    if (cosine > 1.0 - SMALLEST_TURN) return false;
    // the step turns row towards column: against the axis for x and z, along it for y
    double turn[4] = {0, 0, 0, 0}, before[4], sine = sqrt(0.5 - 0.5 * cosine);
    turn[1 + axis] = (tau >= 0.0) == (axis == 1) ? sine : -sine;
    turn[0] = sqrt(1.0 - sine * sine);
    ff_quat_normalise(turn);
    ff_quat_copy(before, quat);
    ff_quat_mul(quat, before, turn);
    ff_quat_normalise(quat);
    return true;
}

void ff_inertia_coarse_axes(const double I[6], double moments[3], double quat[4])
{
    const double A[9] = {I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2]};
    double D[9];
    ff_quat_identity(quat);
    for (int i = 0; i < MOST_TURNS; i++) {
        turn_tensor(A, quat, D);
        if (!turn_once(D, pick_axis(D), quat)) break;
    }
    ff_vec3_set(moments, D[0], D[4], D[8]);
}

void ff_inertia_sort_axes(double moments[3], double quat[4])
{
    for (int k = 0; k < 3; k++) {
        const int i = k % 2; // 0 1, 1 2, 0 1
        if (!(moments[i] < moments[i + 1])) continue;
        const double moment = moments[i];
        double quarter[4] = {sqrt(0.5), 0, 0, 0}, before[4];
        quarter[1 + (i + 2) % 3] = sqrt(0.5);
        moments[i] = moments[i + 1];
        moments[i + 1] = moment;
        ff_quat_copy(before, quat);
        ff_quat_mul(quat, before, quarter);
        ff_quat_normalise(quat);
    }
}
