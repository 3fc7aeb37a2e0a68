/* Many cases of one mechanism, bound to the core: each runs as co-simulation would run it, bit by bit.

   A case is a row of settings, parameters and inputs that stay; all cases share the points of the run and the
   inputs given there. One that fails is told with its messages, and the others never know. */
#ifndef BATCH_H
#define BATCH_H

#include "instance.h"
#include "points.h"
#include "processor.h"

BEGIN_HIDDEN

/* What is kept of each output: a row at every point that is asked for; the last of them; the least and the
   greatest value. */
typedef enum { KEEP_ALL, KEEP_LAST, KEEP_EXTREMES } Keep;

/* What all cases share. Variables by index. */
typedef struct {
    Points points;
    size_t n_settings, n_outputs;
    const unsigned *setting, *output;
    size_t n_rows; /* kept of each case */
    Keep keep;
} Plan;

/* Who hears what a case says, errors and warnings. */
typedef void Hear(size_t at, int is_error, const char *text);

/* Settings and results of some cases, one behind the other; and whether each failed. */
typedef struct {
    size_t n, first; /* how many, and the number of the first among all */
    const double *setting;
    double *kept;
    int *failed;
} Cases;

typedef struct Batch Batch;

/* What one thread works with; `at_once`: cases side by side in the lanes of the processor, where they pay.
   NULL: out of memory. */
EXPORTED Batch *batch_new(const Plan *plan, Hear *hear, int at_once);
EXPORTED void batch_run(Batch *self, const Cases *cases);
EXPORTED void batch_free(Batch *self);

/* How many run side by side here at most. */
EXPORTED int batch_width(void);

END_HIDDEN

#endif
