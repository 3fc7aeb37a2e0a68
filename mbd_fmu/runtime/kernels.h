/* Routines of large mechanisms: calls of kernels, one after the other, over one row of memory.

   A kernel is the work at one joint, or what else is done alike many times; it does a number of calls in a
   loop. Each call tells where in the memory it reads and writes, and the constants it takes. */
#ifndef KERNELS_H
#define KERNELS_H

#include "model.h"
#include "real.h"

#include <string.h>

BEGIN_HIDDEN

typedef struct {
    void (*kernel)(int n, const int *at, const double *constants, Real *memory);
    int count;              /* calls, one after the other, */
    int places, constants;  /* and how many of these each of them takes */
} Run;

static inline void run_kernels(int n, const Run *run, const int *at, const double *constants, Real *memory)
{
    for (; n > 0; --n, ++run) {
        run->kernel(run->count, at, constants, memory);
        at += run->count * run->places;
        constants += run->count * run->constants;
    }
}

/* Arguments go in, and numbers that results may be; results come out. */
static inline void take_in(int n, const Real *from, Real *to)
{
    memcpy(to, from, (size_t)n * sizeof *to);
}

static inline void spread(int n, const double *from, Real *to)
{
    for (int k = 0; k < n; ++k) to[k] = EVERY(from[k]);
}

static inline void put_out(int n, const int *place, const Real *memory, Real *to)
{
    for (int k = 0; k < n; ++k) to[k] = memory[place[k]];
}

END_HIDDEN

#endif
