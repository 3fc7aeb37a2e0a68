/* Sine and cosine of what is left of an angle: the part of functions.c that lanes share. Polynomials by Remez'
   algorithm. */
#ifndef SINES_H
#define SINES_H

#include "pairs.h"

#define SMALL_ANGLE 0.785  /* below it nothing is taken off */
#define TINY_ANGLE 0x1p-27 /* below it sin x = x and cos x = 1 */
#define SHIFTER 0x1.8p52   /* a number added to it has its whole part in the last bits */

/* x in quadrants: the nearest whole number k. */
INLINE Real quadrants(Real x) { return (x * 0x1.45f306dc9c883p-1 + SHIFTER) - SHIFTER; }

/* Cody & Waite's reduction, x - k pi/2: pi/2 in parts of 33, 33 and 53 bits, so that k times the first two is
   exact. First without the third. */
INLINE Pair nearly_reduced(Real x, Real k)
{
    return sum(x - k * 0x1.921fb544p+0, k * -0x1.0b4611a6p-34);
}

/* Where too little is left of x, or k is too large, it does not do. */
INLINE Truth is_out_of_reach(Pair y, Real k)
{
    return either(size_of(k) > 0x1p20, size_of(y.hi) < size_of(k) * 0x1p-55);
}

INLINE Pair reduced_angle(Pair y, Real k) { return quick_sum(y.hi, y.lo - k * 0x1.3198a2e037073p-69); }

/* sin y = y + this, but for 2^-58 y. */
INLINE Real beyond_y(Pair y)
{
    Real z = y.hi * y.hi, zz = z * z;
    Real p = (-0x1.5555555555549p-3 + z * 0x1.111111110f87ep-7)
             + zz * ((-0x1.a01a019c12060p-13 + z * 0x1.71de357817955p-19)
                     + zz * (-0x1.ae5e668884dc1p-26 + z * 0x1.5d931828573d2p-33));
    return z * y.hi * p + y.lo * (1.0 - 0.5 * z);
}

/* cos y but for 2^-64, as 1 - y^2 / 2 rounded and the rest. */
INLINE Pair cosine(Pair y)
{
    Real z = y.hi * y.hi, zz = z * z, half = 0.5 * z;
    Real p = (0x1.555555555554cp-5 + z * -0x1.6c16c16c15181p-10)
             + zz * ((0x1.a01a019cb21f0p-16 + z * -0x1.27e4f80a38c67p-22)
                     + zz * (0x1.1ee9ec1b7ab81p-29 + z * -0x1.8faeb72a893c2p-37));
    Pair c;
    c.hi = 1.0 - half;
    c.lo = ((1.0 - c.hi) - half) + (zz * p - y.hi * y.lo);
    return c;
}

#endif
