/* What a study keeps of each output of a run: a few numbers. */
#ifndef SUMMARIES_H
#define SUMMARIES_H

#include "processor.h"

#include <stddef.h>

BEGIN_HIDDEN

/* Rows of what is kept. */
enum { LEAST, GREATEST, LAST, MEAN_SQUARE_ROOT, PEAK_TIME, N_SUMMARIES };

/* Summarise cases one after the other. `value` is (cases, times, outputs), `weight` of each time that of the
   trapezoidal rule, their sum 1; `kept` is (cases, N_SUMMARIES, outputs), `peak` a place for (outputs).
   Each output of each case is worked out in the order of time: its bits do not depend on what is beside it. */
EXPORTED void summarise(size_t n_cases, size_t n_times, size_t n_outputs, const double *time, const double *weight,
                        const double *value, double *kept, double *peak);

END_HIDDEN

#endif
