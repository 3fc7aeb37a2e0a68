/* Prints a checksum of the bits that each function gives at many arguments, the same on every platform. */
#include "functions.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define N 40000

static uint64_t seed = 88172645463325252u;

static uint64_t random_bits(void) /* Marsaglia's xorshift */
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static double uniform(double from, double to)
{
    return from + (to - from) * ((double)(random_bits() >> 11) * 0x1p-53);
}

/* Any double: all exponents, both signs, NaN and infinities too. */
static double any(void)
{
    uint64_t bits = random_bits();
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint64_t sum;

static void count(double y) /* Fowler, Noll and Vo's hash */
{
    uint64_t bits;
    memcpy(&bits, &y, sizeof bits);
    for (int i = 0; i < 8; ++i) sum = (sum ^ (bits >> 8 * i & 255)) * 1099511628211u;
}

static void both(double x)
{
    SinCos it = own_sincos(x);
    count(it.sin);
    count(it.cos);
}

#define EACH(name, call)                                                                                \
    sum = 14695981039346656037u;                                                                        \
    for (int i = 0; i < N; ++i) {                                                                       \
        double x = i % 4 == 0 ? any() : i % 4 == 1 ? uniform(-1, 1) : uniform(-30, 30);                 \
        double y = i % 4 == 0 ? any() : i % 4 == 3 ? floor(uniform(-9, 9)) : uniform(-5, 5);            \
        (void)y;                                                                                        \
        call;                                                                                           \
    }                                                                                                   \
    printf(name " %016" PRIx64 "\n", sum)

int main(void)
{
    EACH("sincos", both(x));
    EACH("sincos of large angles", both(x * 1e7));
    EACH("tan", count(own_tan(x)));
    EACH("asin", count(own_asin(x)));
    EACH("acos", count(own_acos(x)));
    EACH("atan", count(own_atan(x)));
    EACH("atan2", count(own_atan2(y, x)));
    EACH("exp", count(own_exp(x)));
    EACH("log", count(own_log(fabs(x))));
    EACH("tanh", count(own_tanh(x)));
    EACH("pow", count(own_pow(i % 2 ? fabs(x) : x, y)));
    EACH("fmin", count(own_fmin(x - x, -(y - y))));
    return 0;
}
