#include "vectors.h"

#include <math.h>

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
