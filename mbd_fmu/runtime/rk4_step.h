/* One step of the classical method of Runge and Kutta, in whatever Real is. Who includes this says before what
   StepProblem and StepWork are, and has evaluate_step and settle_step. */
#ifndef RK4_STEP_H
#define RK4_STEP_H

#include "real.h"

#define NEXT_SLOPE 4 /* the stage with the derivatives at the end of the step */

/* Steps of equal length, none longer than `step`. */
INLINE double parts_of(double length, double step)
{
    double parts = ceil(length / step * (1.0 - 1e-12));
    return parts > 1.0 ? parts : 1.0;
}

/* From x at time t to `end` by h, with the derivatives of x in the first stage: x_trial, and their
   derivatives. Does x_trial settle? */
static int rk4_step(const StepProblem *problem, StepWork *work, Real t, Real h, Real end, const Real *x)
{
    static const double at[4] = {0.0, 0.5, 0.5, 1.0};
    Real *const *k = work->stage, *x_trial = work->x_trial;
    int n = problem->model->n_x, settled;
    for (int s = 1; s < 4; ++s) {
        for (int i = 0; i < n; ++i) x_trial[i] = x[i] + at[s] * h * k[s - 1][i];
        evaluate_step(problem, work, t + at[s] * h, x_trial, k[s]);
    }
    for (int i = 0; i < n; ++i)
        x_trial[i] = x[i] + h / 6.0 * (k[0][i] + 2.0 * (k[1][i] + k[2][i]) + k[3][i]);
    settled = settle_step(problem, work, end, x_trial);
    evaluate_step(problem, work, end, x_trial, k[NEXT_SLOPE]);
    return settled;
}

#endif
