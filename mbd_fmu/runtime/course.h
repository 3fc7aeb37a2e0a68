/* The way of a prescribed motion over one communication step. */
#ifndef COURSE_H
#define COURSE_H

#include "solver.h"
#include "turns.h"

BEGIN_HIDDEN

/* A scalar, or a turn as three of them: the guide about a time, and what fades. */
struct Course {
    double centre, length;
    double guide[3][ORDER]; /* value and derivatives at the centre */
    double error[3][3];     /* at the start */
    double base[4];         /* of a turn: quaternion at the centre, where its guide is zero */
};

/* Position (a quaternion if it turns), velocity, acceleration, and its rate. */
typedef struct {
    double q[4], v[3], a[3], jerk[3];
} Levels;

/* Find the way from what was reached by what is given. `rates`, if any, are of the level that leads: of
   the acceleration if all is given; `span` is the H of the law. */
void lay_course(Course *course, Prescribed by, int turns, const Levels *reached, const Levels *given,
                const double *rates, double length, double span);

void follow_course(const Course *course, int turns, double t, Levels *now);

/* What leads from x to y: of quaternions a rotation vector. */
void lead_between(int turns, const double *y, const double *x, double *way);

END_HIDDEN

#endif
