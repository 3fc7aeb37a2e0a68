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
    self->has_xd = 0;
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

int provide_x(Instance *self)
{
    int bad;
    if (self->has_x) return 1;
    model_start(self->now.p, self->now.x);
    normalize_quaternions(self->now.x);
    bad = first_not_finite(self->now.x);
    if (bad < N_X) {
        fail(self, "start: %s is not finite with these parameters", model_state_name[bad]);
        return 0;
    }
    self->has_x = 1;
    return 1;
}

int provide_xd(Instance *self)
{
    int bad;
    if (!provide_x(self)) return 0;
    if (self->has_xd) return 1;
    report(self, fmi2OK, LOG_EVALUATIONS, "derivatives at t = %.17g", self->now.time);
    model_derivatives(self->now.x, self->now.u, self->now.p, self->xd);
    bad = first_not_finite(self->xd);
    if (bad < N_X) {
        fail(self, "t = %.17g: the derivative of %s is not finite; "
                   "is there mass beyond this joint, and is every input of a sane size?",
             self->now.time, model_state_name[bad]);
        return 0;
    }
    self->has_xd = 1;
    return 1;
}

int provide_stage(Instance *self, int stage)
{
    const Stage *it = &model_stage[stage];
    if (self->has_stage[stage]) return 1;
    if (!(it->needs_xd ? provide_xd(self) : provide_x(self))) return 0;
    report(self, fmi2OK, LOG_EVALUATIONS, "%s at t = %.17g", it->name, self->now.time);
    it->compute(self->now.x, self->now.u, self->xd, self->now.p, self->y + it->first);
    self->has_stage[stage] = 1;
    return 1;
}
