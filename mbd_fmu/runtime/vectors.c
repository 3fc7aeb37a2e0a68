#include "vectors.h"

#include "rows.h"

void sum_rows(int n, const double *first, int m, const double *weight, const double *rows, double *sum)
{
    rows_summed(n, first, m, weight, rows, sum);
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

double quaternion_length(const double *quat) { return length_of_quaternion(quat); }

void to_unit(double *quat) { make_unit(quat); }
