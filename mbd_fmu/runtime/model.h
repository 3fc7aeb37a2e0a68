/* What the generated code offers to the runtime.

   config.h holds sizes, model.c the equations and tables of one mechanism; both are generated.
   Everything else in this folder is written by hand and the same for every mechanism. */
#ifndef MODEL_H
#define MODEL_H

#include "config.h"
#include "functions.h"

BEGIN_HIDDEN

/* Value references count parameters, inputs, outputs, states, and derivatives of states. */
#define N_REAL (N_P + N_U + N_Y + 2 * N_X)
#define FIRST_INPUT ((unsigned)N_P)
#define FIRST_OUTPUT ((unsigned)(N_P + N_U))
#define FIRST_STATE ((unsigned)(N_P + N_U + N_Y))
#define FIRST_DERIVATIVE ((unsigned)(N_P + N_U + N_Y + N_X))

/* Outputs of one stage from state, inputs, solution and parameters. The solution z holds the
   derivatives, and of a mechanism with constraints the multipliers and their quality. */
typedef void StageFunction(const double *x, const double *u, const double *z, const double *p,
                           double *y);

/* Their change when x, u, p and z change by dx, du, dp and dz. */
typedef void StageTangent(const double *x, const double *u, const double *z, const double *p,
                          const double *dx, const double *du, const double *dp, const double *dz,
                          double *dy);

typedef struct {
    const char *name;
    StageFunction *compute;
    StageTangent *tangent;
    int first;    /* index of its first output */
    int count;
    int needs_z; /* 0: positions, velocities and what follows from them alone */
} Stage;

extern const Stage model_stage[N_STAGES];
extern const int model_stage_of[N_Y + 1];       /* output -> stage */
extern const char *const model_name[N_REAL];    /* of every variable */
extern const char *const model_state_name[N_X]; /* for messages */
extern const double model_p_start[N_P];
extern const double model_u_start[N_U + 1];
extern const double model_p_min[N_P];
extern const double model_p_max[N_P];
extern const int model_tunable[N_P]; /* may change between steps */
extern const double model_nominal[N_X]; /* size of the states */
extern const int model_quaternion[N_QUATERNIONS + 1]; /* where in x a unit quaternion begins */
extern const char *const model_quaternion_joint[N_QUATERNIONS + 1];

/* What acts on the equations, their u, holds the inputs and what is made of them: where each input acts,
   and whether it waits for the next step in co-simulation, because it leads a motion. */
extern const int model_acting[N_U + 1];
extern const int model_waits[N_U + 1];

/* What acts and is no input: it starts with the value of a parameter, or at zero (-1). */
typedef struct {
    int w, parameter;
} Made;
extern const Made model_made[N_MADE + 1];

/* Prescribed motions: where position, velocity and acceleration of one scalar act; or, after those,
   where a quaternion, an angular velocity and an angular acceleration begin. And among the inputs
   (-1: none). */
enum { TOLD_FULL, TOLD_POSITION, TOLD_VELOCITY };
#define N_TRACKS (N_SIGNALS + N_TURNS)
#define N_COMPONENTS (N_SIGNALS + 3 * N_TURNS)
typedef struct {
    const char *motion; /* name of the joint */
    int told;
    int w[3], u[3];
} Track;
extern const Track model_track[N_TRACKS + 1];

/* Start values as told; and the change of those with quaternions of length 1. */
void model_start(const double *p, double *x);
void model_start_tangent(const double *p, const double *dp, double *dx);

#if N_POSITIVE
/* Of quantities that must not be negative, and that limits of single parameters do not keep so, by how
   much they are not. */
void model_positive(const double *p, double *beyond);
#endif
extern const char *const model_positive_name[N_POSITIVE + 1];

#if POSITIONS >= 0
/* Second derivatives in time of outputs that are positions, from first and second ones of the inputs. */
void model_positions_second(const double *x, const double *u, const double *z, const double *p,
                            const double *du, const double *ddu, double *ddy);
#endif

#if N_ROWS
/* A mechanism with constraints: M dv/dt = f + J^T lam, J dv/dt = gamma. Rows on positions come first;
   phi is what they miss, sigma what all rows miss on velocities. x holds N_Q coordinates, those of
   cut joints last among them, N_V velocities, and the work that is counted. */
typedef struct {
    double M[N_V * N_V], f[N_V], J[N_ROWS * N_V], gamma[N_ROWS], sigma[N_ROWS], phi[N_HOLONOMIC + 1];
    double rounding[N_HOLONOMIC + 1];
} Equations;
typedef struct {
    double J[N_ROWS * N_V], sigma[N_ROWS], phi[N_HOLONOMIC + 1];
    double rounding[N_HOLONOMIC + 1]; /* of phi: no better can it be known, in shares of DBL_EPSILON */
} Closure;

void model_equations(const double *x, const double *u, const double *p, double *equations);
void model_closure(const double *x, const double *u, const double *p, double *closure);

/* Derivatives of x when the velocities change at vd. */
void model_rates(const double *x, const double *u, const double *vd, const double *p, double *xd);

/* x displaced by d, and the d that displaces x so that it changes by dx; x with the coordinates of cut joints as the bodies say. */
void model_retract(const double *x, const double *u, const double *d, const double *p, double *moved);
void model_displacement(const double *x, const double *u, const double *dx, const double *p, double *d);
void model_cut_coordinates(const double *x, const double *u, const double *p, double *measured);

/* Forces and torques per length that the multipliers load the joints with. */
void model_loads(const double *x, const double *u, const double *vd, const double *lam, const double *p,
                 double *loads);

/* Tangents: the change of f - M vd + J^T lam and of gamma - J vd, of rates and of loads; of sigma and
   phi; and of what model_retract and model_cut_coordinates make of x. */
typedef struct {
    double force[N_V], row[N_ROWS];
} Leftover;
typedef struct {
    double sigma[N_ROWS], phi[N_HOLONOMIC + 1];
} Misses;
void model_residual_tangent(const double *x, const double *u, const double *vd, const double *lam,
                            const double *p, const double *dx, const double *du, const double *dp,
                            double *leftover);
void model_rates_tangent(const double *x, const double *u, const double *vd, const double *p,
                         const double *dx, const double *du, const double *dp, const double *dvd,
                         double *dxd);
void model_loads_tangent(const double *x, const double *u, const double *vd, const double *lam,
                         const double *p, const double *dx, const double *du, const double *dp,
                         const double *dvd, const double *dlam, double *dloads);
void model_closure_tangent(const double *x, const double *u, const double *p, const double *dx,
                           const double *du, const double *dp, double *misses);
void model_retract_tangent(const double *x, const double *u, const double *d, const double *p,
                         const double *dx, const double *du, const double *dp, const double *dd,
                         double *dmoved);
void model_cut_coordinates_tangent(const double *x, const double *u, const double *p, const double *dx,
                            const double *du, const double *dp, double *dmeasured);

/* Gradient of w . loads + mu . J^T lam in lam, and its change. */
void model_share(const double *x, const double *u, const double *p, const double *w, const double *mu,
                 double *share);
void model_share_tangent(const double *x, const double *u, const double *p, const double *w,
                         const double *mu, const double *dx, const double *du, const double *dp,
                         double *change);

#if SOLVER_STIFF
/* Derivatives in x and, last column, in the inputs along du: of f - M vd + J^T lam, of gamma - J vd with
   the feedback that is chosen, and of the rates; of these in vd, too. */
typedef struct {
    double force[N_V][N_X + 1], row[N_ROWS][N_X + 1], rates[N_X][N_X + 1], by_vd[N_X][N_V];
} Slopes;
void model_residual_jacobian(const double *x, const double *u, const double *du, const double *vd,
                  const double *lam, const double *p, double *slopes);
#endif

/* Cosines that are negative where a joint is closed the wrong way round; and those joints. */
void model_branch_cosines(const double *x, const double *u, const double *p, double *upright);
extern const char *const model_sided[N_SIDED + 1];

extern const double model_row_weight[N_ROWS];
extern const char *const model_row_element[N_ROWS];
extern const int model_row_turns[N_ROWS]; /* measured in radians, not in metres */

/* Start values of the coordinates and velocities of each free velocity: 2 fixed, 1 given in the model,
   0 may move; and which parameters hold them, from where on and how many. */
typedef struct {
    int held, parameter, count;
} Start;
extern const Start model_start_q[N_V];
extern const Start model_start_v[N_V];
#else
void model_derivatives(const double *x, const double *u, const double *p, double *xd);
void model_derivatives_tangent(const double *x, const double *u, const double *p, const double *dx,
                               const double *du, const double *dp, double *dxd);
#if SOLVER_STIFF
/* Rows of N_X + 1: in x, and in the inputs along du. */
void model_jacobian(const double *x, const double *u, const double *du, const double *p,
                    double *jacobian);
#endif
#endif

END_HIDDEN

#endif
