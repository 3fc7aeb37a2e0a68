/* The classical method of Runge and Kutta with equal steps. */
#include "mechanism.h"
#include "vectors.h"

typedef Problem StepProblem;
typedef Workspace StepWork;
#define evaluate_step evaluate
#define settle_step settle
#include "rk4_step.h"

static Outcome advance_evenly(const Problem *problem, Workspace *work, double length, double *x, double *xd)
{
    const Model *model = problem->model;
    Outcome out = {ARRIVED, 0, 0.0, 0, 0, 0, 0};
    double *const *k = work->stage;
    double parts = parts_of(length, problem->p[model->p_step]), h = length / parts;
    int n = model->n_x;
    copy(n, xd, k[0]);
    for (double step = 0.0; step < parts; step += 1.0) {
        double t = step * h, end = step + 1.0 < parts ? t + h : length;
        int settled = rk4_step(problem, work, t, h, end, x), blame;
        copy(n, work->x_trial, x);
        copy(n, k[NEXT_SLOPE], k[0]);
        out.evaluations += 4;
        ++out.steps;
        blame = first_not_finite(n, x);
        if (blame == n) blame = first_not_finite(n, k[0]);
        if (!settled || blame < n) return given_up(out, NO_STEP_IS_SHORT_ENOUGH, blame % n, t);
    }
    copy(n, k[0], xd);
    return out;
}

const Method rk4_method = {NULL, advance_evenly};
