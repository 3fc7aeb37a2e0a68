/* Turns that are led: quaternions of rotation vectors with their exact derivatives in time. */
#ifndef TURNS_H
#define TURNS_H

#include "functions.h"

BEGIN_HIDDEN

/* A value and its first three derivatives. */
#define ORDER 4

/* Rotation vector of the short way from unit quaternion x to y, in the axes both are given in. */
void turn_between(const double *y, const double *x, double *theta);

/* quat turned on by a rotation vector. */
void turn_by(const double *theta, const double *quat, double *turned);

/* Q = exp(fading) exp(guide) base, given both rotation vectors with their derivatives: the
   quaternion, its angular velocity, and the first two derivatives of that. */
void turned(double fading[3][ORDER], double guide[3][ORDER], const double *base, double *quat, double *w,
            double *alpha, double *jerk);

/* The fading part at the start, where the guide is given, such that Q, w and alpha are these. */
void turning_error(double guide[3][ORDER], const double *base, const double *quat, const double *w,
                   const double *alpha, double error[3][3]);

/* Half the product of a vector, as a quaternion, with quat: its rate, if the vector is w. */
void half_product(const double *v, const double *quat, double *half);

END_HIDDEN

#endif
