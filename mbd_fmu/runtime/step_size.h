/* The error of a step against the tolerance, and what it says about the next one: the part of adaptive.c that
   lanes share. */
#ifndef STEP_SIZE_H
#define STEP_SIZE_H

#include "real.h"

INLINE Real error_ratio(Real tolerance, Real x, Real x_new, Real error)
{
    return size_of(error / (tolerance * (1.0 + greater(size_of(x), size_of(x_new)))));
}

/* Root mean square; above 1 the step is refused. */
INLINE Real error_norm(int n, Real tolerance, const Real *x, const Real *x_new, const Real *error)
{
    Real sum = EVERY(0.0);
    for (int i = 0; i < n; ++i) {
        Real ratio = error_ratio(tolerance, x[i], x_new[i], error[i]);
        sum += ratio * ratio;
    }
    return root_of(sum / n);
}

/* Where a norm is so small, or none at all, its root says nothing. */
INLINE Truth norm_counts(Real norm) { return both(norm > 1e-5, is_finite_real(norm)); }

/* How many times as long the next step may be, by the norm and the root of the norm that counts. */
INLINE Real step_factor(Real norm, Real root)
{
    return pick(norm_counts(norm), 0.9 / root, pick(norm <= 1e-5, EVERY(5.0), EVERY(0.1)));
}

#endif
