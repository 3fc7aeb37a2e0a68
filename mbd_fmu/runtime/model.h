/* What the generated code offers to the runtime.

   config.h holds sizes, model.c the equations and tables of one mechanism; both are generated.
   Everything else in this folder is written by hand and the same for every mechanism. */
#ifndef MODEL_H
#define MODEL_H

#include "config.h"

/* Value references count parameters, then inputs, then outputs. */
#define N_REAL (N_P + N_U + N_Y)

/* Outputs of one stage from state, inputs, derivatives and parameters. */
typedef void StageFunction(const double *x, const double *u, const double *xd, const double *p,
                           double *y);

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
extern const double model_u_start[N_U + 1];
extern const double model_p_min[N_P];
extern const double model_p_max[N_P];
extern const int model_quaternion[N_QUATERNIONS + 1]; /* where in x a unit quaternion begins */

/* Prescribed motions: inputs that are position, velocity and acceleration of one scalar; and where a
   quaternion, an angular velocity and an angular acceleration begin. */
extern const int model_signal[N_SIGNALS + 1][3];
extern const int model_turn[N_TURNS + 1][3];

void model_start(const double *p, double *x);
void model_derivatives(const double *x, const double *u, const double *p, double *xd);

#endif
