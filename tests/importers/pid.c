/* A PID controller as an FMU for co-simulation: the neighbour of our mechanisms in control loops.
   A step sees the error at its beginning and holds its drive until the next; the derivative is
   filtered. Of the standard it has what importers look for when they load a library. */
#include "fmi2Functions.h"

#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wunused-parameter"

/* Value references, as in pid.xml. */
enum { MEASURED, DRIVE, SETPOINT, KP, KI, KD, FILTER_TIME, N_REAL };

typedef struct {
    double r[N_REAL];
    double error; /* of the last step */
    double slope; /* of the error, filtered */
    double sum;   /* of the error over time */
    int begun;
} Pid;

static void make_fresh(Pid *pid)
{
    memset(pid, 0, sizeof *pid);
    pid->r[KP] = 1.0;
    pid->r[FILTER_TIME] = 0.01;
}

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions *callbacks, fmi2Boolean visible,
                              fmi2Boolean logging)
{
    Pid *pid;
    if (type != fmi2CoSimulation || strcmp(guid, "pid-of-the-tests")) return NULL;
    pid = malloc(sizeof *pid);
    if (pid) make_fresh(pid);
    return pid;
}

void fmi2FreeInstance(fmi2Component c) { free(c); }

fmi2Status fmi2Reset(fmi2Component c)
{
    make_fresh(c);
    return fmi2OK;
}

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Real value[])
{
    const Pid *pid = c;
    for (size_t k = 0; k < n; ++k) {
        if (vr[k] >= N_REAL) return fmi2Error;
        value[k] = pid->r[vr[k]];
    }
    return fmi2OK;
}

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Real value[])
{
    Pid *pid = c;
    for (size_t k = 0; k < n; ++k) {
        if (vr[k] >= N_REAL || vr[k] == DRIVE) return fmi2Error;
        pid->r[vr[k]] = value[k];
    }
    return fmi2OK;
}

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real time, fmi2Real h, fmi2Boolean no_way_back)
{
    Pid *pid = c;
    double *r = pid->r, error = r[SETPOINT] - r[MEASURED];
    double rate = pid->begun ? (error - pid->error) / h : 0.0;
    pid->slope += h / (r[FILTER_TIME] + h) * (rate - pid->slope);
    pid->sum += error * h;
    pid->error = error;
    pid->begun = 1;
    r[DRIVE] = r[KP] * error + r[KI] * pid->sum + r[KD] * pid->slope;
    return fmi2OK;
}

/* ---- Nothing to be done */

const char *fmi2GetTypesPlatform(void) { return fmi2TypesPlatform; }
const char *fmi2GetVersion(void) { return fmi2Version; }
fmi2Status fmi2EnterInitializationMode(fmi2Component c) { return fmi2OK; }
fmi2Status fmi2ExitInitializationMode(fmi2Component c) { return fmi2OK; }
fmi2Status fmi2Terminate(fmi2Component c) { return fmi2OK; }

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t n, const fmi2String names[])
{
    return fmi2OK;
}

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance,
                               fmi2Real start, fmi2Boolean has_stop, fmi2Real stop)
{
    return fmi2OK;
}

/* ---- What it does not have */

#define NO_VALUES(type)                                                                            \
    fmi2Status fmi2Get##type(fmi2Component c, const fmi2ValueReference vr[], size_t n,             \
                             fmi2##type value[])                                                   \
    {                                                                                              \
        return n ? fmi2Error : fmi2OK;                                                             \
    }                                                                                              \
    fmi2Status fmi2Set##type(fmi2Component c, const fmi2ValueReference vr[], size_t n,             \
                             const fmi2##type value[])                                             \
    {                                                                                              \
        return n ? fmi2Error : fmi2OK;                                                             \
    }
NO_VALUES(Integer)
NO_VALUES(Boolean)
NO_VALUES(String)

#define NO_STATUS(name, type)                                                                      \
    fmi2Status fmi2Get##name(fmi2Component c, const fmi2StatusKind kind, type *value)              \
    {                                                                                              \
        return fmi2Discard;                                                                        \
    }
NO_STATUS(Status, fmi2Status)
NO_STATUS(RealStatus, fmi2Real)
NO_STATUS(IntegerStatus, fmi2Integer)
NO_STATUS(BooleanStatus, fmi2Boolean)
NO_STATUS(StringStatus, fmi2String)

fmi2Status fmi2CancelStep(fmi2Component c) { return fmi2Error; }

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                                       const fmi2Integer order[], const fmi2Real value[])
{
    return n ? fmi2Error : fmi2OK;
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                                        const fmi2Integer order[], fmi2Real value[])
{
    return n ? fmi2Error : fmi2OK;
}

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *state) { return fmi2Error; }
fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) { return fmi2Error; }
fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *state) { return fmi2Error; }

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t *size)
{
    return fmi2Error;
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte text[], size_t size)
{
    return fmi2Error;
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte text[], size_t size,
                                   fmi2FMUstate *state)
{
    return fmi2Error;
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknown[], size_t m,
                                        const fmi2ValueReference known[], size_t n,
                                        const fmi2Real seed[], fmi2Real value[])
{
    return fmi2Error;
}
