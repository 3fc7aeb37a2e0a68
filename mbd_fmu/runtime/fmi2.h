/* FMI 2.0, bound to the core: where each call is legal, and what its arguments and answers are there. */
#ifndef FMI2_H
#define FMI2_H

#include "fmi2Functions.h"
#include "instance.h"

BEGIN_HIDDEN

/* FMI 2.0 sec. 3.2.3 and 4.2.4. */
enum {
    LEGAL_fmi2SetDebugLogging = ANY_MODE,
    LEGAL_fmi2SetupExperiment = INSTANTIATED,
    LEGAL_fmi2EnterInitializationMode = INSTANTIATED,
    LEGAL_fmi2ExitInitializationMode = INITIALIZATION,
    LEGAL_fmi2Terminate = RUNNING,
    LEGAL_fmi2Reset = ANY_MODE,
    LEGAL_fmi2GetReal = ANY_MODE,
    LEGAL_fmi2GetInteger = ANY_MODE,
    LEGAL_fmi2GetBoolean = ANY_MODE,
    LEGAL_fmi2GetString = ANY_MODE,
    LEGAL_fmi2SetReal = INSTANTIATED | INITIALIZATION | RUNNING,
    LEGAL_fmi2SetInteger = LEGAL_fmi2SetReal,
    LEGAL_fmi2SetBoolean = LEGAL_fmi2SetReal,
    LEGAL_fmi2SetString = LEGAL_fmi2SetReal,
    LEGAL_fmi2SetRealInputDerivatives = LEGAL_fmi2SetReal,
    LEGAL_fmi2GetDirectionalDerivative = INITIALIZATION | RUNNING | TERMINATED,
    LEGAL_fmi2GetRealOutputDerivatives = STEPPING | TERMINATED,
    LEGAL_fmi2DoStep = STEPPING,
    LEGAL_fmi2CancelStep = ANY_MODE,
    LEGAL_fmi2GetStatus = STEPPING | TERMINATED,
    LEGAL_fmi2GetRealStatus = LEGAL_fmi2GetStatus,
    LEGAL_fmi2GetIntegerStatus = LEGAL_fmi2GetStatus,
    LEGAL_fmi2GetBooleanStatus = LEGAL_fmi2GetStatus,
    LEGAL_fmi2GetStringStatus = LEGAL_fmi2GetStatus,
    LEGAL_fmi2GetFMUstate = ANY_MODE,
    LEGAL_fmi2SetFMUstate = ANY_MODE,
    LEGAL_fmi2FreeFMUstate = ANY_MODE,
    LEGAL_fmi2SerializedFMUstateSize = ANY_MODE,
    LEGAL_fmi2SerializeFMUstate = ANY_MODE,
    LEGAL_fmi2DeSerializeFMUstate = ANY_MODE,
    LEGAL_fmi2EnterEventMode = EVENT | CONTINUOUS,
    LEGAL_fmi2EnterContinuousTimeMode = EVENT,
    LEGAL_fmi2NewDiscreteStates = EVENT,
    LEGAL_fmi2CompletedIntegratorStep = CONTINUOUS,
    LEGAL_fmi2SetTime = EVENT | CONTINUOUS,
    LEGAL_fmi2SetContinuousStates = CONTINUOUS,
    LEGAL_fmi2GetContinuousStates = INITIALIZATION | EVENT | CONTINUOUS | TERMINATED,
    LEGAL_fmi2GetDerivatives = LEGAL_fmi2GetContinuousStates,
    LEGAL_fmi2GetEventIndicators = LEGAL_fmi2GetContinuousStates,
    LEGAL_fmi2GetNominalsOfContinuousStates = INSTANTIATED | LEGAL_fmi2GetContinuousStates
};

/* Check that a call is legal now; NULL and a message if not. */
Instance *enter(fmi2Component c, const char *where, int legal);

/* Begin a function of the standard: `self` is the instance, `where` the name of the function. */
#define BEGIN(function)                                                                                      \
    static const char where[] = #function;                                                                   \
    Instance *self = enter(c, where, LEGAL_##function);                                                      \
    if (!self) return fmi2Error

static inline fmi2Status status_of(Status status)
{
    return status == STATUS_OK ? fmi2OK : fmi2Error;
}

END_HIDDEN

#endif
