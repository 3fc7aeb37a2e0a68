#include "solver.h"

#include <math.h>
#include <string.h>

/* Dormand & Prince (1980), J. Comp. Appl. Math. 6, p. 19: order 5 with an error estimate of
   order 4. The last row is the solution itself, so its derivatives serve the next step. */
#define STAGES 7
static const double A[STAGES][STAGES - 1] = {
    {0},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
};
static const double C[STAGES] = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
static const double E[STAGES] = {71.0 / 57600, 0,           -71.0 / 16695, 71.0 / 1920,
                                 -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

/* Below this share of the communication step the solver gives up. */
#define SMALLEST_SHARE 1e-10
#define SMALLEST_FIRST 1e-6 /* the first guess is no smaller a share */

int first_not_finite(const double *x)
{
    int i = 0;
    while (i < N_X && isfinite(x[i])) ++i;
    return i;
}

void normalize_quaternions(double *x)
{
    for (int k = 0; k < N_QUATERNIONS; ++k) {
        double *q = x + model_quaternion[k];
        double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
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
    double c = cos(angle / 2.0), s = angle > 0.0 ? sin(angle / 2.0) / angle : 0.5;
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

/* The fifth root of a > 0 by Newton's method: the same bits on every platform, unlike pow. */
static double fifth_root(double a)
{
    int exponent;
    double m = frexp(a, &exponent); /* a = m 2^exponent, 0.5 <= m < 1 */
    int fifth = exponent / 5;
    double y = 1.0;
    m = ldexp(m, exponent - 5 * fifth);
    for (int i = 0; i < 12; ++i) {
        double y4 = y * y * y * y;
        y -= (y4 * y - m) / (5.0 * y4);
    }
    return ldexp(y, fifth);
}

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

/* One trial step of size h from x at time t: x_trial, its derivatives in the last stage, error. */
static void dopri5_step(const Problem *problem, Workspace *work, double t, double h, const double *x)
{
    double(*k)[N_X] = work->stage;
    for (int s = 1; s < STAGES; ++s) {
        for (int i = 0; i < N_X; ++i) {
            double slope = 0.0;
            for (int j = 0; j < s; ++j) slope += A[s][j] * k[j][i];
            work->x_trial[i] = x[i] + h * slope;
        }
        evaluate(problem, work, t + C[s] * h, work->x_trial, k[s]);
    }
    for (int i = 0; i < N_X; ++i) {
        double slope = 0.0;
        for (int j = 0; j < STAGES; ++j) slope += E[j] * k[j][i];
        work->error[i] = h * slope;
    }
}

static Outcome dopri5(const Problem *problem, Workspace *work, double length, double *x, double *xd)
{
    Outcome out = {1, 0, 0.0, 0, 0};
    double *k_first = work->stage[0], *k_last = work->stage[STAGES - 1];
    double h = *problem->h > 0.0 ? *problem->h
                                 : fmax(first_step(problem->tolerance, x, xd), SMALLEST_FIRST * length);
    double t = 0.0;
    int worst;
    memcpy(k_first, xd, sizeof(double) * N_X);
    for (;;) {
        /* Equal parts of what is left: no sliver at the end, and the last step ends on it. */
        double parts = ceil((length - t) / h * (1.0 - 1e-12));
        int last = !(parts > 1.0);
        double step = last ? length - t : (length - t) / parts;
        double norm, factor;

        dopri5_step(problem, work, t, step, x);
        out.evaluations += STAGES - 1;
        norm = error_norm(problem->tolerance, x, work->x_trial, work->error, &worst);
        if (norm <= 1.0 && !settle(problem, work, last ? length : t + step, work->x_trial)) norm = NAN;
        if (!(norm <= 1.0)) { /* NaN is refused like too large an error */
            factor = isfinite(norm) ? 0.9 / fifth_root(norm) : 0.1;
            h = step * fmax(0.1, factor);
            if (!(h > length * SMALLEST_SHARE) || ++out.steps > MOST_STEPS) {
                out.ok = 0;
                out.time = t;
                out.state = worst;
                return out;
            }
            continue;
        }
        factor = norm > 1e-5 ? 0.9 / fifth_root(norm) : 5.0;
        /* A step cut short by the end of the interval says little against the longer one. */
        h = last ? fmax(h, step * fmin(5.0, factor)) : step * fmin(5.0, fmax(0.2, factor));
        memcpy(x, work->x_trial, sizeof(double) * N_X);
        memcpy(k_first, k_last, sizeof(double) * N_X);
        if (++out.steps > MOST_STEPS) {
            out.ok = 0;
            out.time = t;
            out.state = worst;
            return out;
        }
        if (N_QUATERNIONS > 0 || N_ROWS > 0) {
            evaluate(problem, work, last ? length : t + step, x, k_first);
            ++out.evaluations;
        }
        if (last) break;
        t += step;
    }
    memcpy(xd, k_first, sizeof(double) * N_X);
    *problem->h = h;
    return out;
}

/* The classical method of Runge and Kutta with equal steps. */
static Outcome rk4(const Problem *problem, Workspace *work, double length, double *x, double *xd)
{
    Outcome out = {1, 0, 0.0, 0, 0};
    static const double at[4] = {0.0, 0.5, 0.5, 1.0};
    double(*k)[N_X] = work->stage;
    double parts = ceil(length / problem->max_step * (1.0 - 1e-12));
    double n = parts > 1.0 ? parts : 1.0;
    double h = length / n;
    int settled;
    memcpy(k[0], xd, sizeof(double) * N_X);
    for (double step = 0.0; step < n; step += 1.0) {
        double t = step * h;
        for (int s = 1; s < 4; ++s) {
            for (int i = 0; i < N_X; ++i) work->x_trial[i] = x[i] + at[s] * h * k[s - 1][i];
            evaluate(problem, work, t + at[s] * h, work->x_trial, k[s]);
        }
        for (int i = 0; i < N_X; ++i)
            x[i] += h / 6.0 * (k[0][i] + 2.0 * (k[1][i] + k[2][i]) + k[3][i]);
        settled = settle(problem, work, step + 1.0 < n ? t + h : length, x);
        evaluate(problem, work, step + 1.0 < n ? t + h : length, x, k[0]);
        out.evaluations += 4;
        ++out.steps;
        if (!settled || first_not_finite(x) < N_X || first_not_finite(k[0]) < N_X) {
            int blame = first_not_finite(x);
            out.ok = 0;
            out.time = t;
            out.state = blame < N_X ? blame : first_not_finite(k[0]) % N_X;
            return out;
        }
    }
    memcpy(xd, k[0], sizeof(double) * N_X);
    return out;
}

Outcome advance(const Problem *problem, Workspace *work, double length, double *x, double *xd)
{
#if SOLVER_RK4
    (void)dopri5;
    return rk4(problem, work, length, x, xd);
#else
    (void)rk4;
    return dopri5(problem, work, length, x, xd);
#endif
}
