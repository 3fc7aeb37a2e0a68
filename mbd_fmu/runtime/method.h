/* What a method offers to the solver: one is compiled in, explicit.c or stiff.c holds it. */
#ifndef METHOD_H
#define METHOD_H

#include "solver.h"

BEGIN_HIDDEN

#if SOLVER_RK4
/* The classical method of Runge and Kutta with equal steps. */
Outcome rk4(const Problem *problem, Workspace *work, double length, double *x, double *xd);
#else
/* Get ready for steps from x at time t. */
void prepare(const Problem *problem, Workspace *work, double t, const double *x, Outcome *out);

/* One trial step of size h from x, whose derivatives are in the first stage: x_trial, error. */
void attempt(const Problem *problem, Workspace *work, double t, double h, const double *x,
             Outcome *out);

/* The step size goes with this root of the error. */
double root(double norm);

/* Look back on a step that was accepted. */
void review(const Problem *problem, const Workspace *work);

/* Of an explicit method: its derivatives are those of x_trial. */
#define LAST_STAGE 6
#endif

END_HIDDEN

#endif
