/* Pairs of numbers: unevaluated sums with some hundred bits. Dekker (1971), Numer. Math. 18, p. 224. */
#ifndef PAIRS_H
#define PAIRS_H

#include "real.h"

typedef struct {
    Real hi, lo;
} Pair;

/* a + b without error. */
INLINE Pair sum(Real a, Real b)
{
    Pair s;
    Real part;
    s.hi = a + b;
    part = s.hi - a;
    s.lo = (a - (s.hi - part)) + (b - part);
    return s;
}

/* The same for |a| >= |b|. */
INLINE Pair quick_sum(Real a, Real b)
{
    Pair s;
    s.hi = a + b;
    s.lo = b - (s.hi - a);
    return s;
}

/* a b without error, by halves of 26 bits. */
INLINE Pair product(Real a, Real b)
{
    Real at = 134217729.0 * a, bt = 134217729.0 * b; /* 2^27 + 1 */
    Real ah = at - (at - a), bh = bt - (bt - b), al = a - ah, bl = b - bh;
    Pair p;
    p.hi = a * b;
    p.lo = ((ah * bh - p.hi) + ah * bl + al * bh) + al * bl;
    return p;
}

INLINE Pair add(Pair a, Pair b)
{
    Pair s = sum(a.hi, b.hi);
    return quick_sum(s.hi, s.lo + (a.lo + b.lo));
}

INLINE Pair multiply(Pair a, Pair b)
{
    Pair p = product(a.hi, b.hi);
    return quick_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

INLINE Pair divide(Pair a, Pair b)
{
    Real q = a.hi / b.hi;
    Pair p = product(q, b.hi);
    return quick_sum(q, (((a.hi - p.hi) - p.lo) + (a.lo - q * b.lo)) / b.hi);
}

/* ---- Bits of a double ---- */

/* 2^n for the exponents of normal numbers. */
INLINE double power_of_two(int n)
{
    uint64_t bits = (uint64_t)(n + 1023) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The n with 2^n <= |x| < 2^(n+1), for normal numbers. */
INLINE int exponent_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (int)(bits >> 52 & 0x7ff) - 1023;
}

#endif
