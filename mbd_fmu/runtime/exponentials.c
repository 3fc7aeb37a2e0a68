/* Exponentials, logarithms and powers: the other half of functions.c, which says how exact they are. */
#include "pairs.h"

/* exp x = 2^n (1 + this), for |x| < 2000; the polynomial but for 2^-64. */
static Pair exp_beyond_one(Pair x, int *n)
{
    double k = (x.hi * 0x1.71547652b82fep+0 + 0x1.8p52) - 0x1.8p52;
    Pair y = sum(x.hi - k * 0x1.62e42feep-1, k * -0x1.a39ef35793c76p-33); /* ln 2 in two parts */
    double r, rr, p;
    y = quick_sum(y.hi, y.lo + x.lo);
    r = y.hi;
    rr = r * r;
    p = (0.5 + r * 0x1.555555555555cp-3)
        + rr * ((0x1.555555555555ep-5 + r * 0x1.111111110ebb2p-7)
                + rr * ((0x1.6c16c16c13584p-10 + r * 0x1.a01a01b3bb3bap-13)
                        + rr * ((0x1.a01a01b4564f3p-16 + r * 0x1.71ddef938d92bp-19)
                                + rr * ((0x1.27e4bf307960cp-22 + r * 0x1.af6ccd40fb34dp-26)
                                        + rr * 0x1.1f9deda615d28p-29))));
    *n = (int)k;
    return quick_sum(r, rr * p + (y.lo + y.lo * r));
}

static double exp_of(Pair x)
{
    int n;
    Pair beyond, it;
    if (!(x.hi < 710.0)) return INFINITY;
    if (!(x.hi > -746.0)) return 0.0;
    beyond = exp_beyond_one(x, &n);
    it = quick_sum(1.0, beyond.hi);
    return (it.hi + (it.lo + beyond.lo)) * power_of_two(n / 2) * power_of_two(n - n / 2);
}

double own_exp(double x) { return isnan(x) ? NAN : exp_of((Pair){x, 0.0}); }

double own_tanh(double x)
{
    int n;
    double power;
    Pair beyond, it;
    if (isnan(x)) return NAN;
    if (fabs(x) < 0x1p-28) return x;
    if (fabs(x) > 22.0) return x > 0.0 ? 1.0 : -1.0;
    /* (e - 1) / (e + 1) with e = exp(2 |x|) */
    beyond = exp_beyond_one((Pair){2.0 * fabs(x), 0.0}, &n);
    power = power_of_two(n);
    it = add(sum(power - 1.0, power * beyond.hi), (Pair){power * beyond.lo, 0.0});
    it = divide(it, add(it, (Pair){2.0, 0.0}));
    return copysign(it.hi + it.lo, x);
}

/* ln x for 0 < x < infinity, to some 2^-68. */
static Pair log_of(double x)
{
    int n = x < 0x1p-1022 ? -54 : 0;
    double normal = n ? x * 0x1p54 : x, k, q;
    Pair f, z, series;
    uint64_t bits;
    n += exponent_of(normal);
    memcpy(&bits, &normal, sizeof bits);
    bits = (bits & 0xfffffffffffff) | 0x3ff0000000000000; /* its exponent 0 */
    memcpy(&x, &bits, sizeof x);
    if (x > 1.4142135623730951) {
        x *= 0.5;
        ++n;
    }
    k = n;
    /* 2 artanh f, f = (x - 1) / (x + 1): f^2 <= 0.0295 */
    f = divide(sum(x, -1.0), sum(x, 1.0));
    z = multiply(f, f);
    q = 0x1.2492492492492p-3
        + z.hi * (0x1.c71c71c71c825p-4
                  + z.hi * (0x1.745d1745a3908p-4
                            + z.hi * (0x1.3b13b16b96ce2p-4
                                      + z.hi * (0x1.1110f7e8b5fc2p-4
                                                + z.hi * (0x1.e1f005dcb032fp-5
                                                          + z.hi * (0x1.acf73189c01f9p-5
                                                                    + z.hi * 0x1.b2eb4239bd25bp-5))))));
    series = quick_sum(0x1.999999999999ap-3, z.hi * q - 0x1.999999999999ap-57);
    series = add((Pair){0x1.5555555555555p-2, 0x1.5555555555555p-56}, multiply(z, series));
    f = (Pair){2.0 * f.hi, 2.0 * f.lo};
    f = add(f, multiply(f, multiply(z, series)));
    return add(multiply((Pair){k, 0.0}, (Pair){0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56}), f);
}

double own_log(double x)
{
    Pair it;
    if (!(x >= 0.0)) return NAN;
    if (x == 0.0) return -INFINITY;
    if (isinf(x)) return x;
    it = log_of(x);
    return it.hi + it.lo;
}

/* x^n for 1 <= n <= 16 and 2^-60 < x < 2^60. */
static Pair whole_power(double x, int n)
{
    Pair power = {x, 0.0}, it = {1.0, 0.0};
    for (; n > 1; n /= 2) {
        if (n % 2) it = multiply(it, power);
        power = multiply(power, power);
    }
    return multiply(it, power);
}

/* NaN in, NaN out, also where C says 1: pow(1, NaN) and pow(NaN, 0). */
double own_pow(double x, double y)
{
    double size = fabs(x), sign = 1.0;
    Pair it;
    if (isnan(x) || isnan(y)) return NAN;
    if (y == 0.0 || x == 1.0) return 1.0;
    if (signbit(x)) {
        int whole = floor(y) == y; /* all that are too large to have a half are even */
        if (whole && floor(0.5 * y) != 0.5 * y) sign = -1.0;
        if (!whole && size > 0.0 && !isinf(x)) return NAN;
    }
    if (size == 1.0) return sign;
    if (size == 0.0 || isinf(size) || isinf(y))
        return (size > 1.0) == (y > 0.0) ? sign * INFINITY : sign * 0.0;
    if (fabs(y) <= 16.0 && floor(y) == y && size > 0x1p-60 && size < 0x1p60) {
        it = whole_power(size, (int)fabs(y));
        if (y < 0.0) it = divide((Pair){1.0, 0.0}, it);
        return sign * (it.hi + it.lo);
    }
    it = log_of(size);
    if (fabs(y * it.hi) > 800.0 || fabs(y) < 0x1p-200) return sign * exp_of((Pair){y * it.hi, 0.0});
    return sign * exp_of(multiply((Pair){y, 0.0}, it));
}
