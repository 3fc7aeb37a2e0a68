/* The classical method of Runge and Kutta with equal steps. */
#include "mechanism.h"
#include "vectors.h"

#include <math.h>

static Outcome advance_evenly(const Problem *problem, Workspace *work, double length, double *x, double *xd)
{
    static const double at[4] = {0.0, 0.5, 0.5, 1.0};
    const Model *model = problem->model;
    Outcome out = {ARRIVED, 0, 0.0, 0, 0, 0, 0};
    double *const *k = work->stage;
    double parts = ceil(length / problem->p[model->p_step] * (1.0 - 1e-12));
    double parts_made = parts > 1.0 ? parts : 1.0;
    double h = length / parts_made;
    int n = model->n_x;
    copy(n, xd, k[0]);
    for (double step = 0.0; step < parts_made; step += 1.0) {
        double t = step * h, end = step + 1.0 < parts_made ? t + h : length;
        int settled, blame;
        for (int s = 1; s < 4; ++s) {
            for (int i = 0; i < n; ++i) work->x_trial[i] = x[i] + at[s] * h * k[s - 1][i];
            evaluate(problem, work, t + at[s] * h, work->x_trial, k[s]);
        }
        for (int i = 0; i < n; ++i) x[i] += h / 6.0 * (k[0][i] + 2.0 * (k[1][i] + k[2][i]) + k[3][i]);
        settled = settle(problem, work, end, x);
        evaluate(problem, work, end, x, k[0]);
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
