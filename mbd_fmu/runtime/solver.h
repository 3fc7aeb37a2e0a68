/* Integration over one communication step. */
#ifndef SOLVER_H
#define SOLVER_H

#include "block.h"
#include "model.h"

BEGIN_HIDDEN

/* Internal steps in one communication step; who calls rk4 sees to it beforehand. */
#define MOST_STEPS 1000000L

/* Below this share of the communication step the solver gives up. */
#define SMALLEST_SHARE 1e-10

/* So many steps at the edge of stability make a motion stiff. */
#define STIFF_STEPS 15.0

/* Rank of the rows in general position: of those on positions, of all. And were all rows met at the start, so
   that none contradicts others? */
typedef struct {
    int holonomic, all;
    int is_closed;
} GenericRank;

/* What a step needs to know and may change. */
typedef struct Course Course; /* of a prescribed motion: see course.h */
typedef struct {
    const Model *model;
    const double *w;      /* all that acts, at the start of the step */
    const double *du;     /* rates of the inputs, at which forces move on */
    const double *jerk;   /* rates at which accelerations of motions moved last */
    int is_inside;        /* a step, so that inputs move on and motions have their courses */
    const Course *course;
    const double *p;
    double *h;            /* internal step size, carried from step to step; 0: none yet */
    double tolerance;
    double *strain;       /* of dopri5: steps at the edge of stability, and since then others */
    GenericRank generic_rank;
} Problem;

#define STAGES_KEPT 7
typedef struct Scratch Scratch; /* of a mechanism with constraints: see manifold.h */
typedef struct {
    double *stage[STAGES_KEPT]; /* derivatives inside a step, one behind the other */
    double *x_trial;
    double *error;
    double *x_before; /* of dopri5: the stage before the last */
    double reach;     /* of dopri5: size of the step in shares of the fastest time constant */
    double *u;        /* what acted where the derivatives were asked for last */
    double *memory; /* of the model's functions */
    Course *course; /* of the motions over the step */
    Scratch *scratch;
    long n_dense; /* evaluations of constraints for which the fast way did not do */
    double *jacobian; /* of the stiff method, as what follows: n_x rows of n_x + 1, last column in time */
    double *lu;
    int *pivot;
    double *du;
    double *dx, *dxd, *no_u, *no_p; /* of a column, where no function gives all of them at once */
} Workspace;
void lay_out_workspace(Block *block, const Model *model, Workspace *work);

/* work->jacobian from changes of the derivatives: work->dxd along work->dx, with inputs that change by du. */
typedef void Tangent(const Problem *problem, Workspace *work, const double *x, const double *du);
void jacobian_by_columns(const Problem *problem, Workspace *work, const double *x, Tangent *tangent);

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

/* An outcome that did not arrive. */
Outcome given_up(Outcome out, Ending why, int state, double time);

struct Method {
    /* Take what it needs beside the stages; NULL: nothing. */
    void (*lay_out)(Block *block, const Model *model, Workspace *work);

    /* Advance x by `length`; xd holds its derivatives on entry and on return.
       If it does not arrive, x and xd hold nothing useful. */
    Outcome (*advance)(const Problem *problem, Workspace *work, double length, double *x, double *xd);
};

END_HIDDEN

#endif
