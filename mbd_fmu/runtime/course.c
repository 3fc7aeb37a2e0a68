/* A motion never jumps: it starts a step where the last one ended and is led by a guide g, the motion that
   what was given leads to. What it is off at the start fades until the end,

       y(t) = g(t) + e(t),   e(t) = e0 H0(t/h) + h e1 H1(t/h) + h^2 e2 H2(t/h).

   With r for what was given less what was reached, h for the step and H for the span of memory:

       full       g = q + qd t + qdd t^2/2 + j t^3/6; the acceleration given acts at once
       position   g from (q, v + 3/2 r/H, a + r/H^2), v and a as reached
       velocity   g' from (v, a + r/H), and y' is the cubic between both ends

   A derivative given of position or velocity makes its value at the end known; then g ends on that.
   Orders of the errors, response to jumps and stability: reference/course.py, the twin of this. */
#include "course.h"

#include "vectors.h"

#include <string.h>

void lead_between(int turns, const double *y, const double *x, double *way)
{
    if (turns)
        turn_between(y, x, way);
    else
        way[0] = y[0] - x[0];
}

static void moved_by(int turns, const double *by, const double *x, double *moved)
{
    if (turns)
        turn_by(by, x, moved);
    else
        moved[0] = x[0] + by[0];
}

/* A value and its derivatives a time t later. */
static void shift(const double *y, double t, double *later)
{
    later[0] = y[0] + t * (y[1] + t * (y[2] / 2.0 + t * y[3] / 6.0));
    later[1] = y[1] + t * (y[2] + t * y[3] / 2.0);
    later[2] = y[2] + t * y[3];
    later[3] = y[3];
}

/* The polynomials of degree five that vanish with two derivatives at the end of the step. */
static void fade(const double *error, double h, double t, double *now)
{
    static const double H[3][6] = {{1.0, 0.0, 0.0, -10.0, 15.0, -6.0},
                                   {0.0, 1.0, 0.0, -6.0, 8.0, -3.0},
                                   {0.0, 0.0, 0.5, -1.5, 1.5, -0.5}};
    double s = t / h, y[6], unit = 1.0;
    for (int n = 0; n < 6; ++n) y[n] = error[0] * H[0][n] + h * (error[1] * H[1][n] + h * error[2] * H[2][n]);
    for (int order = 0; order < ORDER; ++order) {
        double value = 0.0;
        for (int n = 5 - order; n >= 0; --n) value = value * s + y[n];
        now[order] = value == 0.0 ? 0.0 : value / unit; /* a step may be too short for its powers */
        unit *= h;
        for (int n = 0; n < 5 - order; ++n) y[n] = (n + 1.0) * y[n + 1];
    }
}

void follow_course(const Course *course, int turns, double t, Levels *now)
{
    double guide[3][ORDER], fading[3][ORDER];
    int n = turns ? 3 : 1;
    for (int i = 0; i < n; ++i) {
        shift(course->guide[i], t - course->centre, guide[i]);
        fade(course->error[i], course->length, t, fading[i]);
    }
    if (turns) {
        turned(fading, guide, course->base, now->q, now->v, now->a, now->jerk);
        return;
    }
    now->q[0] = guide[0][0] + fading[0][0];
    now->v[0] = guide[0][1] + fading[0][1];
    now->a[0] = guide[0][2] + fading[0][2];
    now->jerk[0] = guide[0][3] + fading[0][3];
}

/* Where the guide is given, at the start of the step or at its end, and its first and second derivative. */
typedef struct {
    double start[4], first[3], second[3];
} Guide;

static void lead_by_position(Guide *guide, int turns, const Levels *reached, const Levels *given,
                             const double *rates, double h, double span)
{
    int n = turns ? 3 : 1, m = turns ? 4 : 1;
    double by[3], ahead[4], r[3];
    for (int i = 0; i < m; ++i) guide->start[i] = given->q[i] + (rates ? h * rates[i] : 0.0);
    if (rates && turns) to_unit(guide->start);
    for (int i = 0; i < n; ++i) by[i] = h * reached->v[i] + h * h / 2.0 * reached->a[i];
    moved_by(turns, by, reached->q, ahead);
    lead_between(turns, guide->start, rates ? ahead : reached->q, r);
    for (int i = 0; i < n; ++i) {
        double v = reached->v[i] + (rates ? h * reached->a[i] : 0.0);
        guide->first[i] = v + 1.5 * r[i] / span;
        guide->second[i] = reached->a[i] + r[i] / (span * span);
    }
}

static void lead_by_velocity(Guide *guide, int turns, const Levels *reached, const Levels *given,
                             const double *rates, double h, double span)
{
    int n = turns ? 3 : 1;
    double by[3];
    for (int i = 0; i < n; ++i) {
        double v = reached->v[i], a = reached->a[i], first, second;
        if (rates) {
            first = given->v[i] + h * rates[i];
            second = a + (first - v - h * a) / span;
        } else {
            second = a + (given->v[i] - v) / span;
            first = given->v[i] + h * second;
        }
        guide->first[i] = first;
        guide->second[i] = second;
        by[i] = h / 2.0 * (v + first) + h * h / 12.0 * (a - second); /* of a velocity that is a cubic */
    }
    moved_by(turns, by, reached->q, guide->start);
}

void lay_course(Course *course, Prescribed by, int turns, const Levels *reached, const Levels *given,
                const double *rates, double length, double span)
{
    int n = turns ? 3 : 1;
    const double *acts = by == PRESCRIBED_FULL ? given->a : reached->a;
    double at_start[3][ORDER];
    Guide guide;
    memset(course, 0, sizeof *course);
    memset(&guide, 0, sizeof guide);
    course->length = length;
    if (by == PRESCRIBED_POSITION) {
        lead_by_position(&guide, turns, reached, given, rates, length, span);
        if (rates) course->centre = length;
    } else if (by == PRESCRIBED_VELOCITY) {
        lead_by_velocity(&guide, turns, reached, given, rates, length, span);
        course->centre = length;
    } else {
        memcpy(guide.start, given->q, sizeof guide.start);
        memcpy(guide.first, given->v, sizeof guide.first);
        memcpy(guide.second, given->a, sizeof guide.second);
        for (int i = 0; i < n; ++i) course->guide[i][3] = rates[i];
    }
    for (int i = 0; i < n; ++i) {
        if (!turns) course->guide[i][0] = guide.start[i];
        course->guide[i][1] = guide.first[i];
        course->guide[i][2] = guide.second[i];
    }
    if (turns && by == PRESCRIBED_FULL) /* Magnus' series: so that w goes on as w + alpha t */
        for (int i = 0; i < 3; ++i) {
            int j = (i + 1) % 3, k = (i + 2) % 3;
            course->guide[i][3] += (given->a[j] * given->v[k] - given->a[k] * given->v[j]) / 2.0;
        }
    for (int i = 0; i < n; ++i) shift(course->guide[i], -course->centre, at_start[i]);
    if (turns) {
        memcpy(course->base, guide.start, sizeof course->base);
        turning_error(at_start, course->base, reached->q, reached->v, acts, course->error);
        return;
    }
    course->error[0][0] = reached->q[0] - at_start[0][0];
    course->error[0][1] = reached->v[0] - at_start[0][1];
    course->error[0][2] = acts[0] - at_start[0][2];
}
