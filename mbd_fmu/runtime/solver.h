/* Integration over one communication step. */
#ifndef SOLVER_H
#define SOLVER_H

#include "course.h"
#include "manifold.h"
#include "model.h"

BEGIN_HIDDEN

/* Internal steps in one communication step; who calls rk4 sees to it beforehand. Those of other methods are
   looked at every so often: a step that goes on at its pace may take as many, no more. */
#define MOST_STEPS 1000000L
#define LOOK_EVERY 100000L

/* Below this share of the communication step the solver gives up. */
#define SMALLEST_SHARE 1e-10

/* So many steps at the edge of stability make a motion stiff. */
#define STIFF_STEPS 15.0

/* What a step needs to know and may change. */
typedef struct {
    const double *w;  /* all that acts, at the start of the step */
    const double *du; /* rates of the inputs, at which forces move on */
    const double *jerk;   /* rates at which accelerations of motions moved last */
    const Course *course; /* of the motions over the step; NULL outside one */
    const double *p;
    double *h;        /* internal step size, carried from step to step; 0: none yet */
    double tolerance;
    double max_step;  /* of rk4 */
    double *strain;   /* of dopri5: steps at the edge of stability, and since then others */
#if N_ROWS
    Ceiling ceiling;
#endif
} Problem;

typedef struct {
    double stage[7][N_X];
    double x_trial[N_X];
    double error[N_X];
    double x_before[N_X]; /* of dopri5: the stage before the last */
    double reach;         /* of dopri5: size of the step in shares of the fastest time constant */
    double u[N_W + 1];
    Course course[N_TRACKS + 1];
#if N_ROWS
    Scratch scratch;
#endif
#if SOLVER_STIFF
    double jacobian[N_X][N_X + 1]; /* of the derivatives in x; last column: in time */
    double lu[N_X][N_X];
    int pivot[N_X];
    double du[N_W + 1];
#endif
} Workspace;

/* Why a step ended. */
typedef enum { ARRIVED, NO_STEP_IS_SHORT_ENOUGH, TOO_MANY_STEPS } Ending;

typedef struct {
    Ending ending;
    int state;         /* if it did not arrive: the state to blame */
    double time;       /* if it did not arrive: how far it came, from the start of the step */
    long evaluations;
    long jacobians;
    long steps;
    int near_singular; /* and nothing keeps it on its way */
} Outcome;

/* Advance x by `length`; xd holds its derivatives on entry and on return.
   If it does not arrive, x and xd hold nothing useful. */
Outcome advance(const Problem *problem, Workspace *work, double length, double *x, double *xd);

/* Derivatives of x a time t into the step; not finite where there are none. */
void evaluate(const Problem *problem, Workspace *work, double t, const double *x, double *xd);

/* Bring x back to where it belongs: quaternions to length 1, coordinates to the constraints. */
int settle(const Problem *problem, Workspace *work, double t, double *x);

double quaternion_length(const double *q);
void normalize_quaternions(double *x);

/* 0 to N_X - 1: the first entry that is NaN or infinite; N_X: all are finite. */
int first_not_finite(const double *x);

END_HIDDEN

#endif
