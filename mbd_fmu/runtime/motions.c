#include "motions.h"

#include <math.h>
#include <string.h>

/* A quantity, its rate, second and third derivative, a time t later. */
static double later(double t, double y, double dy, double ddy, double dddy)
{
    return y + t * (dy + t * (ddy / 2.0 + t * dddy / 6.0));
}

/* Turn the quaternion q by the rotation vector theta, both in the same axes. */
static void turn(double *q, const double *theta)
{
    double angle = sqrt(theta[0] * theta[0] + theta[1] * theta[1] + theta[2] * theta[2]);
    SinCos half = own_sincos(angle / 2.0);
    double c = half.cos, s = angle > 0.0 ? half.sin / angle : 0.5;
    double x = s * theta[0], y = s * theta[1], z = s * theta[2];
    double q0 = q[0], q1 = q[1], q2 = q[2], q3 = q[3];
    q[0] = c * q0 - x * q1 - y * q2 - z * q3;
    q[1] = c * q1 + x * q0 + y * q3 - z * q2;
    q[2] = c * q2 - x * q3 + y * q0 + z * q1;
    q[3] = c * q3 + x * q2 - y * q1 + z * q0;
}

void inputs_at(const Problem *problem, double t, double *u)
{
    const double *u0 = problem->u, *du = problem->du;
    for (int i = 0; i < N_U; ++i) u[i] = u0[i] + du[i] * t;
    for (int k = 0; k < N_SIGNALS; ++k) {
        const int *at = model_signal[k];
        u[at[0]] = later(t, u0[at[0]], u0[at[1]], u0[at[2]], du[at[2]]);
        u[at[1]] = later(t, u0[at[1]], u0[at[2]], du[at[2]], 0.0);
    }
    for (int k = 0; k < N_TURNS; ++k) {
        const int *at = model_turn[k];
        double theta[3];
        for (int i = 0; i < 3; ++i) {
            double w = u0[at[1] + i], alpha = u0[at[2] + i], rate = du[at[2] + i];
            theta[i] = later(t, 0.0, w, alpha, rate);
            u[at[1] + i] = later(t, w, alpha, rate, 0.0);
        }
        for (int i = 0; i < 4; ++i) u[at[0] + i] = u0[at[0] + i];
        turn(u + at[0], theta);
    }
}

/* Rate of the quaternion that turn() makes of q, when theta moves at `rate`. */
static void turning(const double *q, const double *theta, const double *rate, double *dq)
{
    double square = theta[0] * theta[0] + theta[1] * theta[1] + theta[2] * theta[2];
    double along = theta[0] * rate[0] + theta[1] * rate[1] + theta[2] * rate[2];
    double angle = sqrt(square);
    SinCos half = own_sincos(angle / 2.0);
    double c = half.cos, s = angle > 0.0 ? half.sin / angle : 0.5;
    /* (c / 2 - s) / square loses its digits near zero: its series there */
    double bend = square > 1e-3 ? (c / 2.0 - s) / square
                                : -1.0 / 24.0 + square / 960.0 * (1.0 - square / 112.0);
    double w = -s * along / 2.0;
    double x = s * rate[0] + bend * along * theta[0];
    double y = s * rate[1] + bend * along * theta[1];
    double z = s * rate[2] + bend * along * theta[2];
    dq[0] = w * q[0] - x * q[1] - y * q[2] - z * q[3];
    dq[1] = w * q[1] + x * q[0] + y * q[3] - z * q[2];
    dq[2] = w * q[2] - x * q[3] + y * q[0] + z * q[1];
    dq[3] = w * q[3] + x * q[2] - y * q[1] + z * q[0];
}

void input_rates_at(const Problem *problem, double t, double *rate)
{
    const double *u0 = problem->u, *du = problem->du;
    memcpy(rate, du, sizeof(double) * N_U);
    for (int k = 0; k < N_SIGNALS; ++k) {
        const int *at = model_signal[k];
        rate[at[0]] = later(t, u0[at[1]], u0[at[2]], du[at[2]], 0.0);
        rate[at[1]] = later(t, u0[at[2]], du[at[2]], 0.0, 0.0);
    }
    for (int k = 0; k < N_TURNS; ++k) {
        const int *at = model_turn[k];
        double theta[3], theta_rate[3];
        for (int i = 0; i < 3; ++i) {
            double w = u0[at[1] + i], alpha = u0[at[2] + i], jerk = du[at[2] + i];
            theta[i] = later(t, 0.0, w, alpha, jerk);
            theta_rate[i] = later(t, w, alpha, jerk, 0.0);
            rate[at[1] + i] = later(t, alpha, jerk, 0.0, 0.0);
        }
        turning(u0 + at[0], theta, theta_rate, rate + at[0]);
    }
}

/* Half the product of a vector, as a quaternion, with q. */
static void quaternion_times(const double *v, const double *q, double *half)
{
    half[0] = -(v[0] * q[1] + v[1] * q[2] + v[2] * q[3]) / 2.0;
    half[1] = (v[0] * q[0] + v[1] * q[3] - v[2] * q[2]) / 2.0;
    half[2] = (v[1] * q[0] + v[2] * q[1] - v[0] * q[3]) / 2.0;
    half[3] = (v[2] * q[0] + v[0] * q[2] - v[1] * q[1]) / 2.0;
}

void second_turn_rate(const Problem *problem, int k, double *ddu)
{
    const int *at = model_turn[k];
    const double *q = problem->u + at[0], *w = problem->u + at[1], *alpha = problem->u + at[2];
    double dq[4];
    /* dq = w q / 2, ddq = (alpha q + w dq) / 2 */
    quaternion_times(w, q, dq);
    quaternion_times(w, dq, ddu + at[0]);
    quaternion_times(alpha, q, dq);
    for (int i = 0; i < 4; ++i) ddu[at[0] + i] += dq[i];
    for (int i = 0; i < 3; ++i) ddu[at[1] + i] = problem->du[at[2] + i];
}
