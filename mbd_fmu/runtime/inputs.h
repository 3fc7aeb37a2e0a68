/* What acts on the equations: inputs, what is made of them, and the time. */
#ifndef INPUTS_H
#define INPUTS_H

#include "solver.h"

BEGIN_HIDDEN

/* All that acts a time t into the step, and its rates. Forces are held or move on at their rates;
   motions follow their courses; the time goes on. Outside a step, at a communication point, t does not
   count. */
void inputs_at(const Problem *problem, double t, double *w);
void input_rates_at(const Problem *problem, double t, double *rate);

END_HIDDEN

#endif
