#include "solver.h"

#include "inputs.h"
#include "method.h"

#include <math.h>
#include <string.h>

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
    model_cut_coordinates(x, it.u, it.p, it.scratch->trial);
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
#if N_ROWS
/* Before and after a step from x is tried: of its error leave what stays when it has settled. */
static void look_ahead(Workspace *work) { forget_tangents(&work->scratch); }

static void look_back(const Problem *problem, Workspace *work, const double *x, Outcome *out)
{
    if (!PROJECTION) {
        out->near_singular |= passes_singular(&work->scratch);
    } else if (error_is_noise(&work->scratch, problem->tolerance)) {
        Manifold it = manifold_at(problem, work, 0.0);
        leave_tangential(&it, x, work->error);
    }
}
#else
static void look_ahead(Workspace *work) { (void)work; }

static void look_back(const Problem *problem, Workspace *work, const double *x, Outcome *out)
{
    (void)problem, (void)work, (void)x, (void)out;
}
#endif

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

static Outcome given_up(Outcome out, Ending why, int state, double t)
{
    out.ending = why;
    out.state = state;
    out.time = t;
    return out;
}

Outcome advance(const Problem *problem, Workspace *work, double length, double *x, double *xd)
{
    Outcome out = {ARRIVED, 0, 0.0, 0, 0, 0, 0};
    double *slope = work->stage[0];
    double h = *problem->h > 0.0 ? *problem->h
                                 : fmax(first_step(problem->tolerance, x, xd), SMALLEST_FIRST * length);
    double t = 0.0, t_looked_at = 0.0;
    int worst;
    memcpy(slope, xd, sizeof(double) * N_X);
    prepare(problem, work, t, x, &out);
    for (;;) {
        /* Equal parts of what is left: no sliver at the end, and the last step ends on it. */
        double parts = ceil((length - t) / h * (1.0 - 1e-12));
        int last = !(parts > 1.0);
        double step = last ? length - t : (length - t) / parts;
        double norm, factor;

        look_ahead(work);
        attempt(problem, work, t, step, x, &out);
        look_back(problem, work, x, &out);
        norm = error_norm(problem->tolerance, x, work->x_trial, work->error, &worst);
        if (norm <= 1.0 && !settle(problem, work, last ? length : t + step, work->x_trial)) norm = NAN;
        if (++out.steps % LOOK_EVERY == 0) {
            if ((t - t_looked_at) * (MOST_STEPS / LOOK_EVERY) < length)
                return given_up(out, TOO_MANY_STEPS, worst, t);
            t_looked_at = t;
        }
        if (!(norm <= 1.0)) { /* NaN is refused like too large an error */
            factor = isfinite(norm) ? 0.9 / root(norm) : 0.1;
            h = step * fmax(0.1, factor);
            if (!(h > length * SMALLEST_SHARE)) return given_up(out, NO_STEP_IS_SHORT_ENOUGH, worst, t);
            continue;
        }
        factor = norm > 1e-5 ? 0.9 / root(norm) : 5.0;
        /* A step cut short by the end of the interval says little against the longer one. */
        h = last ? fmax(h, step * fmin(5.0, factor)) : step * fmin(5.0, fmax(0.2, factor));
        review(problem, work);
        memcpy(x, work->x_trial, sizeof(double) * N_X);
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
