/* The other side of the standard: an FMU of anybody's is led through the points of a run, as importers do. */
#ifndef FMI2_WALK_H
#define FMI2_WALK_H

#include "points.h"
#include "processor.h"

#include "fmi2FunctionTypes.h"

BEGIN_HIDDEN

/* Functions of an FMU, in the order in which they are called. */
typedef struct {
    fmi2SetRealTYPE *set;
    fmi2ExitInitializationModeTYPE *exit_initialization;
    fmi2SetRealInputDerivativesTYPE *set_rates;
    fmi2GetRealTYPE *get;
    fmi2DoStepTYPE *step;
} Functions;

typedef enum { NOWHERE = -1, AT_SET, AT_EXIT, AT_RATES, AT_GET, AT_STEP } Place;

/* From initialization mode to the last point; outputs go into `kept`, a row for each point that asks for them.
   Return which function refused, and with what status. */
EXPORTED Place walk_through(const Functions *call, fmi2Component slave, const Points *points, size_t n_outputs,
                            const fmi2ValueReference *output, fmi2Real *kept, fmi2Status *status);

END_HIDDEN

#endif
