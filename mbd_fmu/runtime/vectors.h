/* Rows of numbers. */
#ifndef VECTORS_H
#define VECTORS_H

#include "functions.h"

#include <string.h>

BEGIN_HIDDEN

#define LONG_ROW 64

/* Most rows are short: a loop is done before memcpy has looked at their length. */
static inline void copy(int n, const double *from, double *to)
{
    if (n >= LONG_ROW)
        memcpy(to, from, (size_t)n * sizeof *to);
    else
        for (int i = 0; i < n; ++i) to[i] = from[i];
}

static inline void clear(int n, double *x)
{
    for (int i = 0; i < n; ++i) x[i] = 0.0;
}

/* Sum of m rows of n numbers, one behind the other, each with its weight; and of `first`, or zeros (NULL). */
void sum_rows(int n, const double *first, int m, const double *weight, const double *rows, double *sum);

/* Largest magnitude. */
double largest(int n, const double *x);

/* 0 to n - 1: the first entry that is NaN or infinite; n: all are finite. */
int first_not_finite(int n, const double *x);

double quaternion_length(const double *quat);
void to_unit(double *quat);

END_HIDDEN

#endif
