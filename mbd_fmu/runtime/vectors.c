#include "vectors.h"

#include <math.h>

/* Four at a time: their sums do not wait for each other. */
void sum_rows(int n, const double *first, int m, const double *weight, const double *rows, double *sum)
{
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        double a = 0.0, b = 0.0, c = 0.0, d = 0.0;
        const double *x = rows + i;
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
        double a = first ? first[i] : 0.0;
        const double *x = rows + i;
        for (int j = 0; j < m; ++j, x += n) a += weight[j] * *x;
        sum[i] = a;
    }
}

double largest(int n, const double *x)
{
    double most = 0.0;
    for (int i = 0; i < n; ++i) most = fmax(most, fabs(x[i]));
    return most;
}

int first_not_finite(int n, const double *x)
{
    int i = 0;
    while (i < n && isfinite(x[i])) ++i;
    return i;
}

double quaternion_length(const double *quat)
{
    return sqrt(quat[0] * quat[0] + quat[1] * quat[1] + quat[2] * quat[2] + quat[3] * quat[3]);
}

void to_unit(double *quat)
{
    double length = quaternion_length(quat);
    for (int i = 0; i < 4; ++i) quat[i] /= length;
}
