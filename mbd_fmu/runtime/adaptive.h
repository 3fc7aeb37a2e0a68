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

    /* The step size goes with this root of the error. */
    double (*root)(double norm);

    /* Look back on a step that was accepted. */
    void (*review)(const Problem *problem, const Workspace *work);

    int last_stage; /* the one that holds the derivatives of x_trial; 0: none does */
} Adaptive;

Outcome advance_adaptively(const Adaptive *method, const Problem *problem, Workspace *work, double length,
                           double *x, double *xd);

END_HIDDEN

#endif
