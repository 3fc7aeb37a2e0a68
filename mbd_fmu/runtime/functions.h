/* Elementary functions with the same bits on every platform; those of the C libraries differ.

   They use operations that IEEE 754 settles to the last bit (+ - * / and the root of doubles) and integers.
   Errors are about a unit of the last place or less, see functions.c. NaN in, NaN out. */
#ifndef FUNCTIONS_H
#define FUNCTIONS_H

/* a * b + c stays two operations also where nobody passes -ffp-contract=off. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("-ffp-contract=off")
#elif defined(_MSC_VER)
#pragma fp_contract(off)
#endif

/* What the standard does not name stays inside also where nobody passes -fvisibility=hidden: glibc has
   an `advance`, too, and it would be called instead of ours. */
#if defined(__GNUC__)
#define BEGIN_HIDDEN _Pragma("GCC visibility push(hidden)")
#define END_HIDDEN _Pragma("GCC visibility pop")
#else
#define BEGIN_HIDDEN
#define END_HIDDEN
#endif

BEGIN_HIDDEN

typedef struct {
    double sin, cos;
} SinCos;

SinCos own_sincos(double x);
double own_tan(double x);
double own_asin(double x);
double own_acos(double x);
double own_atan(double x);
double own_atan2(double y, double x);
double own_exp(double x);
double own_log(double x);
double own_tanh(double x);
double own_pow(double x, double y);

/* Those of the C library may return either zero of 0 and -0. */
static inline double own_fmin(double a, double b) { return a < b || b != b ? a : b; }
static inline double own_fmax(double a, double b) { return a > b || b != b ? a : b; }

END_HIDDEN

#endif
