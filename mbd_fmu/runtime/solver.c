#include "solver.h"

#include "method.h"

#include <math.h>
#include <string.h>

/* Below this share of the communication step the solver gives up. */
#define SMALLEST_SHARE 1e-10
#define SMALLEST_FIRST 1e-6 /* the first guess is no smaller a share */

int first_not_finite(const double *x)
{
    int i = 0;
    while (i < N_X && isfinite(x[i])) ++i;
    return i;
}

double quaternion_length(const double *q)
{
    return sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
}

void normalize_quaternions(double *x)
{
    for (int k = 0; k < N_QUATERNIONS; ++k) {
        double *q = x + model_quaternion[k];
        double length = quaternion_length(q);
        for (int i = 0; i < 4; ++i) q[i] /= length;
    }
}

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

#if N_ROWS
static Manifold manifold_at(const Problem *problem, Workspace *work, double t)
{
    Manifold it = {work->u, problem->p, problem->ceiling, &work->scratch};
    inputs_at(problem, t, work->u);
    return it;
}

void evaluate(const Problem *problem, Workspace *work, double t, const double *x, double *xd)
{
    Manifold it = manifold_at(problem, work, t);
    if (!constrained_derivatives(&it, x, xd))
        for (int i = 0; i < N_X; ++i) xd[i] = NAN;
}

int settle(const Problem *problem, Workspace *work, double t, double *x)
{
    Manifold it = manifold_at(problem, work, t);
    normalize_quaternions(x);
    if (PROJECTION) return project(&it, x);
    model_measured(x, it.u, it.p, it.scratch->trial);
    memcpy(x, it.scratch->trial, sizeof it.scratch->trial);
    return 1;
}
#else
void evaluate(const Problem *problem, Workspace *work, double t, const double *x, double *xd)
{
    inputs_at(problem, t, work->u);
    model_derivatives(x, work->u, problem->p, xd);
}

int settle(const Problem *problem, Workspace *work, double t, double *x)
{
    (void)problem, (void)work, (void)t;
    normalize_quaternions(x);
    return 1;
}
#endif

#if SOLVER_RK4
Outcome advance(const Problem *problem, Workspace *work, double length, double *x, double *xd)
{
    return rk4(problem, work, length, x, xd);
}
#else
/* Root mean square of the error against the tolerance; above 1 the step is refused. */
static double error_norm(double tolerance, const double *x, const double *x_new, const double *error,
                         int *worst)
{
    double sum = 0.0, largest = -1.0;
    *worst = 0;
    for (int i = 0; i < N_X; ++i) {
        double scale = tolerance * (1.0 + fmax(fabs(x[i]), fabs(x_new[i])));
        double ratio = fabs(error[i] / scale);
        /* Blame a joint, not the work that is counted; the first that is not finite is worst. */
        if (i < N_MOTION && isfinite(largest) && !(ratio <= largest)) {
            *worst = i;
            largest = ratio;
        }
        sum += ratio * ratio;
    }
    return sqrt(sum / N_X);
}

/* Hairer, Norsett & Wanner, Solving ODEs I, sec. II.4: a first guess from the size of x and xd. */
static double first_step(double tolerance, const double *x, const double *xd)
{
    double size = 0.0, rate = 0.0;
    for (int i = 0; i < N_X; ++i) {
        double scale = tolerance * (1.0 + fabs(x[i]));
        size += (x[i] / scale) * (x[i] / scale);
        rate += (xd[i] / scale) * (xd[i] / scale);
    }
    return size > 0.0 && rate > 0.0 ? 0.01 * sqrt(size / rate) : 1e-3;
}

Outcome advance(const Problem *problem, Workspace *work, double length, double *x, double *xd)
{
    Outcome out = {1, 0, 0.0, 0, 0, 0};
    double *slope = work->stage[0];
    double h = *problem->h > 0.0 ? *problem->h
                                 : fmax(first_step(problem->tolerance, x, xd), SMALLEST_FIRST * length);
    double t = 0.0;
    int worst;
    memcpy(slope, xd, sizeof(double) * N_X);
    prepare(problem, work, t, x, &out);
    for (;;) {
        /* Equal parts of what is left: no sliver at the end, and the last step ends on it. */
        double parts = ceil((length - t) / h * (1.0 - 1e-12));
        int last = !(parts > 1.0);
        double step = last ? length - t : (length - t) / parts;
        double norm, factor;

        attempt(problem, work, t, step, x, &out);
        norm = error_norm(problem->tolerance, x, work->x_trial, work->error, &worst);
        if (norm <= 1.0 && !settle(problem, work, last ? length : t + step, work->x_trial)) norm = NAN;
        if (!(norm <= 1.0)) { /* NaN is refused like too large an error */
            factor = isfinite(norm) ? 0.9 / root(norm) : 0.1;
            h = step * fmax(0.1, factor);
            if (!(h > length * SMALLEST_SHARE) || ++out.steps > MOST_STEPS) {
                out.ok = 0;
                out.time = t;
                out.state = worst;
                return out;
            }
            continue;
        }
        factor = norm > 1e-5 ? 0.9 / root(norm) : 5.0;
        /* A step cut short by the end of the interval says little against the longer one. */
        h = last ? fmax(h, step * fmin(5.0, factor)) : step * fmin(5.0, fmax(0.2, factor));
        review(problem, work);
        memcpy(x, work->x_trial, sizeof(double) * N_X);
        if (++out.steps > MOST_STEPS) {
            out.ok = 0;
            out.time = t;
            out.state = worst;
            return out;
        }
        if (SOLVER_STIFF || N_QUATERNIONS > 0 || N_ROWS > 0) {
            evaluate(problem, work, last ? length : t + step, x, slope);
            ++out.evaluations;
        } else
            memcpy(slope, work->stage[LAST_STAGE], sizeof(double) * N_X);
        if (last) break;
        t += step;
        prepare(problem, work, t, x, &out);
    }
    memcpy(xd, slope, sizeof(double) * N_X);
    *problem->h = h;
    return out;
}
#endif
