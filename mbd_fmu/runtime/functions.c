/* Source   Dekker (1971), Numer. Math. 18, p. 224: pairs of doubles. Payne & Hanek (1983), SIGNUM
            Newsletter 18, p. 19: remainders of large angles. Polynomials by Remez' algorithm.
   Checked  tests/unit/test_functions.py. Errors in units of the last place are at most: sine and cosine
            0.84, tangent 1.05, exp and pow 0.65 (0.8 below 2^-1022), tanh 0.86, the others 0.51. */
#include "sines.h"

#define HALF_PI 0x1.921fb54442d18p+0
#define HALF_PI_LOW 0x1.1a62633145c07p-54

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

/* By Cody & Waite, and where that does not do by integers. */
INLINE Turn turn_of(double x)
{
    Turn turn = {{x, 0.0}, 0};
    if (fabs(x) > SMALL_ANGLE) {
        double k = quadrants(x);
        Pair y = nearly_reduced(x, k);
        if (is_out_of_reach(y, k)) return turn_of_any(x);
        turn.y = reduced_angle(y, k);
        turn.quadrant = (int)k;
    }
    return turn;
}

SinCos own_sincos(double x)
{
    SinCos it;
    Turn turn;
    Pair c;
    double sin_y, cos_y;
    if (!isfinite(x)) return (SinCos){NAN, NAN};
    if (fabs(x) < TINY_ANGLE) return (SinCos){x, 1.0};
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
    if (fabs(x) < TINY_ANGLE) return x;
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
