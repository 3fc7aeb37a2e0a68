/* Rows of numbers, and quaternions: what vectors.c and lanes have in common. */
#ifndef ROWS_H
#define ROWS_H

#include "real.h"

INLINE void copy_row(int n, const Real *from, Real *to)
{
    for (int i = 0; i < n; ++i) to[i] = from[i];
}

/* See sum_rows in vectors.h. Four at a time: their sums do not wait for each other. */
INLINE void rows_summed(int n, const Real *first, int m, const double *weight, const Real *rows, Real *sum)
{
    const Real zero = EVERY(0.0);
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        Real a = zero, b = zero, c = zero, d = zero;
        const Real *x = rows + i;
        if (first) a = first[i], b = first[i + 1], c = first[i + 2], d = first[i + 3];
        for (int j = 0; j < m; ++j, x += n) {
            a += weight[j] * x[0];
            b += weight[j] * x[1];
            c += weight[j] * x[2];
            d += weight[j] * x[3];
        }
        sum[i] = a, sum[i + 1] = b, sum[i + 2] = c, sum[i + 3] = d;
    }
    for (; i < n; ++i) {
        Real a = first ? first[i] : zero;
        const Real *x = rows + i;
        for (int j = 0; j < m; ++j, x += n) a += weight[j] * *x;
        sum[i] = a;
    }
}

INLINE Real distance(int n, const Real *a, const Real *b)
{
    Real sum = EVERY(0.0);
    for (int i = 0; i < n; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return root_of(sum);
}

INLINE Real length_of_quaternion(const Real *quat)
{
    return root_of(quat[0] * quat[0] + quat[1] * quat[1] + quat[2] * quat[2] + quat[3] * quat[3]);
}

INLINE void make_unit(Real *quat)
{
    Real length = length_of_quaternion(quat);
    for (int i = 0; i < 4; ++i) quat[i] /= length;
}

#endif
