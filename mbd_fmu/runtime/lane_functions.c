#define IN_LANES
#include "lane_functions.h"

#include "sines.h"

/* As own_sincos, which takes the lanes that are out of the common way. */
LaneSinCos lanes_sincos(Real x)
{
    Real size = size_of(x), whole = pick(size > SMALL_ANGLE, quadrants(x), EVERY(0.0));
    Pair y = nearly_reduced(x, whole), angle = reduced_angle(y, whole), c = cosine(angle);
    Real sin_y = angle.hi + beyond_y(angle), cos_y = c.hi + c.lo;
    Whole quadrant = bits_of(whole + SHIFTER);
    Truth is_odd = (quadrant & 1) == 1, is_tiny = size < TINY_ANGLE;
    Truth is_rare = is_out_of_reach(y, whole) | ~is_finite_real(x);
    LaneSinCos it = {from_bits(bits_of(pick(is_odd, cos_y, sin_y)) ^ (quadrant & 2) << 62),
                     from_bits(bits_of(pick(is_odd, sin_y, cos_y)) ^ ((quadrant + 1) & 2) << 62)};
    it.sin = pick(is_tiny, x, it.sin);
    it.cos = pick(is_tiny, EVERY(1.0), it.cos);
    if (!any_is(is_rare)) return it;
    for (int i = 0; i < LANES; ++i)
        if (is_rare[i]) {
            SinCos one = own_sincos(x[i]);
            it.sin[i] = one.sin;
            it.cos[i] = one.cos;
        }
    return it;
}

#define LANE_BY_LANE(name)                                                                                   \
    Real lanes_##name(Real x)                                                                                \
    {                                                                                                        \
        for (int i = 0; i < LANES; ++i) x[i] = own_##name(x[i]);                                             \
        return x;                                                                                            \
    }
#define PAIR_BY_PAIR(name)                                                                                   \
    Real lanes_##name(Real x, Real y)                                                                        \
    {                                                                                                        \
        for (int i = 0; i < LANES; ++i) x[i] = own_##name(x[i], y[i]);                                       \
        return x;                                                                                            \
    }

LANE_BY_LANE(tan)
LANE_BY_LANE(asin)
LANE_BY_LANE(acos)
LANE_BY_LANE(atan)
LANE_BY_LANE(exp)
LANE_BY_LANE(log)
LANE_BY_LANE(tanh)
PAIR_BY_PAIR(atan2)
PAIR_BY_PAIR(pow)
