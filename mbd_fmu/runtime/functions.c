/* Source   Dekker (1971), Numer. Math. 18, p. 224: pairs of doubles. Payne & Hanek (1983), SIGNUM
            Newsletter 18, p. 19: remainders of large angles. Polynomials by Remez' algorithm.
   Checked  tests/unit/test_functions.py. Errors in units of the last place are at most: sine and cosine
            0.84, tangent 1.05, exp and pow 0.65 (0.8 below 2^-1022), tanh 0.86, the others 0.51. */
#include "functions.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

#define HALF_PI 0x1.921fb54442d18p+0
#define HALF_PI_LOW 0x1.1a62633145c07p-54

/* ---- Pairs: unevaluated sums with some hundred bits ---- */

typedef struct {
    double hi, lo;
} Pair;

/* a + b without error. */
INLINE Pair sum(double a, double b)
{
    Pair s;
    double part;
    s.hi = a + b;
    part = s.hi - a;
    s.lo = (a - (s.hi - part)) + (b - part);
    return s;
}

/* The same for |a| >= |b|. */
INLINE Pair quick_sum(double a, double b)
{
    Pair s;
    s.hi = a + b;
    s.lo = b - (s.hi - a);
    return s;
}

/* a b without error, by halves of 26 bits. */
INLINE Pair product(double a, double b)
{
    double at = 134217729.0 * a, bt = 134217729.0 * b; /* 2^27 + 1 */
    double ah = at - (at - a), bh = bt - (bt - b), al = a - ah, bl = b - bh;
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
    double q = a.hi / b.hi;
    Pair p = product(q, b.hi);
    return quick_sum(q, (((a.hi - p.hi) - p.lo) + (a.lo - q * b.lo)) / b.hi);
}

/* ---- Bits ---- */

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

/* ---- Sine, cosine, tangent ---- */

/* x = y + quadrant pi/2, |y| <= pi/4 and hardly more. */
typedef struct {
    Pair y;
    int quadrant;
} Turn;

/* Bits of 2/pi, 32 in each word, the first 0.5 in weight. */
static const uint32_t two_over_pi[38] = {
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
    0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
    0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
    0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
    0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab,
};

/* 32 bits of a number of 288, from the bit `at` on. */
static uint32_t bits_from(const uint32_t *number, int at)
{
    uint64_t two = number[at / 32] | (uint64_t)number[at / 32 + 1] << 32;
    return (uint32_t)(two >> at % 32);
}

/* The remainder of |x| >= 1 to any size: x 2/pi in integers, without the words that count whole turns and
   those too small to matter. */
static Turn turn_of_any(double x)
{
    uint64_t bits, m;
    uint32_t words[10] = {0}, f[4];
    int e = exponent_of(x) - 52; /* |x| = m 2^e */
    int first = e > 2 ? (e - 2) / 32 : 0;
    int point = 224 - (e - 32 * first); /* so many bits of the product are the fraction */
    int upper, sign = x < 0.0 ? -1 : 1;
    Turn turn;
    Pair high, low;
    memcpy(&bits, &x, sizeof bits);
    m = (bits & 0xfffffffffffff) | 0x10000000000000;
    for (int i = 0; i < 7; ++i) { /* words = m times seven words of 2/pi */
        uint64_t word = two_over_pi[first + 6 - i];
        uint64_t sum_0 = word * (m & 0xffffffff) + words[i];
        uint64_t sum_1 = word * (m >> 32) + words[i + 1] + (sum_0 >> 32);
        words[i] = (uint32_t)sum_0;
        words[i + 1] = (uint32_t)sum_1;
        words[i + 2] = (uint32_t)(sum_1 >> 32);
    }
    for (int i = 0; i < 4; ++i) f[i] = bits_from(words, point - 32 * (i + 1));
    upper = (int)(f[0] >> 31); /* nearer to the next quadrant */
    for (int i = 0; i < 4; ++i) f[i] = upper ? ~f[i] : f[i];
    high = sum(f[0] * 0x1p-32, f[1] * 0x1p-64);
    low = sum(f[2] * 0x1p-96, f[3] * 0x1p-128);
    turn.quadrant = sign * ((int)(bits_from(words, point) & 3) + upper);
    sign = upper ? -sign : sign;
    turn.y = multiply(add(high, low), (Pair){sign * HALF_PI, sign * HALF_PI_LOW});
    return turn;
}

/* Cody & Waite's reduction: pi/2 in parts of 33, 33 and 53 bits, so that k times the first two is exact.
   Where too little is left of x, or k is too large, by integers. */
INLINE Turn turn_of(double x)
{
    Turn turn = {{x, 0.0}, 0};
    if (fabs(x) > 0.785) {
        double k = (x * 0x1.45f306dc9c883p-1 + 0x1.8p52) - 0x1.8p52; /* the nearest integer */
        Pair y = sum(x - k * 0x1.921fb544p+0, k * -0x1.0b4611a6p-34);
        if (fabs(k) > 0x1p20 || fabs(y.hi) < fabs(k) * 0x1p-55) return turn_of_any(x);
        turn.y = quick_sum(y.hi, y.lo - k * 0x1.3198a2e037073p-69);
        turn.quadrant = (int)k;
    }
    return turn;
}

/* sin y = y + this, but for 2^-58 y. */
INLINE double beyond_y(Pair y)
{
    double z = y.hi * y.hi, zz = z * z;
    double p = (-0x1.5555555555549p-3 + z * 0x1.111111110f87ep-7)
               + zz * ((-0x1.a01a019c12060p-13 + z * 0x1.71de357817955p-19)
                       + zz * (-0x1.ae5e668884dc1p-26 + z * 0x1.5d931828573d2p-33));
    return z * y.hi * p + y.lo * (1.0 - 0.5 * z);
}

/* cos y but for 2^-64, as 1 - y^2 / 2 rounded and the rest. */
INLINE Pair cosine(Pair y)
{
    double z = y.hi * y.hi, zz = z * z, half = 0.5 * z;
    double p = (0x1.555555555554cp-5 + z * -0x1.6c16c16c15181p-10)
               + zz * ((0x1.a01a019cb21f0p-16 + z * -0x1.27e4f80a38c67p-22)
                       + zz * (0x1.1ee9ec1b7ab81p-29 + z * -0x1.8faeb72a893c2p-37));
    Pair c;
    c.hi = 1.0 - half;
    c.lo = ((1.0 - c.hi) - half) + (zz * p - y.hi * y.lo);
    return c;
}

SinCos own_sincos(double x)
{
    SinCos it;
    Turn turn;
    Pair c;
    double sin_y, cos_y;
    if (!isfinite(x)) return (SinCos){NAN, NAN};
    if (fabs(x) < 0x1p-27) return (SinCos){x, 1.0};
    turn = turn_of(x);
    c = cosine(turn.y);
    sin_y = turn.y.hi + beyond_y(turn.y);
    cos_y = c.hi + c.lo;
    it.sin = turn.quadrant & 1 ? cos_y : sin_y;
    it.cos = turn.quadrant & 1 ? sin_y : cos_y;
    if (turn.quadrant & 2) it.sin = -it.sin;
    if ((turn.quadrant + 1) & 2) it.cos = -it.cos;
    return it;
}

double own_tan(double x)
{
    Turn turn;
    Pair s, c, t;
    if (!isfinite(x)) return NAN;
    if (fabs(x) < 0x1p-27) return x;
    turn = turn_of(x);
    s = quick_sum(turn.y.hi, beyond_y(turn.y));
    c = cosine(turn.y);
    c = quick_sum(c.hi, c.lo);
    t = turn.quadrant & 1 ? divide((Pair){-c.hi, -c.lo}, s) : divide(s, c);
    return t.hi + t.lo;
}

/* ---- Angles of given sine, cosine or tangent ---- */

static const Pair arctangent_of_eighths[9] = {
    {0.0, 0.0},
    {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
    {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
    {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
    {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
    {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
    {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
    {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
    {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
};

/* a - b. */
static Pair less(Pair a, Pair b) { return add(a, (Pair){-b.hi, -b.lo}); }

/* The angle of the point (x, y) from the x axis, both positive or one of them zero. */
static Pair angle(Pair y, Pair x)
{
    int steep = y.hi > x.hi;
    Pair near = steep ? x : y, far = steep ? y : x;
    int eighths = (int)(8.0 * (near.hi / far.hi) + 0.5);
    Pair c = {eighths / 8.0, 0.0};
    /* the tangent t of what is left, |t| <= 1/16; arctan t = t + t^3 p but for 2^-72 t */
    Pair t = divide(less(near, multiply(c, far)), add(far, multiply(c, near)));
    double z = t.hi * t.hi;
    double p = -0x1.5555555555555p-2
               + z * (0x1.999999999983cp-3
                      + z * (-0x1.2492492405120p-3
                             + z * (0x1.c71c6e7eb03fdp-4
                                    + z * (-0x1.7458265d8b140p-4 + z * 0x1.376a145b2042cp-4))));
    t = quick_sum(t.hi, t.lo + t.hi * z * p);
    t = add(arctangent_of_eighths[eighths], t);
    return steep ? less((Pair){HALF_PI, HALF_PI_LOW}, t) : t;
}

/* The angle whose cosine is negative and which has a given supplement. */
static Pair obtuse(Pair supplement)
{
    return less((Pair){2.0 * HALF_PI, 2.0 * HALF_PI_LOW}, supplement);
}

double own_atan2(double y, double x)
{
    double a = fabs(y), b = fabs(x), far = fmax(a, b), near = fmin(a, b), scale = 1.0;
    Pair it;
    if (isnan(x) || isnan(y)) return NAN;
    if (isinf(near)) a = b = near = far = 1.0;
    if (near < far * 0x1p-60 || far == 0.0) { /* hardly apart from an axis */
        it = a > b ? (Pair){HALF_PI, HALF_PI_LOW - b / a} : (Pair){a > 0.0 ? a / b : 0.0, 0.0};
    } else {
        if (far > 0x1p900) scale = 0x1p-600;
        if (far < 0x1p-900) scale = 0x1p600;
        it = angle((Pair){a * scale, 0.0}, (Pair){b * scale, 0.0});
    }
    if (signbit(x)) it = obtuse(it);
    return copysign(it.hi + it.lo, y);
}

double own_atan(double x) { return own_atan2(x, 1.0); }

/* sqrt(1 - x^2) for |x| <= 1. */
static Pair other_leg(double x)
{
    Pair square = product(x, x), rest = sum(1.0, -square.hi), again;
    double root;
    rest = quick_sum(rest.hi, rest.lo - square.lo);
    if (!(rest.hi > 0.0)) return (Pair){0.0, 0.0};
    root = sqrt(rest.hi);
    again = product(root, root);
    return quick_sum(root, (((rest.hi - again.hi) - again.lo) + rest.lo) / (2.0 * root));
}

double own_asin(double x)
{
    Pair it;
    if (!(fabs(x) <= 1.0)) return NAN;
    if (fabs(x) < 0x1p-27) return x;
    it = angle((Pair){fabs(x), 0.0}, other_leg(x));
    return copysign(it.hi + it.lo, x);
}

double own_acos(double x)
{
    Pair it;
    if (!(fabs(x) <= 1.0)) return NAN;
    it = angle(other_leg(x), (Pair){fabs(x), 0.0});
    if (x < 0.0) it = obtuse(it);
    return it.hi + it.lo;
}

/* ---- Exponentials and logarithms ---- */

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
