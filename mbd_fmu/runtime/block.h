/* One block of memory holds all that an instance needs, so that nothing is allocated during a step. It is
   laid out twice: without a base to measure it, then to hand it out. */
#ifndef BLOCK_H
#define BLOCK_H

#include "functions.h"

#include <stddef.h>

BEGIN_HIDDEN

typedef struct {
    char *base; /* NULL: it is only measured, and all places are NULL */
    size_t used;
} Block;

void *take(Block *block, size_t bytes);
double *take_doubles(Block *block, int n);
int *take_ints(Block *block, int n);

END_HIDDEN

#endif
