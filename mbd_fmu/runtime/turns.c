#include "turns.h"

#include <math.h>
#include <string.h>

/* Of the series of sine and cosine: good for turns of less than one radian. */
#define TERMS 10

typedef double Series[ORDER]; /* Taylor coefficients in time */

static void product(const double *a, const double *b, double *ab)
{
    ab[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    ab[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    ab[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    ab[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

static void conjugate(const double *q, double *back)
{
    back[0] = q[0];
    for (int i = 1; i < 4; ++i) back[i] = -q[i];
}

static void cross(const double *a, const double *b, double *ab)
{
    ab[0] = a[1] * b[2] - a[2] * b[1];
    ab[1] = a[2] * b[0] - a[0] * b[2];
    ab[2] = a[0] * b[1] - a[1] * b[0];
}

void turn_between(const double *y, const double *x, double *theta)
{
    double back[4], q[4], size, sign, factor;
    conjugate(x, back);
    product(y, back, q);
    sign = q[0] < 0.0 ? -1.0 : 1.0;
    size = sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    factor = size > 0.0 ? 2.0 * own_atan2(size, sign * q[0]) / size : 2.0;
    for (int i = 0; i < 3; ++i) theta[i] = sign * factor * q[i + 1];
}

/* Neidinger (2010), SIAM Rev. 52, p. 545: products of series. */
static void series_product(const Series a, const Series b, Series ab)
{
    Series out;
    for (int n = 0; n < ORDER; ++n) {
        out[n] = 0.0;
        for (int k = 0; k <= n; ++k) out[n] += a[k] * b[n - k];
    }
    memcpy(ab, out, sizeof out);
}

/* The same of quaternions, in order n. */
static void series_entry(double a[ORDER][4], double b[ORDER][4], int n, double *ab)
{
    double part[4];
    for (int i = 0; i < 4; ++i) ab[i] = 0.0;
    for (int k = 0; k <= n; ++k) {
        product(a[k], b[n - k], part);
        for (int i = 0; i < 4; ++i) ab[i] += part[i];
    }
}

/* How often a vector must be halved to be shorter than 1. */
static int halvings(double phi[3][ORDER])
{
    double square = phi[0][0] * phi[0][0] + phi[1][0] * phi[1][0] + phi[2][0] * phi[2][0];
    int exponent;
    if (!(square >= 1.0 && isfinite(square))) return 0;
    frexp(square, &exponent);
    return (exponent + 1) / 2;
}

/* exp(phi), quaternions by order, of phi with its derivatives: cos(|phi|/2), sin(|phi|/2) phi / |phi|. A
   long turn is a short one, done twice and twice again. */
static void exponential(double phi[3][ORDER], double q[ORDER][4])
{
    Series coefficient[3], square = {0.0}, cosine = {0.0}, sine = {0.0}, part;
    int twice = halvings(phi);
    for (int i = 0; i < 3; ++i) {
        coefficient[i][0] = ldexp(phi[i][0], -twice);
        coefficient[i][1] = ldexp(phi[i][1], -twice);
        coefficient[i][2] = ldexp(phi[i][2], -twice) / 2.0;
        coefficient[i][3] = ldexp(phi[i][3], -twice) / 6.0;
        series_product(coefficient[i], coefficient[i], part);
        for (int n = 0; n < ORDER; ++n) square[n] += part[n];
    }
    for (int k = TERMS; k > 0; --k) {
        double of_cosine = -1.0 / (4.0 * (2.0 * k) * (2.0 * k - 1.0));
        double of_sine = -1.0 / (4.0 * (2.0 * k + 1.0) * (2.0 * k));
        cosine[0] += 1.0;
        sine[0] += 1.0;
        series_product(cosine, square, cosine);
        series_product(sine, square, sine);
        for (int n = 0; n < ORDER; ++n) {
            cosine[n] *= of_cosine;
            sine[n] *= of_sine;
        }
    }
    cosine[0] += 1.0;
    sine[0] += 1.0;
    for (int n = 0; n < ORDER; ++n) q[n][0] = cosine[n];
    for (int i = 0; i < 3; ++i) {
        series_product(sine, coefficient[i], part);
        for (int n = 0; n < ORDER; ++n) q[n][i + 1] = part[n] / 2.0;
    }
    for (; twice > 0; --twice) {
        double once[ORDER][4];
        memcpy(once, q, sizeof once);
        for (int n = 0; n < ORDER; ++n) series_entry(once, once, n, q[n]);
    }
}

void turn_by(const double *theta, const double *quat, double *turned_quat)
{
    double phi[3][ORDER] = {{0.0}}, q[ORDER][4];
    for (int i = 0; i < 3; ++i) phi[i][0] = theta[i];
    exponential(phi, q);
    product(q[0], quat, turned_quat);
}

void turned(double fading[3][ORDER], double guide[3][ORDER], const double *base, double *quat, double *w,
            double *alpha, double *jerk)
{
    double e[ORDER][4], g[ORDER][4], q[ORDER][4], back[2][4], part[4];
    exponential(fading, e);
    exponential(guide, g);
    for (int n = 0; n < ORDER; ++n) {
        double led[4];
        series_entry(e, g, n, led);
        product(led, base, q[n]);
    }
    memcpy(quat, q[0], sizeof q[0]);
    conjugate(q[0], back[0]);
    conjugate(q[1], back[1]);
    product(q[1], back[0], part);
    for (int i = 0; i < 3; ++i) w[i] = 2.0 * part[i + 1];
    product(q[2], back[0], part);
    for (int i = 0; i < 3; ++i) alpha[i] = 4.0 * part[i + 1];
    product(q[3], back[0], part);
    for (int i = 0; i < 3; ++i) jerk[i] = 12.0 * part[i + 1];
    product(q[2], back[1], part);
    for (int i = 0; i < 3; ++i) jerk[i] += 4.0 * part[i + 1];
}

/* d becomes T d, where exp(phi) turns at d in fixed axes if phi moves at T d. Iserles et al. (2000), Acta
   Numerica 9, sec. 2.5. */
static void inverse_tangent(const double *phi, double *d)
{
    double square = phi[0] * phi[0] + phi[1] * phi[1] + phi[2] * phi[2];
    double half = sqrt(square) / 2.0, factor = (1.0 + square / 60.0) / 12.0;
    double once[3], twice[3];
    if (square > 1e-3) {
        SinCos turn = own_sincos(half);
        factor = (1.0 - half * turn.cos / turn.sin) / square;
    }
    cross(phi, d, once);
    cross(phi, once, twice);
    for (int i = 0; i < 3; ++i) d[i] += factor * twice[i] - once[i] / 2.0;
}

void turning_error(double guide[3][ORDER], const double *base, const double *quat, const double *w,
                   const double *alpha, double error[3][3])
{
    double fading[3][ORDER] = {{0.0}}, led[4], w_guide[3], ignored[3], jerk[3], part[3];
    turned(fading, guide, base, led, w_guide, ignored, jerk);
    turn_between(quat, led, part);
    for (int i = 0; i < 3; ++i) fading[i][0] = part[i];
    /* with the fading part at rest, w is that of the guide, turned by it */
    turned(fading, guide, base, led, w_guide, ignored, jerk);
    for (int level = 1; level < 3; ++level) {
        double change[3];
        for (int i = 0; i < 3; ++i) change[i] = level == 1 ? w[i] - w_guide[i] : alpha[i] - ignored[i];
        inverse_tangent(part, change);
        for (int i = 0; i < 3; ++i) fading[i][level] = change[i];
        if (level == 1) turned(fading, guide, base, led, w_guide, ignored, jerk);
    }
    for (int i = 0; i < 3; ++i)
        for (int level = 0; level < 3; ++level) error[i][level] = fading[i][level];
}

void half_product(const double *v, const double *q, double *half)
{
    half[0] = -(v[0] * q[1] + v[1] * q[2] + v[2] * q[3]) / 2.0;
    half[1] = (v[0] * q[0] + v[1] * q[3] - v[2] * q[2]) / 2.0;
    half[2] = (v[1] * q[0] + v[2] * q[1] - v[0] * q[3]) / 2.0;
    half[3] = (v[2] * q[0] + v[0] * q[2] - v[1] * q[1]) / 2.0;
}
