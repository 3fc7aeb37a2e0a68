/* The functions of FMI 2.0 for model exchange, sec. 3.2. */
#include "fmi2.h"

#include <string.h>

fmi2Status fmi2EnterEventMode(fmi2Component c)
{
    BEGIN(fmi2EnterEventMode);
    self->mode = EVENT;
    return fmi2OK;
}

fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c)
{
    BEGIN(fmi2EnterContinuousTimeMode);
    self->mode = CONTINUOUS;
    return fmi2OK;
}

fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo *info)
{
    BEGIN(fmi2NewDiscreteStates);
    Status status;
    int has_moved;
    if (!info) return status_of(fail(self, "%s: eventInfo is NULL", where));
    memset(info, 0, sizeof *info);
    status = bring_back(self, where, &has_moved);
    if (has_moved) info->valuesOfContinuousStatesChanged = fmi2True;
    return status_of(status);
}

fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean no_way_back, fmi2Boolean *event,
                                       fmi2Boolean *terminate)
{
    BEGIN(fmi2CompletedIntegratorStep);
    int is_worth_it;
    (void)no_way_back;
    if (!event || !terminate) return status_of(fail(self, "%s: an argument is NULL", where));
    if (ask_for_event(self, &is_worth_it) != STATUS_OK) return fmi2Error;
    *event = is_worth_it ? fmi2True : fmi2False;
    *terminate = fmi2False;
    return fmi2OK;
}

fmi2Status fmi2SetTime(fmi2Component c, fmi2Real time)
{
    BEGIN(fmi2SetTime);
    return status_of(set_time(self, where, time));
}

fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real x[], size_t n)
{
    BEGIN(fmi2SetContinuousStates);
    return status_of(set_states(self, where, x, n));
}

fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real x[], size_t n)
{
    BEGIN(fmi2GetContinuousStates);
    return status_of(get_states(self, where, x, n));
}

fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real xd[], size_t n)
{
    BEGIN(fmi2GetDerivatives);
    return status_of(get_rates(self, where, xd, n));
}

fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real nominal[], size_t n)
{
    BEGIN(fmi2GetNominalsOfContinuousStates);
    return status_of(get_nominals(self, where, nominal, n));
}

fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real indicator[], size_t n)
{
    BEGIN(fmi2GetEventIndicators);
    (void)indicator;
    return n == 0 ? fmi2OK : status_of(fail(self, "%s: there are none", where));
}
