/* The functions of FMI 2.0 for co-simulation. */
#include "motions.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where each call is legal. FMI 2.0 sec. 4.2.4. */
#define CAN_GET ANY_MODE
#define CAN_SET_INPUT (INSTANTIATED | INITIALIZATION | RUNNING)
#define CAN_SET_PARAMETER (INSTANTIATED | INITIALIZATION)
#define CAN_SET_STATE CONTINUOUS

/* ---- Common functions, FMI 2.0 sec. 2.1 ---- */

const char *fmi2GetTypesPlatform(void) { return fmi2TypesPlatform; }

const char *fmi2GetVersion(void) { return fmi2Version; }

static int category_of(fmi2String name)
{
    int k = 0;
    while (k < N_CATEGORIES && (!name || strcmp(name, category_name[k]))) ++k;
    return k;
}

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t n, const fmi2String names[])
{
    Instance *self = enter(c, "fmi2SetDebugLogging", ANY_MODE);
    if (!self) return fmi2Error;
    if (n > 0 && !names) return fail(self, "fmi2SetDebugLogging: categories is NULL");
    for (size_t i = 0; i < n; ++i) /* check all before any is switched */
        if (category_of(names[i]) == N_CATEGORIES)
            return fail(self, "fmi2SetDebugLogging: no category \"%s\"", names[i] ? names[i] : "NULL");
    for (size_t i = 0; i < n; ++i) self->logged[category_of(names[i])] = on;
    if (n == 0)
        for (int k = 0; k < N_CATEGORIES; ++k) self->logged[k] = on;
    return fmi2OK;
}

/* Complain before there is an instance. */
static fmi2Component refuse(const fmi2CallbackFunctions *callbacks, fmi2String name, const char *why)
{
    if (callbacks && callbacks->logger)
        callbacks->logger(callbacks->componentEnvironment, name ? name : "", fmi2Error,
                          category_name[LOG_ERROR], "%s", why);
    return NULL;
}

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions *callbacks, fmi2Boolean visible,
                              fmi2Boolean logging)
{
    Instance *self;
    (void)resources; /* nothing is read from there */
    (void)visible;
    if (!callbacks) return NULL;
    if (!name || !name[0])
        return refuse(callbacks, name, "fmi2Instantiate: the instance needs a name");
    if (!guid || strcmp(guid, MODEL_GUID))
        return refuse(callbacks, name,
                      "fmi2Instantiate: the GUID is not " MODEL_GUID
                      "; library and modelDescription.xml are of different builds");
    if (type != fmi2CoSimulation && type != fmi2ModelExchange)
        return refuse(callbacks, name, "fmi2Instantiate: neither co-simulation nor model exchange");
    if (type == fmi2ModelExchange && strlen(STEPPED) > 0)
        return refuse(callbacks, name,
                      "fmi2Instantiate: no model exchange, because the motion of \"" STEPPED "\" is made from step "
                      "to step of what is told; use co-simulation, or build the FMU with motion = \"full\" there");
    self = calloc(1, sizeof *self);
    if (self) self->name = calloc(strlen(name) + 1, 1);
    if (!self || !self->name) {
        free(self);
        return refuse(callbacks, name, "fmi2Instantiate: out of memory");
    }
    strcpy(self->name, name);
    self->callbacks = *callbacks;
    self->exchanges = type == fmi2ModelExchange;
    self->logged[LOG_ERROR] = self->logged[LOG_WARNING] = 1;
    self->logged[LOG_START] = self->logged[LOG_EVALUATIONS] = logging;
    make_fresh(self);
    return self;
}

void fmi2FreeInstance(fmi2Component c)
{
    Instance *self = c;
    if (!self) return;
    free(self->name);
    free(self);
}

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance,
                               fmi2Real start, fmi2Boolean has_stop, fmi2Real stop)
{
    Instance *self = enter(c, "fmi2SetupExperiment", INSTANTIATED);
    if (!self) return fmi2Error;
    if (!isfinite(start)) return fail(self, "fmi2SetupExperiment: start time %.17g", start);
    if (has_stop && !(stop > start))
        return fail(self, "fmi2SetupExperiment: stop time %.17g is not after start time %.17g", stop,
                    start);
    if (has_tolerance && !(tolerance >= model_p_min[P_TOLERANCE] && tolerance <= model_p_max[P_TOLERANCE]))
        return fail(self, "fmi2SetupExperiment: tolerance %.17g is outside %g to %g", tolerance,
                    model_p_min[P_TOLERANCE], model_p_max[P_TOLERANCE]);
    if (has_tolerance) self->now.p[P_TOLERANCE] = tolerance;
    self->now.time = start;
    self->stop_time = has_stop ? stop : INFINITY;
    return fmi2OK;
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c)
{
    Instance *self = enter(c, "fmi2EnterInitializationMode", INSTANTIATED);
    if (!self) return fmi2Error;
    self->mode = INITIALIZATION;
    return fmi2OK;
}

static int within_limits(Instance *self, const char *function, unsigned i, double value)
{
    if (value >= model_p_min[i] && value <= model_p_max[i]) return 1;
    fail(self, "%s: %s = %.17g is outside %g to %g", function, model_name[i], value, model_p_min[i],
         model_p_max[i]);
    return 0;
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c)
{
    Instance *self = enter(c, "fmi2ExitInitializationMode", INITIALIZATION);
    if (!self) return fmi2Error;
    for (unsigned i = 0; i < N_P; ++i)
        if (!within_limits(self, "fmi2ExitInitializationMode", i, self->now.p[i])) return fmi2Error;
    if (!provide_xd(self)) return fmi2Error;
    memcpy(self->now.x, self->x, sizeof self->now.x);
    self->mode = self->exchanges ? EVENT : STEPPING;
    return fmi2OK;
}

fmi2Status fmi2Terminate(fmi2Component c)
{
    Instance *self = enter(c, "fmi2Terminate", RUNNING);
    if (!self) return fmi2Error;
    self->mode = TERMINATED;
    return fmi2OK;
}

fmi2Status fmi2Reset(fmi2Component c)
{
    Instance *self = enter(c, "fmi2Reset", ANY_MODE);
    if (!self) return fmi2Error;
    make_fresh(self);
    return fmi2OK;
}

/* ---- Values, FMI 2.0 sec. 2.1.7. A value reference is an index into one table. ---- */

int known(Instance *self, const char *function, const fmi2ValueReference vr[], size_t n,
          const void *value)
{
    if (n > 0 && (!vr || !value)) {
        fail(self, "%s: NULL instead of %lu values", function, (unsigned long)n);
        return 0;
    }
    for (size_t k = 0; k < n; ++k)
        if (vr[k] >= N_REAL) {
            fail(self, "%s: value reference %u, but the last one is %u", function, vr[k],
                 (unsigned)(N_REAL - 1));
            return 0;
        }
    return 1;
}

int is_finite(Instance *self, const char *function, const char *what, unsigned i, double value)
{
    if (isfinite(value)) return 1;
    fail(self, "%s: %s%s is %g at t = %.17g; is every input and parameter of a sane size?", function, what,
         model_name[i], value, self->now.time);
    return 0;
}

static double value_of(const Instance *self, unsigned i)
{
    return i < FIRST_INPUT        ? self->now.p[i]
           : i < FIRST_OUTPUT     ? self->now.u[i - FIRST_INPUT]
           : i < FIRST_STATE      ? self->y[i - FIRST_OUTPUT]
           : i < FIRST_DERIVATIVE ? self->x[i - FIRST_STATE]
                                  : self->xd[i - FIRST_DERIVATIVE];
}

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Real value[])
{
    Instance *self = enter(c, "fmi2GetReal", CAN_GET);
    if (!self || !known(self, "fmi2GetReal", vr, n, value)) return fmi2Error;
    for (size_t k = 0; k < n; ++k) {
        if (vr[k] < FIRST_OUTPUT) continue;
        if (self->mode == INSTANTIATED)
            return fail(self, "fmi2GetReal: %s is known from initialization mode on", model_name[vr[k]]);
        if (!(vr[k] >= FIRST_DERIVATIVE ? provide_xd(self)
              : vr[k] >= FIRST_STATE    ? provide_x(self)
                                        : provide_stage(self, model_stage_of[vr[k] - FIRST_OUTPUT])))
            return fmi2Error;
    }
    for (size_t k = 0; k < n; ++k)
        if (!is_finite(self, "fmi2GetReal", "", vr[k], value_of(self, vr[k]))) return fmi2Error;
    for (size_t k = 0; k < n; ++k) value[k] = value_of(self, vr[k]);
    return fmi2OK;
}

/* Some importers of model exchange set states here, one by one: those not named stay as they are. */
static int is_state(const Instance *self, unsigned i)
{
    return i >= FIRST_STATE && i < FIRST_DERIVATIVE && self->mode & CAN_SET_STATE;
}

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Real value[])
{
    Instance *self = enter(c, "fmi2SetReal", CAN_SET_INPUT);
    int states = 0;
    if (!self || !known(self, "fmi2SetReal", vr, n, value)) return fmi2Error;
    for (size_t k = 0; k < n; ++k) { /* check all before anything is written */
        const char *name = model_name[vr[k]];
        if (vr[k] >= FIRST_OUTPUT && !is_state(self, vr[k]))
            return fail(self, "fmi2SetReal: %s is %s", name, vr[k] < FIRST_STATE ? "an output" : "calculated");
        if (!isfinite(value[k]))
            return fail(self, "fmi2SetReal: %s = %g; a finite value is needed", name, value[k]);
        if (vr[k] >= FIRST_STATE) ++states;
        if (vr[k] >= FIRST_INPUT || self->mode & CAN_SET_PARAMETER) continue;
        if (!model_tunable[vr[k]])
            return fail(self, "fmi2SetReal: parameter %s is fixed once initialization is over", name);
        if (self->mode == CONTINUOUS)
            return fail(self, "fmi2SetReal: parameter %s changes in event mode only", name);
        if (!within_limits(self, "fmi2SetReal", vr[k], value[k])) return fmi2Error;
    }
    if (states > 0 && !provide_x(self)) return fmi2Error;
    for (size_t k = 0; k < n; ++k) {
        int is_input = vr[k] >= FIRST_INPUT;
        double *place;
        if (vr[k] >= FIRST_STATE) continue;
        place = is_input ? &self->now.u[vr[k] - FIRST_INPUT] : &self->now.p[vr[k]];
        if (*place == value[k]) continue;
        *place = value[k];
        value_changed(self, is_input ? OF_INPUT : OF_PARAMETER);
    }
    if (states > 0) {
        for (size_t k = 0; k < n; ++k)
            if (vr[k] >= FIRST_STATE) self->x[vr[k] - FIRST_STATE] = value[k];
        take_states(self, self->x);
    }
    return fmi2OK;
}

static fmi2Status no_such_type(fmi2Component c, const char *function, int legal, size_t n)
{
    Instance *self = enter(c, function, legal);
    if (!self) return fmi2Error;
    return n == 0 ? fmi2OK : fail(self, "%s: all variables of this FMU are Real", function);
}

fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Integer v[])
{
    (void)vr, (void)v;
    return no_such_type(c, "fmi2GetInteger", CAN_GET, n);
}

fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Boolean v[])
{
    (void)vr, (void)v;
    return no_such_type(c, "fmi2GetBoolean", CAN_GET, n);
}

fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2String v[])
{
    (void)vr, (void)v;
    return no_such_type(c, "fmi2GetString", CAN_GET, n);
}

fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                          const fmi2Integer v[])
{
    (void)vr, (void)v;
    return no_such_type(c, "fmi2SetInteger", CAN_SET_INPUT, n);
}

fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                          const fmi2Boolean v[])
{
    (void)vr, (void)v;
    return no_such_type(c, "fmi2SetBoolean", CAN_SET_INPUT, n);
}

fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2String v[])
{
    (void)vr, (void)v;
    return no_such_type(c, "fmi2SetString", CAN_SET_INPUT, n);
}

/* ---- Stepping, FMI 2.0 sec. 4.2 ---- */

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                                       const fmi2Integer order[], const fmi2Real value[])
{
    Instance *self = enter(c, "fmi2SetRealInputDerivatives", CAN_SET_INPUT);
    if (!self || !known(self, "fmi2SetRealInputDerivatives", vr, n, value)) return fmi2Error;
    if (n > 0 && !order) return fail(self, "fmi2SetRealInputDerivatives: order is NULL");
    for (size_t k = 0; k < n; ++k) {
        const char *name = model_name[vr[k]];
        if (vr[k] < FIRST_INPUT || vr[k] >= FIRST_OUTPUT)
            return fail(self, "fmi2SetRealInputDerivatives: %s is no input", name);
        if (order[k] != 1)
            return fail(self, "fmi2SetRealInputDerivatives: order %d of %s; only 1 is used", order[k],
                        name);
        if (!isfinite(value[k]))
            return fail(self, "fmi2SetRealInputDerivatives: derivative %g of %s", value[k], name);
    }
    for (size_t k = 0; k < n; ++k) self->now.du[vr[k] - FIRST_INPUT] = value[k];
    return fmi2OK;
}

/* How far clocks may be apart by rounding: a small share of the step, and some last digits. */
static double slack(double length, double time)
{
    return 1e-6 * length + (isfinite(time) ? 4.0 * DBL_EPSILON * fabs(time) : 0.0);
}

/* Say what was the matter with a step; the state is what it was. */
static fmi2Status not_followed(Instance *self, const Outcome *outcome, double time, double length)
{
    const char *name = model_state_name[outcome->state];
    double reached = time + outcome->time;
    if (SOLVER_RK4)
        return fail(self,
                    "fmi2DoStep: the motion of %s cannot be followed beyond t = %.17g with steps of %s = %g s; "
                    "the state is still that at t = %.17g",
                    name, reached, model_name[P_STEP], self->now.p[P_STEP], self->now.time);
    if (outcome->ending == TOO_MANY_STEPS)
        return fail(self,
                    "fmi2DoStep: the motion of %s cannot be followed in reasonable time: after %ld internal "
                    "steps t = %.17g, and at this pace more than %ld are needed for %g s; is something very "
                    "stiff (solver = \"stiff\") or very fast? The state is still that at t = %.17g",
                    name, outcome->steps, reached, MOST_STEPS, length, self->now.time);
    return fail(self,
                "fmi2DoStep: the motion of %s cannot be followed beyond t = %.17g with tolerance %g and internal "
                "steps of %g s, the shortest in one of %g s; the state is still that at t = %.17g",
                name, reached, self->now.p[P_TOLERANCE], SMALLEST_SHARE * length, length, self->now.time);
}

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real time, fmi2Real length, fmi2Boolean no_way_back)
{
    Instance *self = enter(c, "fmi2DoStep", STEPPING);
    Problem problem;
    Outcome outcome;
    double w[N_W + 1] = {0.0};
    (void)no_way_back;
    if (!self) return fmi2Error;
    if (!(length > 0.0 && isfinite(length)))
        return fail(self, "fmi2DoStep: step size %.17g is not positive and finite", length);
    /* The importer's clock is the truth; it may differ from ours by its rounding, not by more. */
    if (!(fabs(time - self->now.time) <= slack(length, self->now.time)))
        return fail(self, "fmi2DoStep: communication point %.17g, but the last step ended at %.17g", time,
                    self->now.time);
    if (!isfinite(time + length))
        return fail(self, "fmi2DoStep: %.17g and %.17g add up to no time", time, length);
    if (!(time + length <= self->stop_time + slack(length, self->stop_time)))
        return fail(self, "fmi2DoStep: the step ends at %.17g, after the stop time %.17g", time + length,
                    self->stop_time);
    if (SOLVER_RK4 && !(length <= MOST_STEPS * self->now.p[P_STEP]))
        return fail(self, "fmi2DoStep: a step of %g s takes more than %ld of %s = %g s", length,
                    MOST_STEPS, model_name[P_STEP], self->now.p[P_STEP]);
    if (!provide_xd(self)) return fmi2Error;

    self->trial = self->now;
    memcpy(self->trial.x, self->x, sizeof self->trial.x);
    self->trial.behind = 0.0;
    look_for_contradictions(self, &self->trial);
    set_out(self, &self->trial, length);
    problem = problem_of(&self->trial);
    problem.course = self->work.course;
    outcome = advance(&problem, &self->work, length, self->trial.x, self->xd);
    forget(self);
    memset(self->now.du, 0, sizeof self->now.du);
    advise(self, &outcome, &self->trial);
    if (outcome.ending != ARRIVED) return not_followed(self, &outcome, time, length);

    inputs_at(&problem, length, w); /* they have moved on with the step */
    /* The solver's last look may have been off by its own rounding; then it is not what anybody would
       compute from the state alone. */
    arrive(self, &self->trial, w);
    for (int i = 0; i < N_U; ++i)
        if (!is_finite(self, "fmi2DoStep", "at the end of the step ", FIRST_INPUT + i, self->trial.u[i])) return fmi2Error;
    self->has_xd = !memcmp(self->trial.w, self->work.u, sizeof(double) * N_W);
    memset(self->trial.du, 0, sizeof self->trial.du);
    self->trial.time = time + length;
    self->now = self->trial;
    memcpy(self->x, self->now.x, sizeof self->x);
    report(self, fmi2OK, LOG_EVALUATIONS,
           "step to t = %.17g: %ld internal steps, %ld evaluations, %ld Jacobians", self->now.time,
           outcome.steps, outcome.evaluations, outcome.jacobians);
    return fmi2OK;
}

fmi2Status fmi2CancelStep(fmi2Component c)
{
    Instance *self = enter(c, "fmi2CancelStep", ANY_MODE);
    return self ? fail(self, "fmi2CancelStep: steps are not asynchronous") : fmi2Error;
}

fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Real *value)
{
    Instance *self = enter(c, "fmi2GetRealStatus", STEPPING | TERMINATED);
    if (!self) return fmi2Error;
    if (!value) return fail(self, "fmi2GetRealStatus: value is NULL");
    if (kind != fmi2LastSuccessfulTime) return fmi2Discard;
    *value = self->now.time;
    return fmi2OK;
}

fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Boolean *value)
{
    Instance *self = enter(c, "fmi2GetBooleanStatus", STEPPING | TERMINATED);
    if (!self) return fmi2Error;
    if (!value) return fail(self, "fmi2GetBooleanStatus: value is NULL");
    if (kind != fmi2Terminated) return fmi2Discard;
    *value = fmi2False;
    return fmi2OK;
}

static fmi2Status no_status(fmi2Component c, const char *function)
{
    return enter(c, function, STEPPING | TERMINATED) ? fmi2Discard : fmi2Error;
}

fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Status *value)
{
    (void)kind, (void)value;
    return no_status(c, "fmi2GetStatus");
}

fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Integer *value)
{
    (void)kind, (void)value;
    return no_status(c, "fmi2GetIntegerStatus");
}

fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind kind, fmi2String *value)
{
    (void)kind, (void)value;
    return no_status(c, "fmi2GetStringStatus");
}
