#include "adaptive.h"
#include "mechanism.h"
#include "vectors.h"

#include <math.h>

/* Dormand & Prince (1980), J. Comp. Appl. Math. 6, p. 19: order 5 with an error estimate of
   order 4. The last row is the solution itself, so its derivatives serve the next step. */
#define LAST_STAGE 6
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
static double fifth_root(double a)
{
    int exponent;
    double m = frexp(a, &exponent); /* a = m 2^exponent, 0.5 <= m < 1 */
    int fifth = exponent / 5;
    double y = 1.0;
    m = ldexp(m, exponent - 5 * fifth);
    for (int i = 0; i < 12; ++i) {
        double y4 = y * y * y * y, before = y;
        y -= (y4 * y - m) / (5.0 * y4);
        if (y == before) break; /* and so it would stay */
    }
    return ldexp(y, fifth);
}

static void prepare(const Problem *problem, Workspace *work, double t, const double *x, Outcome *out)
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
static double reach(const Model *model, const Workspace *work, double h)
{
    int n_q = model->n_q, n_v = model->n_v;
    const double *x = work->x_trial, *x_before = work->x_before;
    const double *k = work->stage[LAST_STAGE], *k_before = work->stage[LAST_STAGE - 1];
    double dq = distance(n_q, x, x_before), dv = distance(n_v, x + n_q, x_before + n_q);
    double da = distance(n_v, k + n_q, k_before + n_q);
    return dq > 0.0 && dv > 0.0 ? h * fmin(sqrt(da / dq), da / dv) : 0.0;
}

static void attempt(const Problem *problem, Workspace *work, double t, double h, const double *x,
                    Outcome *out)
{
    double *const *k = work->stage, *x_trial = work->x_trial;
    int n = problem->model->n_x;
    for (int s = 1; s < STAGES; ++s) {
        if (s == LAST_STAGE) copy(n, x_trial, work->x_before);
        sum_rows(n, NULL, s, A[s], k[0], x_trial);
        for (int i = 0; i < n; ++i) x_trial[i] = x[i] + h * x_trial[i];
        evaluate(problem, work, t + C[s] * h, work->x_trial, k[s]);
    }
    out->evaluations += STAGES - 1;
    sum_rows(n, NULL, STAGES, E, k[0], work->error);
    for (int i = 0; i < n; ++i) work->error[i] *= h;
    work->reach = reach(problem->model, work, h);
}

static void review(const Problem *problem, const Workspace *work)
{
    double *hits = problem->strain, *calm = problem->strain + 1;
    if (*hits < 0.0 || *hits >= STIFF_STEPS) return; /* known by now */
    if (work->reach > BOUNDARY) {
        *hits += 1.0;
        *calm = 0.0;
    } else if (++*calm >= CALM_STEPS)
        *hits = 0.0;
}

static const Adaptive dopri5 = {prepare, attempt, fifth_root, review, LAST_STAGE};

static Outcome advance(const Problem *problem, Workspace *work, double length, double *x, double *xd)
{
    return advance_adaptively(&dopri5, problem, work, length, x, xd);
}

const Method dopri5_method = {NULL, advance};
