#include "adaptive.h"

#include "mechanism.h"
#include "step_size.h"
#include "vectors.h"

#define SMALLEST_FIRST 1e-6 /* the first guess is no smaller a share */

/* Steps are looked at every so often: one that goes on at its pace may take as many as allowed, no more. */
#define LOOK_EVERY 100000L

/* A joint, not the work that is counted; the first that is not finite is worst. */
int worst_state(const Problem *problem, const double *x, const double *x_new, const double *error)
{
    int n_motion = problem->model->n_q + problem->model->n_v, worst = 0;
    double most = -1.0;
    for (int i = 0; i < n_motion && isfinite(most); ++i) {
        double ratio = error_ratio(problem->tolerance, x[i], x_new[i], error[i]);
        if (ratio <= most) continue;
        worst = i;
        most = ratio;
    }
    return worst;
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

Pace first_pace(const Problem *problem, double length, const double *x, const double *xd)
{
    Pace pace = {length, 0.0, 0.0, 0.0, 0.0, 0, {ARRIVED, 0, 0.0, 0, 0, 0, 0}};
    pace.h = *problem->h > 0.0 ? *problem->h
                               : fmax(first_step(problem, x, xd), SMALLEST_FIRST * length);
    return pace;
}

/* Equal parts of what is left: no sliver at the end, and the last step ends on it. */
void choose_step(Pace *pace)
{
    double left = pace->length - pace->t, parts = ceil(left / pace->h * (1.0 - 1e-12));
    pace->is_last = !(parts > 1.0);
    pace->step = pace->is_last ? left : left / parts;
}

double end_of_step(const Pace *pace) { return pace->is_last ? pace->length : pace->t + pace->step; }

Verdict judge(Pace *pace, double norm, double factor)
{
    if (++pace->out.steps % LOOK_EVERY == 0) {
        if ((pace->t - pace->t_looked_at) * (MOST_STEPS / LOOK_EVERY) < pace->length) {
            pace->out.ending = TOO_MANY_STEPS;
            return GIVEN_UP;
        }
        pace->t_looked_at = pace->t;
    }
    if (!(norm <= 1.0)) {
        pace->h = pace->step * fmax(0.1, factor);
        if (pace->h > pace->length * SMALLEST_SHARE) return REFUSED;
        pace->out.ending = NO_STEP_IS_SHORT_ENOUGH;
        return GIVEN_UP;
    }
    /* A step cut short by the end of the interval says little against the longer one. */
    pace->h = pace->is_last ? fmax(pace->h, pace->step * fmin(5.0, factor))
                            : pace->step * fmin(5.0, fmax(0.2, factor));
    return ACCEPTED;
}

Outcome advance_adaptively(const Adaptive *method, const Problem *problem, Workspace *work, double length,
                           double *x, double *xd)
{
    const Model *model = problem->model;
    const Mechanism *mechanism = model->mechanism;
    double *slope = work->stage[0];
    Pace pace = first_pace(problem, length, x, xd);
    int n = model->n_x;
    int moves_on = method->last_stage == 0 || model->n_quaternions > 0 || model->n_rows > 0; /* settling it */
    copy(n, xd, slope);
    method->prepare(problem, work, pace.t, x, &pace.out);
    for (;;) {
        double norm;
        Verdict verdict;
        choose_step(&pace);
        mechanism->look_ahead(work);
        method->attempt(problem, work, pace.t, pace.step, x, &pace.out);
        mechanism->look_back(problem, work, x, &pace.out);
        norm = error_norm(n, problem->tolerance, x, work->x_trial, work->error);
        if (norm <= 1.0 && !settle(problem, work, end_of_step(&pace), work->x_trial)) norm = NAN;
        verdict = judge(&pace, norm, method->factor(norm));
        if (verdict == GIVEN_UP)
            return given_up(pace.out, pace.out.ending, worst_state(problem, x, work->x_trial, work->error),
                            pace.t);
        if (verdict == REFUSED) continue;
        method->review(problem, work);
        copy(n, work->x_trial, x);
        if (moves_on) {
            evaluate(problem, work, end_of_step(&pace), x, slope);
            ++pace.out.evaluations;
        } else
            copy(n, work->stage[method->last_stage], slope);
        if (pace.is_last) break;
        pace.t += pace.step;
        method->prepare(problem, work, pace.t, x, &pace.out);
    }
    copy(n, slope, xd);
    *problem->h = pace.h;
    return pace.out;
}
