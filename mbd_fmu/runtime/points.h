/* The points of a run, which many cases share: where steps begin, where outputs are wanted, what inputs do. */
#ifndef POINTS_H
#define POINTS_H

#include <stddef.h>

/* What is done at a point. */
enum { GIVES_VALUES = 1, GIVES_RATES = 2, IS_ASKED = 4 };

typedef struct {
    size_t n;
    const double *time, *length; /* of each point, and of the step that begins there; 0: none does */
    const int *what;
    size_t n_columns; /* inputs over time: a row of values, and of rates, for each point */
    const unsigned *column;
    const double *values, *rates;
} Points;

#endif
