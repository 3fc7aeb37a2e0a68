/* One step of dopri5, in whatever Real is. Who includes this says before what StepProblem and StepWork are, and
   has

       void evaluate_step(const StepProblem *, StepWork *, Real t, const Real *x, Real *xd). */
#ifndef DOPRI5_STEP_H
#define DOPRI5_STEP_H

#include "rows.h"
#include "step_size.h"

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

/* The fifth root of a normal a > 0 by Newton's method: the same bits on every platform, unlike pow. */
static Real fifth_root(Real a)
{
    Whole exponent = ((bits_of(a) >> 52) & 0x7ff) - 1022;
    Whole sign = exponent >> 63, size = (exponent ^ sign) - sign; /* -1 or 0, and the magnitude */
    Whole fifth = (((size * 52429) >> 18) ^ sign) - sign; /* of numbers below 2^16 that is exact, cut */
    Real m = from_bits((bits_of(a) & 0xfffffffffffff) | 0x3fe0000000000000); /* a = m 2^exponent */
    Real y = EVERY(1.0);
    m *= two_to(exponent - 5 * fifth);
    for (int i = 0; i < 12; ++i) {
        Real y4 = y * y * y * y, before = y;
        y -= (y4 * y - m) / (5.0 * y4);
        if (all_are(y == before)) break; /* and so it would stay */
    }
    return y * two_to(fifth);
}

static Real dopri5_factor(Real norm)
{
    return step_factor(norm, fifth_root(pick(norm_counts(norm), norm, EVERY(1.0))));
}

/* Hairer & Wanner, Solving ODEs II, sec. IV.2: h |lambda| from the last two stages, both at the end of
   the step. Of a motion that oscillates, accelerations differ by lambda^2 times the positions; of
   one that is damped, by lambda times the velocities: the smaller of both alarms less. */
static Real reach(const Model *model, const StepWork *work, Real h)
{
    int n_q = model->n_q, n_v = model->n_v;
    const Real *x = work->x_trial, *x_before = work->x_before;
    const Real *k = work->stage[LAST_STAGE], *k_before = work->stage[LAST_STAGE - 1];
    Real dq = distance(n_q, x, x_before), dv = distance(n_v, x + n_q, x_before + n_q);
    Real da = distance(n_v, k + n_q, k_before + n_q);
    return pick(both(dq > 0.0, dv > 0.0), h * lesser(root_of(da / dq), da / dv), EVERY(0.0));
}

/* From x at time t by h, with the derivatives of x in the first stage: x_trial, error, reach. */
static void dopri5_attempt(const StepProblem *problem, StepWork *work, Real t, Real h, const Real *x)
{
    Real *const *k = work->stage, *x_trial = work->x_trial;
    int n = problem->model->n_x;
    for (int s = 1; s < STAGES; ++s) {
        if (s == LAST_STAGE) copy_row(n, x_trial, work->x_before);
        rows_summed(n, NULL, s, A[s], k[0], x_trial);
        for (int i = 0; i < n; ++i) x_trial[i] = x[i] + h * x_trial[i];
        evaluate_step(problem, work, t + C[s] * h, work->x_trial, k[s]);
    }
    rows_summed(n, NULL, STAGES, E, k[0], work->error);
    for (int i = 0; i < n; ++i) work->error[i] *= h;
    work->reach = reach(problem->model, work, h);
}

#endif
