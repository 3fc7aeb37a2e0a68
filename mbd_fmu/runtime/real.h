/* Real: the numbers that a formula is compiled for. A double; or, where IN_LANES is defined before, a vector
   with one double of each of several cases. One text makes both, so that each lane has the bits that it has
   alone: only operations that IEEE 754 settles to the last bit, and choices instead of branches. */
#ifndef REAL_H
#define REAL_H

#include "functions.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

#if defined(IN_LANES)

#if defined(__AVX512F__)
#define LANES 8
#define EVERY(number) ((Real){number, number, number, number, number, number, number, number})
#define BITS 1, 2, 4, 8, 16, 32, 64, 128
#else
#define LANES 4
#define EVERY(number) ((Real){number, number, number, number})
#define BITS 1, 2, 4, 8
#endif
typedef double Real __attribute__((vector_size(8 * LANES)));
typedef int64_t Whole __attribute__((vector_size(8 * LANES)));
typedef Whole Truth; /* all bits of a lane, or none */

/* Of lanes counted by the bits of a number: are they among them? */
INLINE Truth are_among(unsigned lanes)
{
    const Whole bit = {BITS}, none = {0};
    return ((none + (int64_t)lanes) & bit) != 0;
}

INLINE Whole bits_of(Real x) { return (Whole)x; }
INLINE Real from_bits(Whole bits) { return (Real)bits; }
INLINE Real pick(Truth is_so, Real yes, Real no)
{
    return (Real)((is_so & (Whole)yes) | (~is_so & (Whole)no));
}
#if defined(__clang__)
INLINE int all_are(Truth truth) { return __builtin_reduce_and(truth) != 0; }
INLINE int any_is(Truth truth) { return __builtin_reduce_or(truth) != 0; }
#else
INLINE int any_is(Truth truth)
{
    int64_t any = 0;
    for (int i = 0; i < LANES; ++i) any |= truth[i];
    return any != 0;
}
INLINE int all_are(Truth truth) { return !any_is(~truth); }
#endif

#else

typedef double Real;
typedef int64_t Whole;
typedef int Truth;

#define EVERY(number) (number)

INLINE Whole bits_of(Real x)
{
    Whole bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
INLINE Real from_bits(Whole bits)
{
    Real x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
INLINE Real pick(Truth is_so, Real yes, Real no) { return is_so ? yes : no; }
INLINE int all_are(Truth truth) { return truth; }
INLINE int any_is(Truth truth) { return truth; }

#endif

#if defined(IN_LANES) && defined(__clang__)
INLINE Real root_of(Real x) { return __builtin_elementwise_sqrt(x); }
INLINE Real size_of(Real x) { return __builtin_elementwise_abs(x); }
#elif defined(IN_LANES)
INLINE Real root_of(Real x)
{
    for (int i = 0; i < LANES; ++i) x[i] = sqrt(x[i]);
    return x;
}
INLINE Real size_of(Real x) { return from_bits(bits_of(x) & INT64_MAX); }
#else
INLINE Real root_of(Real x) { return sqrt(x); }
INLINE Real size_of(Real x) { return fabs(x); }
#endif

INLINE Truth either(Truth one, Truth other) { return one | other; }
INLINE Truth both(Truth one, Truth other) { return one & other; }

/* As own_fmin and own_fmax. */
INLINE Real lesser(Real a, Real b) { return pick(either(a < b, b != b), a, b); }
INLINE Real greater(Real a, Real b) { return pick(either(a > b, b != b), a, b); }

INLINE Truth is_finite_real(Real x) { return (x - x) == 0.0; }

/* 2^n for the exponents of normal numbers. */
INLINE Real two_to(Whole n) { return from_bits((n + 1023) << 52); }

#endif
