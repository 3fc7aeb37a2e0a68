/* The functions of functions.h in lanes: the same bits in each. For files that define IN_LANES. */
#ifndef LANE_FUNCTIONS_H
#define LANE_FUNCTIONS_H

#include "real.h"

BEGIN_HIDDEN

typedef struct {
    Real sin, cos;
} LaneSinCos;

LaneSinCos lanes_sincos(Real x);

/* Rare in the equations of trees: lane by lane. */
Real lanes_tan(Real x);
Real lanes_asin(Real x);
Real lanes_acos(Real x);
Real lanes_atan(Real x);
Real lanes_atan2(Real y, Real x);
Real lanes_exp(Real x);
Real lanes_log(Real x);
Real lanes_tanh(Real x);
Real lanes_pow(Real x, Real y);

INLINE Real lanes_sign(Real x)
{
    return pick(x > 0.0, EVERY(1.0), EVERY(0.0)) - pick(x < 0.0, EVERY(1.0), EVERY(0.0));
}
INLINE Real lanes_le(Real a, Real b) { return pick(a <= b, EVERY(1.0), EVERY(0.0)); }

END_HIDDEN

#endif
