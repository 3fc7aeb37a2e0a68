#include "adaptive.h"

#include "mechanism.h"
#include "vectors.h"

#include <math.h>

#define SMALLEST_FIRST 1e-6 /* the first guess is no smaller a share */

/* Steps are looked at every so often: one that goes on at its pace may take as many as allowed, no more. */
#define LOOK_EVERY 100000L

/* Root mean square of the error against the tolerance; above 1 the step is refused. */
static double error_norm(const Problem *problem, const double *x, const double *x_new, const double *error,
                         int *worst)
{
    const Model *model = problem->model;
    int n = model->n_x, n_motion = model->n_q + model->n_v;
    double tolerance = problem->tolerance, sum = 0.0, most = -1.0;
    *worst = 0;
    for (int i = 0; i < n; ++i) {
        double scale = tolerance * (1.0 + fmax(fabs(x[i]), fabs(x_new[i])));
        double ratio = fabs(error[i] / scale);
        /* Blame a joint, not the work that is counted; the first that is not finite is worst. */
        if (i < n_motion && isfinite(most) && !(ratio <= most)) {
            *worst = i;
            most = ratio;
        }
        sum += ratio * ratio;
    }
    return sqrt(sum / n);
}

/* Hairer, Norsett & Wanner, Solving ODEs I, sec. II.4: a first guess from the size of x and xd. */
static double first_step(const Problem *problem, const double *x, const double *xd)
{
    double size = 0.0, rate = 0.0;
    for (int i = 0; i < problem->model->n_x; ++i) {
        double scale = problem->tolerance * (1.0 + fabs(x[i]));
        size += (x[i] / scale) * (x[i] / scale);
        rate += (xd[i] / scale) * (xd[i] / scale);
    }
    return size > 0.0 && rate > 0.0 ? 0.01 * sqrt(size / rate) : 1e-3;
}

Outcome advance_adaptively(const Adaptive *method, const Problem *problem, Workspace *work, double length,
                           double *x, double *xd)
{
    const Model *model = problem->model;
    const Mechanism *mechanism = model->mechanism;
    Outcome out = {ARRIVED, 0, 0.0, 0, 0, 0, 0};
    double *slope = work->stage[0];
    double h = *problem->h > 0.0 ? *problem->h
                                 : fmax(first_step(problem, x, xd), SMALLEST_FIRST * length);
    double t = 0.0, t_looked_at = 0.0;
    int n = model->n_x, worst;
    int moves_on = method->last_stage == 0 || model->n_quaternions > 0 || model->n_rows > 0; /* settling it */
    copy(n, xd, slope);
    method->prepare(problem, work, t, x, &out);
    for (;;) {
        /* Equal parts of what is left: no sliver at the end, and the last step ends on it. */
        double parts = ceil((length - t) / h * (1.0 - 1e-12));
        int last = !(parts > 1.0);
        double step = last ? length - t : (length - t) / parts;
        double norm, factor;

        mechanism->look_ahead(work);
        method->attempt(problem, work, t, step, x, &out);
        mechanism->look_back(problem, work, x, &out);
        norm = error_norm(problem, x, work->x_trial, work->error, &worst);
        if (norm <= 1.0 && !settle(problem, work, last ? length : t + step, work->x_trial)) norm = NAN;
        if (++out.steps % LOOK_EVERY == 0) {
            if ((t - t_looked_at) * (MOST_STEPS / LOOK_EVERY) < length)
                return given_up(out, TOO_MANY_STEPS, worst, t);
            t_looked_at = t;
        }
        if (!(norm <= 1.0)) { /* NaN is refused like too large an error */
            factor = isfinite(norm) ? 0.9 / method->root(norm) : 0.1;
            h = step * fmax(0.1, factor);
            if (!(h > length * SMALLEST_SHARE)) return given_up(out, NO_STEP_IS_SHORT_ENOUGH, worst, t);
            continue;
        }
        factor = norm > 1e-5 ? 0.9 / method->root(norm) : 5.0;
        /* A step cut short by the end of the interval says little against the longer one. */
        h = last ? fmax(h, step * fmin(5.0, factor)) : step * fmin(5.0, fmax(0.2, factor));
        method->review(problem, work);
        copy(n, work->x_trial, x);
        if (moves_on) {
            evaluate(problem, work, last ? length : t + step, x, slope);
            ++out.evaluations;
        } else
            copy(n, work->stage[method->last_stage], slope);
        if (last) break;
        t += step;
        method->prepare(problem, work, t, x, &out);
    }
    copy(n, slope, xd);
    *problem->h = h;
    return out;
}
