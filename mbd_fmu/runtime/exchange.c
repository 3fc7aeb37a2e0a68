/* The importer integrates; the states are x. */
#include "instance.h"

#include "vectors.h"

#include <math.h>

/* Where states are brought back: at so many tolerances of the importer, and here at the latest. */
#define WORTH_AN_EVENT 100.0
#define FARTHEST 1e-3

static int in_hand(Instance *self, const char *where, const void *values, size_t n)
{
    int n_x = self->model->n_x;
    if (n != (size_t)n_x) {
        fail(self, "%s: %lu values, but there are %d continuous states", where, (unsigned long)n, n_x);
        return 0;
    }
    if (!values) {
        fail(self, "%s: NULL instead of %d values", where, n_x);
        return 0;
    }
    return 1;
}

/* How far the states are from where they belong, in shares of the distance at which an event is worth its
   price: quaternions from length 1, rows on positions and on velocities from zero. The integrator's own
   error is of the size of its tolerance; events that answer that only make it start again and again. Without
   projection nothing brings rows back, so they are worth none. */
static double distance(Instance *self)
{
    const Model *model = self->model;
    double most = 0.0, allowed = fmin(WORTH_AN_EVENT * self->now.p[model->p_tolerance], FARTHEST);
    for (int k = 0; k < model->n_quaternions; ++k) {
        const double *q = self->x + model->quaternion[k];
        double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
        most = fmax(most, fabs(square - 1.0));
    }
    return fmax(most, model->mechanism->astray(self)) / allowed;
}

/* There are no events of time or state. An event is asked for only to bring the states back. */
Status ask_for_event(Instance *self, int *is_worth_it)
{
    if (!provide_x(self)) return STATUS_ERROR;
    *is_worth_it = distance(self) > 1.0;
    return STATUS_OK;
}

Status bring_back(Instance *self, const char *where, int *has_moved)
{
    Problem problem;
    *has_moved = 0;
    if (!provide_x(self)) return STATUS_ERROR;
    if (self->now.behind == 0.0 && distance(self) <= 0.1) return STATUS_OK; /* well before an event is due */
    problem = problem_of(self->model, &self->now);
    for (int n = 0; n < 2; ++n) { /* they may be far: the second time with inertia and rows of the new place */
        evaluate(&problem, &self->work, 0.0, self->x, self->xd);
        if (settle(&problem, &self->work, 0.0, self->x)) continue;
        self->has_x = 0;
        return fail(self, "%s: the states are too far from the constraints", where);
    }
    copy(self->model->n_x, self->x, self->now.x);
    self->now.behind = 0.0;
    forget(self);
    *has_moved = 1;
    return STATUS_OK;
}

Status set_time(Instance *self, const char *where, double time)
{
    if (!isfinite(time)) return fail(self, "%s: time %g", where, time);
    set_clock(self, time);
    return STATUS_OK;
}

Status set_states(Instance *self, const char *where, const double x[], size_t n)
{
    int bad;
    if (!in_hand(self, where, x, n)) return STATUS_ERROR;
    bad = first_not_finite(self->model->n_x, x);
    if (bad < self->model->n_x)
        return fail(self, "%s: %s = %g; a finite value is needed", where, self->model->state_name[bad], x[bad]);
    take_states(self, x);
    return STATUS_OK;
}

Status get_states(Instance *self, const char *where, double x[], size_t n)
{
    if (!in_hand(self, where, x, n) || !provide_x(self)) return STATUS_ERROR;
    copy(self->model->n_x, self->x, x);
    return STATUS_OK;
}

Status get_rates(Instance *self, const char *where, double xd[], size_t n)
{
    if (!in_hand(self, where, xd, n) || !provide_xd(self)) return STATUS_ERROR;
    copy(self->model->n_x, self->xd, xd);
    return STATUS_OK;
}

Status get_nominals(Instance *self, const char *where, double nominal[], size_t n)
{
    if (!in_hand(self, where, nominal, n)) return STATUS_ERROR;
    copy(self->model->n_x, self->model->nominal, nominal);
    return STATUS_OK;
}
