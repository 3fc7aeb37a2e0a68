/* What the generated code offers to the runtime.

   config.h holds sizes, model.c the equations and tables of one mechanism; both are generated.
   Everything else in this folder is written by hand and the same for every mechanism. */
#ifndef MODEL_H
#define MODEL_H

#include "config.h"

/* Value references count parameters, then inputs, then outputs. */
#define N_REAL (N_P + N_U + N_Y)

/* Outputs of one stage from state, derivatives and parameters. */
typedef void StageFunction(const double *x, const double *xd, const double *p, double *y);

typedef struct {
    const char *name;
    StageFunction *compute;
    int first;    /* index of its first output */
    int count;
    int needs_xd; /* 0: positions, velocities and what follows from them alone */
} Stage;

extern const Stage model_stage[N_STAGES];
extern const int model_stage_of[N_Y + 1];       /* output -> stage */
extern const char *const model_name[N_REAL];    /* of every variable */
extern const char *const model_state_name[N_X]; /* for messages */
extern const double model_p_start[N_P];
extern const double model_p_min[N_P];
extern const double model_p_max[N_P];
extern const int model_quaternion[N_QUATERNIONS + 1]; /* where in x a unit quaternion begins */

void model_start(const double *p, double *x);
void model_derivatives(const double *x, const double *u, const double *p, double *xd);

#endif
