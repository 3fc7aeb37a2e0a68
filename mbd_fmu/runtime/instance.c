/* What follows from the state of an instance, when it is asked for; and messages. */
#include "instance.h"

#include "vectors.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The same as in mbd_fmu/system/system.py. */
#define QUATERNION_SLACK 1e-2

const char *const category_name[N_CATEGORIES] = {"logStatusError", "logStatusWarning", "logStart",
                                                 "logEvaluations"};

Status report(Instance *self, Status status, Category category, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    if (!self->logged[category] || !self->log) return status;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    self->log(self->environment, status, category, text);
    return status;
}

void copy_state(const State *from, State *to)
{
    memcpy(to, from, sizeof(double) * STATE_SCALARS);
    memcpy(to->numbers, from->numbers, sizeof(double) * (size_t)from->n_numbers);
}

void forget(Instance *self)
{
    self->has_xd = self->has_z = 0;
    memset(self->has_stage, 0, sizeof(int) * (size_t)self->model->n_stages);
}

void value_changed(Instance *self, Kind kind)
{
    const Model *model = self->model;
    int is_motion = model->n_rows > 0 && n_tracks(model) > 0; /* loops hold on to prescribed motions */
    forget(self);
    let_act(self);
    if (kind == OF_INPUT && !is_motion) return;
    if (kind == OF_INPUT && self->now.step != 0.0) return; /* motions never jump between steps */
    if (self->mode == CONTINUOUS) return; /* x is the importer's, whatever is given first */
    if (self->mode & RUNNING) {
        if (model->n_positive > 0 && kind == OF_PARAMETER) self->has_x = 0; /* is it possible still? */
        /* Start values are over. What holds a mechanism together may have moved; without projection
           the feedback, if any, catches up with motions, but a parameter never comes back. */
        if (model->n_rows == 0) return;
        if (kind == OF_INPUT && model->stabilization != STABILIZATION_PROJECTION) return;
        self->now.behind = 1.0;
    }
    self->has_x = 0;
}

void take_states(Instance *self, const double x[])
{
    copy(self->model->n_x, x, self->now.x);
    self->now.behind = 0.0;
    self->has_x = 0;
    forget(self);
}

Problem problem_of(const Model *model, State *state)
{
    Problem problem;
    problem.model = model;
    problem.w = state->w;
    problem.jerk = state->jerk;
    problem.is_inside = 0;
    problem.course = NULL;
    problem.du = state->du;
    problem.p = state->p;
    problem.h = &state->h;
    problem.strain = state->strain;
    problem.tolerance = state->p[model->p_tolerance];
    problem.generic_rank.holonomic = (int)state->generic_rank[0];
    problem.generic_rank.all = (int)state->generic_rank[1];
    problem.generic_rank.is_closed = (int)state->is_closed;
    return problem;
}

static int start(Instance *self)
{
    const Model *model = self->model;
    int bad, ok = 1;
    model->start(self->now.p, self->x, self->work.memory);
    for (int k = 0; k < model->n_quaternions; ++k) {
        double length = quaternion_length(self->x + model->quaternion[k]);
        if (fabs(length - 1.0) <= QUATERNION_SLACK) continue;
        fail(self, "start: the quaternion of joint \"%s\" has length %g; give one of length 1, within %g",
             model->quaternion_joint[k], length, QUATERNION_SLACK);
        ok = 0;
    }
    if (!ok) return 0;
    normalize_quaternions(model, self->x);
    bad = first_not_finite(model->n_x, self->x);
    if (bad == model->n_x) return model->mechanism->assemble(self);
    fail(self, "start: %s is not finite with these parameters", model->state_name[bad]);
    return 0;
}

/* A mass m1 - m2, say: no limit of either parameter keeps it positive. */
static int is_possible(Instance *self)
{
    const Model *model = self->model;
    int ok = 1;
    if (model->n_positive > 0) model->positive(self->now.p, self->beyond, self->work.memory);
    for (int k = 0; k < model->n_positive; ++k)
        if (!(self->beyond[k] >= 0.0)) {
            fail(self, "%s: %g with these parameters; it must not be negative", model->positive_name[k],
                 self->beyond[k]);
            ok = 0;
        }
    return ok;
}

int provide_x(Instance *self)
{
    if (self->has_x) return 1;
    if (!is_possible(self)) return 0;
    if (self->mode & (INSTANTIATED | INITIALIZATION)) return self->has_x = start(self);
    copy(self->model->n_x, self->now.x, self->x);
    return self->has_x = self->now.behind == 0.0 || self->model->mechanism->follow(self);
}

int is_sane(Instance *self, const double *xd)
{
    int bad = first_not_finite(self->model->n_x, xd);
    if (bad == self->model->n_x) return 1;
    if (!orientations_are_told(self)) return 0;
    fail(self, "t = %.17g: the derivative of %s is not finite; "
               "is there mass beyond this joint, and is every input of a sane size?",
         self->now.time, self->model->state_name[bad]);
    return 0;
}

void tell_of_dense(Instance *self)
{
    if (self->knows_dense || self->work.n_dense == 0 || !self->logged[LOG_EVALUATIONS]) return;
    self->knows_dense = 1;
    if (!self->model->motion)
        note(self, "t = %.17g: the constraints are solved densely, which takes longer: when the FMU was built, "
                   "there was no order in which they could be eliminated",
             self->now.time);
    else
        note(self, "t = %.17g: from here rows of the constraints come near to redundant, are redundant others "
                   "than when the FMU was built, or masses differ more than then; where that is so they are "
                   "solved densely, which takes longer",
             self->now.time);
}

int provide_xd(Instance *self)
{
    Problem problem;
    if (!provide_x(self)) return 0;
    if (self->has_xd) return 1;
    problem = problem_of(self->model, &self->now);
    note(self, "derivatives at t = %.17g", self->now.time);
    evaluate(&problem, &self->work, 0.0, self->x, self->xd);
    tell_of_dense(self);
    return self->has_xd = is_sane(self, self->xd);
}

int provide_z(Instance *self) { return self->model->mechanism->provide_z(self); }

int provide_stage(Instance *self, int stage)
{
    const Stage *it = &self->model->stage[stage];
    if (self->has_stage[stage]) return 1;
    if (it->needs == NEEDS_X && !provide_x(self)) return 0;
    if (it->needs == NEEDS_Z && !provide_z(self)) return 0;
    note(self, "%s at t = %.17g", it->name, self->now.time);
    it->compute(self->x, self->now.w, self->z, self->now.p, self->y + it->first, self->work.memory);
    self->has_stage[stage] = 1;
    return 1;
}
