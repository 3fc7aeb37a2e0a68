/* What modelDescription.xml does not claim: refused, never answered with an empty OK. */
#include "instance.h"

static fmi2Status unclaimed(fmi2Component c, const char *function)
{
    Instance *self = enter(c, function, ANY_MODE);
    return self ? fail(self, "%s: this FMU does not offer it, see modelDescription.xml", function)
                : fmi2Error;
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                                        const fmi2Integer order[], fmi2Real value[])
{
    (void)vr, (void)n, (void)order, (void)value;
    return unclaimed(c, "fmi2GetRealOutputDerivatives");
}

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *state)
{
    (void)state;
    return unclaimed(c, "fmi2GetFMUstate");
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state)
{
    (void)state;
    return unclaimed(c, "fmi2SetFMUstate");
}

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *state)
{
    (void)state;
    return unclaimed(c, "fmi2FreeFMUstate");
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t *size)
{
    (void)state, (void)size;
    return unclaimed(c, "fmi2SerializedFMUstateSize");
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size)
{
    (void)state, (void)bytes, (void)size;
    return unclaimed(c, "fmi2SerializeFMUstate");
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size,
                                   fmi2FMUstate *state)
{
    (void)bytes, (void)size, (void)state;
    return unclaimed(c, "fmi2DeSerializeFMUstate");
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknown[], size_t n,
                                        const fmi2ValueReference given[], size_t m,
                                        const fmi2Real seed[], fmi2Real value[])
{
    (void)unknown, (void)n, (void)given, (void)m, (void)seed, (void)value;
    return unclaimed(c, "fmi2GetDirectionalDerivative");
}
