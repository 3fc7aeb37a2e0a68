#include "block.h"

#define ALIGNMENT 16u /* good for all that stands in a block */

void *take(Block *block, size_t bytes)
{
    char *place = block->base ? block->base + block->used : NULL;
    block->used += (bytes + ALIGNMENT - 1u) / ALIGNMENT * ALIGNMENT;
    return place;
}

double *take_doubles(Block *block, int n) { return take(block, sizeof(double) * (size_t)n); }

int *take_ints(Block *block, int n) { return take(block, sizeof(int) * (size_t)n); }
