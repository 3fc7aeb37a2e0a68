/* Steps of a size that the error tells. */
#ifndef ADAPTIVE_H
#define ADAPTIVE_H

#include "solver.h"

BEGIN_HIDDEN

/* A method with an error estimate. */
typedef struct {
    /* Get ready for steps from x at time t. */
    void (*prepare)(const Problem *problem, Workspace *work, double t, const double *x, Outcome *out);

    /* One trial step of size h from x, whose derivatives are in the first stage: x_trial, error. */
    void (*attempt)(const Problem *problem, Workspace *work, double t, double h, const double *x,
                    Outcome *out);

    /* How many times as long the next step may be, by the norm of the error: see step_size.h. */
    double (*factor)(double norm);

    /* Look back on a step that was accepted. */
    void (*review)(const Problem *problem, const Workspace *work);

    int last_stage; /* the one that holds the derivatives of x_trial; 0: none does */
} Adaptive;

Outcome advance_adaptively(const Adaptive *method, const Problem *problem, Workspace *work, double length,
                           double *x, double *xd);

/* ---- The law of step sizes, which lanes share ---- */

/* On the way through a communication step. */
typedef struct {
    double length, t, t_looked_at;
    double h;    /* that would be tried if there were no end */
    double step; /* that is tried */
    int is_last;
    Outcome out;
} Pace;

typedef enum { REFUSED, ACCEPTED, GIVEN_UP } Verdict;

Pace first_pace(const Problem *problem, double length, const double *x, const double *xd);
void choose_step(Pace *pace);
double end_of_step(const Pace *pace);

/* By the norm of its error and the factor that it gives; NaN is refused like too large an error. */
Verdict judge(Pace *pace, double norm, double factor);

/* The state to blame for an error. */
int worst_state(const Problem *problem, const double *x, const double *x_new, const double *error);

/* Of dopri5: does stability keep the steps short? */
void review_reach(double *strain, double reach);

END_HIDDEN

#endif
