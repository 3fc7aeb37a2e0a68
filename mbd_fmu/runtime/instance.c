#include "motions.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *const category_name[N_CATEGORIES] = {"logStatusError", "logStatusWarning", "logStart",
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
    case EVENT: return "in event mode";
    case CONTINUOUS: return "in continuous-time mode";
    }
    return "in no mode";
}

Instance *enter(fmi2Component c, const char *function, int legal)
{
    Instance *self = c;
    char expected[192] = "";
    if (!self || self->mode & legal) return self;
    for (int mode = INSTANTIATED; mode <= CONTINUOUS; mode *= 2)
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

void value_changed(Instance *self, Kind kind)
{
    int is_motion = N_ROWS > 0 && N_TRACKS > 0; /* loops hold on to prescribed motions */
    forget(self);
    take_told(self);
    if (kind == OF_INPUT && !is_motion) return;
    if (kind == OF_INPUT && self->now.step != 0.0) return; /* motions never jump between steps */
    if (self->mode == CONTINUOUS) return; /* x is the importer's, whatever is told first */
    if (self->mode & RUNNING) {
        if (N_POSITIVE > 0 && kind == OF_PARAMETER) self->has_x = 0; /* is it possible still? */
        /* Start values are over. What holds a mechanism together may have moved; without projection
           the feedback, if any, catches up with motions, but a parameter never comes back. */
        if (N_ROWS == 0 || (kind == OF_INPUT && !PROJECTION)) return;
        self->now.behind = 1.0;
    }
    self->has_x = 0;
}

void take_states(Instance *self, const double x[])
{
    memcpy(self->now.x, x, sizeof self->now.x);
    self->now.behind = 0.0;
    self->has_x = 0;
    forget(self);
}

void make_fresh(Instance *self)
{
    memset(&self->now, 0, sizeof self->now);
    memcpy(self->now.p, model_p_start, sizeof self->now.p);
    memcpy(self->now.u, model_u_start, sizeof self->now.u);
    take_told(self);
    self->mode = INSTANTIATED;
    self->knows_singular = 0;
    self->stop_time = INFINITY;
    self->has_x = 0;
    forget(self);
}

Problem problem_of(State *state)
{
    Problem problem;
    problem.w = state->w;
    problem.jerk = state->jerk;
    problem.course = NULL;
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

void advise(Instance *self, const Outcome *outcome, State *state)
{
    if (outcome->near_singular && !self->knows_singular) {
        self->knows_singular = 1;
        report(self, fmi2OK, LOG_WARNING,
               "t = %.17g: the next step passes a singular position, where the mechanism could go on another "
               "way; only stabilization = \"projection\" in [fmu] keeps it on its own",
               self->now.time);
    }
    if (!(state->strain[0] >= STIFF_STEPS)) return;
    report(self, fmi2OK, LOG_WARNING,
           "t = %.17g: the motion is stiff: stability, not accuracy, keeps the steps of dopri5 short; "
           "build the FMU with solver = \"stiff\" in [fmu]",
           self->now.time);
    self->now.strain[0] = state->strain[0] = -1.0;
}

#if N_ROWS
static int misfit(Instance *self, const Manifold *it, const char *when, int at_velocity)
{
    double miss;
    int row = worst_row(it, at_velocity, &miss);
    fail(self, "%s: the %s cannot be made to fit; %s misses most, by %.3g %s%s", when,
         at_velocity ? "velocities" : "positions", model_row_element[row], miss,
         model_row_turns[row] ? "rad" : "m", at_velocity ? "/s" : "");
    return 0;
}

/* What holds the mechanism together has moved since the last step: the rest follows, from where it was
   then, whatever was asked for in between. */
static int follow(Instance *self)
{
    Problem problem = problem_of(&self->now);
    Manifold it = {self->now.w, self->now.p, problem.ceiling, &self->work.scratch};
    char when[128];
    double miss;
    for (int n = 0; n < 2; ++n) { /* the second time, velocities follow by the inertia at the new place */
        memcpy(self->x + N_Q, self->now.x + N_Q, sizeof(double) * N_V);
        evaluate(&problem, &self->work, 0.0, self->x, self->xd); /* inertia, for the least motion */
        if (project(&it, self->x)) continue;
        worst_row(&it, 0, &miss);
        snprintf(when, sizeof when, "t = %.17g, with the %s set since then", self->now.time,
                 N_TRACKS > 0 ? "motions and parameters" : "parameters");
        return misfit(self, &it, when, !(miss > 1e-6 * LENGTH));
    }
    return 1;
}

static int assemble_start(Instance *self)
{
    Manifold it = {self->now.w, self->now.p, {0, 0}, &self->work.scratch};
    double told[N_X];
    Assembly done;
    memcpy(told, self->x, sizeof told);
    done = assemble(&it, self->x);
    if (done.flipped) {
        fail(self, "start: %s would close the wrong way round; give positions nearer to where it fits",
             model_sided[done.flipped - 1]);
        return 0;
    }
    if (done.jumped) {
        const Start *given = &model_start_q[done.jumped - 1];
        fail(self, "start: %s cannot be kept, and the loops close only far from it; give start values that fit",
             given->count ? model_name[given->parameter] : model_state_name[N_Q + done.jumped - 1]);
        return 0;
    }
    if (!done.ok) return misfit(self, &it, "start", done.at_velocity);
    self->now.ceiling[0] = it.ceiling.holonomic;
    self->now.ceiling[1] = self->now.rank = it.ceiling.all;
    for (int i = 0; i < N_MOTION; ++i)
        if (fabs(self->x[i] - told[i]) > 1e-9 * (1.0 + fabs(told[i])))
            report(self, fmi2OK, done.gave_way ? LOG_WARNING : LOG_START,
                   "start: %s moved from %g to %g to close the loops", model_state_name[i], told[i],
                   self->x[i]);
    return 1;
}
#else
static int follow(Instance *self)
{
    (void)self;
    return 1;
}

static int assemble_start(Instance *self)
{
    (void)self;
    return 1;
}
#endif

static int start(Instance *self)
{
    int bad, ok = 1;
    model_start(self->now.p, self->x);
    for (int k = 0; k < N_QUATERNIONS; ++k) {
        double length = quaternion_length(self->x + model_quaternion[k]);
        if (fabs(length - 1.0) <= QUATERNION_SLACK) continue;
        fail(self, "start: the quaternion of joint \"%s\" has length %g; give one of length 1, within %g",
             model_quaternion_joint[k], length, QUATERNION_SLACK);
        ok = 0;
    }
    if (!ok) return 0;
    normalize_quaternions(self->x);
    bad = first_not_finite(self->x);
    if (bad == N_X) return assemble_start(self);
    fail(self, "start: %s is not finite with these parameters", model_state_name[bad]);
    return 0;
}

/* A mass m1 - m2, say: no limit of either parameter keeps it positive. */
static int is_possible(Instance *self)
{
    int ok = 1;
#if N_POSITIVE
    double beyond[N_POSITIVE];
    model_positive(self->now.p, beyond);
    for (int k = 0; k < N_POSITIVE; ++k)
        if (!(beyond[k] >= 0.0)) {
            fail(self, "%s: %g with these parameters; it must not be negative", model_positive_name[k],
                 beyond[k]);
            ok = 0;
        }
#else
    (void)self;
#endif
    return ok;
}

int provide_x(Instance *self)
{
    if (self->has_x) return 1;
    if (!is_possible(self)) return 0;
    if (self->mode & (INSTANTIATED | INITIALIZATION)) return self->has_x = start(self);
    memcpy(self->x, self->now.x, sizeof self->x);
    return self->has_x = self->now.behind == 0.0 || follow(self);
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
    evaluate(&problem, &self->work, 0.0, self->x, self->xd);
    return self->has_xd = is_sane(self, self->xd);
}

#if N_ROWS
int provide_z(Instance *self)
{
    Manifold it = {self->now.w, self->now.p, {0, 0}, &self->work.scratch};
    if (!provide_x(self)) return 0;
    if (self->has_z) return 1;
    it.ceiling = problem_of(&self->now).ceiling;
    report(self, fmi2OK, LOG_EVALUATIONS, "multipliers at t = %.17g", self->now.time);
    if (!constrained_solution(&it, self->x, self->z))
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
int provide_z(Instance *self)
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
    it->compute(self->x, self->now.w, self->z, self->now.p, self->y + it->first);
    self->has_stage[stage] = 1;
    return 1;
}
