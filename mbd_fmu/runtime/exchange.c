/* Model exchange, FMI 2.0 sec. 3.2: the importer integrates; the states are x. */
#include "instance.h"

#include <math.h>
#include <string.h>

/* Where states are brought back: at so many tolerances of the importer, and here at the latest. */
#define WORTH_AN_EVENT 100.0
#define FARTHEST 1e-3

static int in_hand(Instance *self, const char *function, const void *values, size_t n)
{
    if (n != N_X) {
        fail(self, "%s: %lu values, but there are %d continuous states", function, (unsigned long)n, N_X);
        return 0;
    }
    if (!values) {
        fail(self, "%s: NULL instead of %d values", function, N_X);
        return 0;
    }
    return 1;
}

fmi2Status fmi2EnterEventMode(fmi2Component c)
{
    Instance *self = enter(c, "fmi2EnterEventMode", EVENT | CONTINUOUS);
    if (!self) return fmi2Error;
    self->mode = EVENT;
    return fmi2OK;
}

fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c)
{
    Instance *self = enter(c, "fmi2EnterContinuousTimeMode", EVENT);
    if (!self) return fmi2Error;
    self->mode = CONTINUOUS;
    return fmi2OK;
}

/* How far the states are from where they belong, in shares of the distance at which an event is worth its
   price: quaternions from length 1, rows on positions and on velocities from zero. The integrator's own
   error is of the size of its tolerance; events that answer that only make it start again and again. Without
   projection nothing brings rows back, so they are worth none. */
static double astray(Instance *self)
{
    double most = 0.0, allowed = fmin(WORTH_AN_EVENT * self->now.p[P_TOLERANCE], FARTHEST);
    for (int k = 0; k < N_QUATERNIONS; ++k) {
        const double *q = self->x + model_quaternion[k];
        double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
        most = fmax(most, fabs(square - 1.0));
    }
#if N_ROWS
    if (PROJECTION) {
        Closure *closure = &self->work.scratch.closure;
        double pace = LENGTH;
        for (int i = 0; i < N_V; ++i) pace = fmax(pace, fabs(self->x[N_Q + i]) * LENGTH);
        model_closure(self->x, self->now.w, self->now.p, (double *)closure);
        for (int j = 0; j < N_HOLONOMIC; ++j)
            most = fmax(most, fabs(model_row_weight[j] * closure->phi[j]) / LENGTH);
        for (int j = 0; j < N_ROWS; ++j)
            most = fmax(most, fabs(model_row_weight[j] * closure->sigma[j]) / pace);
    }
#endif
    return most / allowed;
}

/* There are no events of time or state. An event is asked for only to bring the states back. */
fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo *info)
{
    Instance *self = enter(c, "fmi2NewDiscreteStates", EVENT);
    if (!self) return fmi2Error;
    if (!info) return fail(self, "fmi2NewDiscreteStates: eventInfo is NULL");
    memset(info, 0, sizeof *info);
    if (!provide_x(self)) return fmi2Error;
    if (self->now.behind != 0.0 || !(astray(self) <= 0.1)) { /* well before an event is asked for */
        Problem problem = problem_of(&self->now);
        evaluate(&problem, &self->work, 0.0, self->x, self->xd); /* inertia, for the least motion */
        if (!settle(&problem, &self->work, 0.0, self->x)) {
            self->has_x = 0;
            return fail(self, "fmi2NewDiscreteStates: the states are too far from the constraints");
        }
        memcpy(self->now.x, self->x, sizeof self->now.x);
        self->now.behind = 0.0;
        forget(self);
        info->valuesOfContinuousStatesChanged = fmi2True;
    }
    return fmi2OK;
}

fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean no_way_back, fmi2Boolean *event,
                                       fmi2Boolean *terminate)
{
    Instance *self = enter(c, "fmi2CompletedIntegratorStep", CONTINUOUS);
    (void)no_way_back;
    if (!self) return fmi2Error;
    if (!event || !terminate) return fail(self, "fmi2CompletedIntegratorStep: an argument is NULL");
    if (!provide_x(self)) return fmi2Error;
    *event = astray(self) > 1.0 ? fmi2True : fmi2False;
    *terminate = fmi2False;
    return fmi2OK;
}

fmi2Status fmi2SetTime(fmi2Component c, fmi2Real time)
{
    Instance *self = enter(c, "fmi2SetTime", EVENT | CONTINUOUS);
    if (!self) return fmi2Error;
    if (!isfinite(time)) return fail(self, "fmi2SetTime: time %g", time);
    self->now.time = time;
    return fmi2OK;
}

fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real x[], size_t n)
{
    Instance *self = enter(c, "fmi2SetContinuousStates", CONTINUOUS);
    if (!self || !in_hand(self, "fmi2SetContinuousStates", x, n)) return fmi2Error;
    for (int i = 0; i < N_X; ++i)
        if (!isfinite(x[i]))
            return fail(self, "fmi2SetContinuousStates: %s = %g; a finite value is needed",
                        model_state_name[i], x[i]);
    take_states(self, x);
    return fmi2OK;
}

fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real x[], size_t n)
{
    Instance *self = enter(c, "fmi2GetContinuousStates", INITIALIZATION | EVENT | CONTINUOUS | TERMINATED);
    if (!self || !in_hand(self, "fmi2GetContinuousStates", x, n)) return fmi2Error;
    if (!provide_x(self)) return fmi2Error;
    memcpy(x, self->x, sizeof self->x);
    return fmi2OK;
}

fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real xd[], size_t n)
{
    Instance *self = enter(c, "fmi2GetDerivatives", INITIALIZATION | EVENT | CONTINUOUS | TERMINATED);
    if (!self || !in_hand(self, "fmi2GetDerivatives", xd, n)) return fmi2Error;
    if (!provide_xd(self)) return fmi2Error;
    memcpy(xd, self->xd, sizeof self->xd);
    return fmi2OK;
}

fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real nominal[], size_t n)
{
    Instance *self = enter(c, "fmi2GetNominalsOfContinuousStates",
                           INSTANTIATED | INITIALIZATION | EVENT | CONTINUOUS | TERMINATED);
    if (!self || !in_hand(self, "fmi2GetNominalsOfContinuousStates", nominal, n)) return fmi2Error;
    memcpy(nominal, model_nominal, sizeof model_nominal);
    return fmi2OK;
}

fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real indicator[], size_t n)
{
    Instance *self = enter(c, "fmi2GetEventIndicators", INITIALIZATION | EVENT | CONTINUOUS | TERMINATED);
    (void)indicator;
    if (!self) return fmi2Error;
    return n == 0 ? fmi2OK : fail(self, "fmi2GetEventIndicators: there are none");
}
