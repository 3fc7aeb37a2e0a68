#include "method.h"

#if !SOLVER_STIFF

#include <math.h>
#include <string.h>

#if SOLVER_RK4

Outcome rk4(const Problem *problem, Workspace *work, double length, double *x, double *xd)
{
    Outcome out = {ARRIVED, 0, 0.0, 0, 0, 0, 0};
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
            out.ending = NO_STEP_IS_SHORT_ENOUGH;
            out.time = t;
            out.state = blame < N_X ? blame : first_not_finite(k[0]) % N_X;
            return out;
        }
    }
    memcpy(xd, k[0], sizeof(double) * N_X);
    return out;
}

#else

/* Dormand & Prince (1980), J. Comp. Appl. Math. 6, p. 19: order 5 with an error estimate of
   order 4. The last row is the solution itself, so its derivatives serve the next step. */
#define STAGES (LAST_STAGE + 1)
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

/* Stability ends at h |lambda| = 3.3, near the imaginary axis sooner; steps that accuracy keeps short are
   well below 2. So many calm steps in a row, and what was before is forgotten. */
#define BOUNDARY 2.5
#define CALM_STEPS 6.0

/* The fifth root of a > 0 by Newton's method: the same bits on every platform, unlike pow. */
double root(double a)
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

void prepare(const Problem *problem, Workspace *work, double t, const double *x, Outcome *out)
{
    (void)problem, (void)work, (void)t, (void)x, (void)out;
}

static double distance(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

/* Hairer & Wanner, Solving ODEs II, sec. IV.2: h |lambda| from the last two stages, both at the end of
   the step. Of a motion that oscillates, accelerations differ by lambda^2 times the positions; of
   one that is damped, by lambda times the velocities: the smaller of both alarms less. */
static double reach(const Workspace *work, double h)
{
    const double *x = work->x_trial, *x_before = work->x_before;
    const double *k = work->stage[LAST_STAGE], *k_before = work->stage[LAST_STAGE - 1];
    double dq = distance(N_Q, x, x_before), dv = distance(N_V, x + N_Q, x_before + N_Q);
    double da = distance(N_V, k + N_Q, k_before + N_Q);
    return dq > 0.0 && dv > 0.0 ? h * fmin(sqrt(da / dq), da / dv) : 0.0;
}

void attempt(const Problem *problem, Workspace *work, double t, double h, const double *x,
             Outcome *out)
{
    double(*k)[N_X] = work->stage;
    for (int s = 1; s < STAGES; ++s) {
        memcpy(work->x_before, work->x_trial, sizeof work->x_before);
        for (int i = 0; i < N_X; ++i) {
            double slope = 0.0;
            for (int j = 0; j < s; ++j) slope += A[s][j] * k[j][i];
            work->x_trial[i] = x[i] + h * slope;
        }
        evaluate(problem, work, t + C[s] * h, work->x_trial, k[s]);
    }
    out->evaluations += STAGES - 1;
    for (int i = 0; i < N_X; ++i) {
        double slope = 0.0;
        for (int j = 0; j < STAGES; ++j) slope += E[j] * k[j][i];
        work->error[i] = h * slope;
    }
    work->reach = reach(work, h);
}

void review(const Problem *problem, const Workspace *work)
{
    double *hits = problem->strain, *calm = problem->strain + 1;
    if (*hits < 0.0 || *hits >= STIFF_STEPS) return; /* known by now */
    if (work->reach > BOUNDARY) {
        *hits += 1.0;
        *calm = 0.0;
    } else if (++*calm >= CALM_STEPS)
        *hits = 0.0;
}

#endif
#endif
