/* The functions of FMI 2.0 for both kinds of FMU, and for co-simulation. */
#include "fmi2.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An instance with what the importer has lent it. */
typedef struct {
    Instance *instance;
    fmi2CallbackFunctions callbacks; /* a copy: the caller's struct may die with the call */
    char *name;
} Component;

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

Instance *enter(fmi2Component c, const char *where, int legal)
{
    Instance *self = c ? ((Component *)c)->instance : NULL;
    char expected[192] = "";
    if (!self || self->mode & legal) return self;
    for (int mode = INSTANTIATED; mode <= CONTINUOUS; mode *= 2)
        if (mode & legal) {
            if (expected[0]) strcat(expected, " or ");
            strcat(expected, mode_name((Mode)mode));
        }
    fail(self, "%s: not allowed %s, only %s", where, mode_name(self->mode), expected);
    return NULL;
}

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
    BEGIN(fmi2SetDebugLogging);
    if (n > 0 && !names) return status_of(fail(self, "%s: categories is NULL", where));
    for (size_t i = 0; i < n; ++i) /* check all before any is switched */
        if (category_of(names[i]) == N_CATEGORIES)
            return status_of(fail(self, "%s: no category \"%s\"", where, names[i] ? names[i] : "NULL"));
    for (size_t i = 0; i < n; ++i) self->logged[category_of(names[i])] = on;
    if (n == 0)
        for (int k = 0; k < N_CATEGORIES; ++k) self->logged[k] = on;
    return fmi2OK;
}

/* The text is passed as "%s": a percent sign in it must not be one to the importer. */
static void pass_on(void *environment, Status status, Category category, const char *text)
{
    const Component *it = environment;
    it->callbacks.logger(it->callbacks.componentEnvironment, it->name, status_of(status),
                         category_name[category], "%s", text);
}

/* Complain before there is an instance: why, with a detail and a remedy or empty texts. */
static fmi2Component refuse(const fmi2CallbackFunctions *callbacks, fmi2String name, const char *why,
                            const char *detail, const char *remedy)
{
    char text[512];
    snprintf(text, sizeof text, "fmi2Instantiate: %s%s%s", why, detail, remedy);
    if (callbacks->logger)
        callbacks->logger(callbacks->componentEnvironment, name ? name : "", fmi2Error,
                          category_name[LOG_ERROR], "%s", text);
    return NULL;
}

static Component *component_new(fmi2String name, const fmi2CallbackFunctions *callbacks, int exchanges)
{
    Component *it = calloc(1, sizeof *it + strlen(name) + 1);
    if (!it) return NULL;
    it->callbacks = *callbacks;
    it->name = (char *)(it + 1);
    strcpy(it->name, name);
    it->instance = instance_new(&this_model, exchanges, callbacks->logger ? pass_on : NULL, it);
    if (it->instance) return it;
    free(it);
    return NULL;
}

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions *callbacks, fmi2Boolean visible,
                              fmi2Boolean logging)
{
    const char *stepped = this_model.stepped;
    Component *it;
    (void)resources; /* nothing is read from there */
    (void)visible;
    if (!callbacks) return NULL;
    if (!name || !name[0]) return refuse(callbacks, name, "the instance needs a name", "", "");
    if (!guid || strcmp(guid, this_model.guid))
        return refuse(callbacks, name, "the GUID is not ", this_model.guid,
                      "; library and modelDescription.xml are of different builds");
    if (type != fmi2CoSimulation && type != fmi2ModelExchange)
        return refuse(callbacks, name, "neither co-simulation nor model exchange", "", "");
    if (type == fmi2ModelExchange && stepped)
        return refuse(callbacks, name, "no model exchange, because the motion of \"", stepped,
                      "\" is made from step to step of what is told; use co-simulation, or build the FMU with "
                      "motion = \"full\" there");
    it = component_new(name, callbacks, type == fmi2ModelExchange);
    if (!it) return refuse(callbacks, name, "out of memory", "", "");
    it->instance->logged[LOG_START] = it->instance->logged[LOG_EVALUATIONS] = logging;
    return it;
}

void fmi2FreeInstance(fmi2Component c)
{
    Component *it = c;
    if (!it) return;
    instance_free(it->instance);
    free(it);
}

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance,
                               fmi2Real start, fmi2Boolean has_stop, fmi2Real stop)
{
    BEGIN(fmi2SetupExperiment);
    return status_of(
        set_up(self, where, has_tolerance ? &tolerance : NULL, start, has_stop ? &stop : NULL));
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c)
{
    BEGIN(fmi2EnterInitializationMode);
    self->mode = INITIALIZATION;
    return fmi2OK;
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c)
{
    BEGIN(fmi2ExitInitializationMode);
    return status_of(end_initialization(self, where));
}

fmi2Status fmi2Terminate(fmi2Component c)
{
    BEGIN(fmi2Terminate);
    self->mode = TERMINATED;
    return fmi2OK;
}

fmi2Status fmi2Reset(fmi2Component c)
{
    BEGIN(fmi2Reset);
    make_fresh(self);
    return fmi2OK;
}

/* ---- Values, FMI 2.0 sec. 2.1.7. A value reference is an index into one table. ---- */

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Real value[])
{
    BEGIN(fmi2GetReal);
    return status_of(get_values(self, where, vr, n, value));
}

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Real value[])
{
    BEGIN(fmi2SetReal);
    return status_of(set_values(self, where, vr, n, value));
}

static fmi2Status no_such_type(Instance *self, const char *where, size_t n)
{
    return n == 0 ? fmi2OK : status_of(fail(self, "%s: all variables of this FMU are Real", where));
}

fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Integer v[])
{
    BEGIN(fmi2GetInteger);
    (void)vr, (void)v;
    return no_such_type(self, where, n);
}

fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Boolean v[])
{
    BEGIN(fmi2GetBoolean);
    (void)vr, (void)v;
    return no_such_type(self, where, n);
}

fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2String v[])
{
    BEGIN(fmi2GetString);
    (void)vr, (void)v;
    return no_such_type(self, where, n);
}

fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                          const fmi2Integer v[])
{
    BEGIN(fmi2SetInteger);
    (void)vr, (void)v;
    return no_such_type(self, where, n);
}

fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                          const fmi2Boolean v[])
{
    BEGIN(fmi2SetBoolean);
    (void)vr, (void)v;
    return no_such_type(self, where, n);
}

fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2String v[])
{
    BEGIN(fmi2SetString);
    (void)vr, (void)v;
    return no_such_type(self, where, n);
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknown[], size_t n,
                                        const fmi2ValueReference known[], size_t m, const fmi2Real seed[],
                                        fmi2Real value[])
{
    BEGIN(fmi2GetDirectionalDerivative);
    return status_of(get_directional_derivative(self, where, unknown, n, known, m, seed, value));
}

/* ---- Stepping, FMI 2.0 sec. 4.2 ---- */

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                                       const fmi2Integer order[], const fmi2Real value[])
{
    BEGIN(fmi2SetRealInputDerivatives);
    return status_of(set_input_rates(self, where, vr, n, order, value));
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                                        const fmi2Integer order[], fmi2Real value[])
{
    BEGIN(fmi2GetRealOutputDerivatives);
    return status_of(get_output_rates(self, where, vr, n, order, value));
}

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real time, fmi2Real length, fmi2Boolean no_way_back)
{
    BEGIN(fmi2DoStep);
    (void)no_way_back;
    return status_of(do_step(self, where, time, length));
}

fmi2Status fmi2CancelStep(fmi2Component c)
{
    BEGIN(fmi2CancelStep);
    return status_of(fail(self, "%s: steps are not asynchronous", where));
}

fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Real *value)
{
    BEGIN(fmi2GetRealStatus);
    if (!value) return status_of(fail(self, "%s: value is NULL", where));
    if (kind != fmi2LastSuccessfulTime) return fmi2Discard;
    *value = self->now.time;
    return fmi2OK;
}

fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Boolean *value)
{
    BEGIN(fmi2GetBooleanStatus);
    if (!value) return status_of(fail(self, "%s: value is NULL", where));
    if (kind != fmi2Terminated) return fmi2Discard;
    *value = fmi2False;
    return fmi2OK;
}

fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Status *value)
{
    BEGIN(fmi2GetStatus);
    (void)kind, (void)value;
    return fmi2Discard;
}

fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Integer *value)
{
    BEGIN(fmi2GetIntegerStatus);
    (void)kind, (void)value;
    return fmi2Discard;
}

fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind kind, fmi2String *value)
{
    BEGIN(fmi2GetStringStatus);
    (void)kind, (void)value;
    return fmi2Discard;
}
