#include "instance.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *const category_name[N_CATEGORIES] = {"logStatusError", "logStatusWarning",
                                                 "logEvaluations"};

fmi2Status report(Instance *self, fmi2Status status, Category category, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    if (!self->logged[category] || !self->callbacks.logger) return status;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    /* Formatted here and passed as "%s": a percent sign in the text must not be one to the importer. */
    self->callbacks.logger(self->callbacks.componentEnvironment, self->name, status,
                           category_name[category], "%s", text);
    return status;
}

static const char *mode_name(Mode mode)
{
    switch (mode) {
    case INSTANTIATED: return "before initialization";
    case INITIALIZATION: return "in initialization mode";
    case STEPPING: return "between steps";
    case TERMINATED: return "after termination";
    }
    return "in no mode";
}

Instance *enter(fmi2Component c, const char *function, int legal)
{
    Instance *self = c;
    char expected[128] = "";
    if (!self || self->mode & legal) return self;
    for (int mode = INSTANTIATED; mode <= TERMINATED; mode *= 2)
        if (mode & legal) {
            if (expected[0]) strcat(expected, " or ");
            strcat(expected, mode_name((Mode)mode));
        }
    fail(self, "%s: not allowed %s, only %s", function, mode_name(self->mode), expected);
    return NULL;
}

void forget(Instance *self)
{
    self->has_xd = self->has_z = 0;
    memset(self->has_stage, 0, sizeof self->has_stage);
}

void make_fresh(Instance *self)
{
    memset(&self->now, 0, sizeof self->now);
    memcpy(self->now.p, model_p_start, sizeof self->now.p);
    memcpy(self->now.u, model_u_start, sizeof self->now.u);
    self->mode = INSTANTIATED;
    self->start_time = 0.0;
    self->stop_time = INFINITY;
    self->has_x = 0;
    forget(self);
}

Problem problem_of(State *state)
{
    Problem problem;
    problem.u = state->u;
    problem.du = state->du;
    problem.p = state->p;
    problem.h = &state->h;
    problem.strain = state->strain;
    problem.tolerance = state->p[P_TOLERANCE];
    problem.max_step = SOLVER_RK4 ? state->p[P_STEP] : 0.0;
#if N_ROWS
    problem.ceiling.holonomic = (int)state->ceiling[0];
    problem.ceiling.all = (int)state->ceiling[1];
#endif
    return problem;
}

void advise(Instance *self, State *state)
{
    if (!(state->strain[0] >= STIFF_STEPS)) return;
    report(self, fmi2OK, LOG_WARNING,
           "t = %.17g: the motion is stiff: stability, not accuracy, keeps the steps of dopri5 short; "
           "build the FMU with solver = \"stiff\" in [fmu]",
           self->now.time);
    self->now.strain[0] = state->strain[0] = -1.0;
}

#if N_ROWS
/* Prescribed motions may have jumped since the last step: the others follow. */
static int follow_inputs(Instance *self)
{
    Problem problem = problem_of(&self->now);
    evaluate(&problem, &self->work, 0.0, self->now.x, self->xd);
    if (!PROJECTION || settle(&problem, &self->work, 0.0, self->now.x)) return 1;
    fail(self, "t = %.17g: the mechanism cannot follow the prescribed motion to this position",
         self->now.time);
    return 0;
}

static int assemble_start(Instance *self)
{
    Manifold it = {self->now.u, self->now.p, {0, 0}, &self->work.scratch};
    double told[N_X];
    Assembly done;
    memcpy(told, self->now.x, sizeof told);
    done = assemble(&it, self->now.x);
    if (!done.ok) {
        double miss;
        int row = worst_row(&it, done.at_velocity, &miss);
        fail(self, "start: the %s cannot be made to fit; %s misses most, by %.3g %s%s",
             done.at_velocity ? "velocities" : "positions", model_row_element[row], miss,
             model_row_turns[row] ? "rad" : "m", done.at_velocity ? "/s" : "");
        return 0;
    }
    self->now.ceiling[0] = it.ceiling.holonomic;
    self->now.ceiling[1] = self->now.rank = it.ceiling.all;
    for (int i = 0; i < N_MOTION; ++i)
        if (fabs(self->now.x[i] - told[i]) > 1e-9 * (1.0 + fabs(told[i])))
            report(self, fmi2OK, done.gave_way ? LOG_WARNING : LOG_EVALUATIONS,
                   "start: %s moved from %g to %g to close the loops", model_state_name[i], told[i],
                   self->now.x[i]);
    return 1;
}
#endif

int provide_x(Instance *self)
{
    int bad;
    if (self->has_x) return 1;
#if N_ROWS
    if (self->mode & (STEPPING | TERMINATED)) return self->has_x = follow_inputs(self);
#endif
    model_start(self->now.p, self->now.x);
    normalize_quaternions(self->now.x);
    bad = first_not_finite(self->now.x);
    if (bad < N_X) {
        fail(self, "start: %s is not finite with these parameters", model_state_name[bad]);
        return 0;
    }
#if N_ROWS
    if (!assemble_start(self)) return 0;
#endif
    self->has_x = 1;
    return 1;
}

static int is_sane(Instance *self, const double *xd)
{
    int bad = first_not_finite(xd);
    if (bad == N_X) return 1;
    fail(self, "t = %.17g: the derivative of %s is not finite; "
               "is there mass beyond this joint, and is every input of a sane size?",
         self->now.time, model_state_name[bad]);
    return 0;
}

int provide_xd(Instance *self)
{
    Problem problem;
    if (!provide_x(self)) return 0;
    if (self->has_xd) return 1;
    problem = problem_of(&self->now);
    report(self, fmi2OK, LOG_EVALUATIONS, "derivatives at t = %.17g", self->now.time);
    evaluate(&problem, &self->work, 0.0, self->now.x, self->xd);
    return self->has_xd = is_sane(self, self->xd);
}

#if N_ROWS
static int provide_z(Instance *self)
{
    Manifold it = {self->now.u, self->now.p, {0, 0}, &self->work.scratch};
    if (!provide_x(self)) return 0;
    if (self->has_z) return 1;
    it.ceiling = problem_of(&self->now).ceiling;
    report(self, fmi2OK, LOG_EVALUATIONS, "multipliers at t = %.17g", self->now.time);
    if (!constrained_solution(&it, self->now.x, self->z))
        for (int i = 0; i < N_X; ++i) self->z[i] = NAN;
    if (!is_sane(self, self->z)) return 0;
    if (self->z[N_Z - 1] != self->now.rank) {
        report(self, fmi2OK, LOG_WARNING, "t = %.17g: %g rows of the constraints count, before %g",
               self->now.time, self->z[N_Z - 1], self->now.rank);
        self->now.rank = self->z[N_Z - 1];
    }
    return self->has_z = 1;
}
#else
static int provide_z(Instance *self)
{
    if (!provide_xd(self)) return 0;
    memcpy(self->z, self->xd, sizeof self->z);
    return 1;
}
#endif

int provide_stage(Instance *self, int stage)
{
    const Stage *it = &model_stage[stage];
    if (self->has_stage[stage]) return 1;
    if (!(it->needs_z ? provide_z(self) : provide_x(self))) return 0;
    report(self, fmi2OK, LOG_EVALUATIONS, "%s at t = %.17g", it->name, self->now.time);
    it->compute(self->now.x, self->now.u, self->z, self->now.p, self->y + it->first);
    self->has_stage[stage] = 1;
    return 1;
}
