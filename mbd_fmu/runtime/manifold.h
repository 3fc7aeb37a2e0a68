/* Coming to the constraints and staying on them. */
#ifndef MANIFOLD_H
#define MANIFOLD_H

#include "constrained.h"

BEGIN_HIDDEN

#if N_ROWS

/* Rank of the rows in general position: of those on positions, of all. */
typedef struct {
    int holonomic, all;
} Ceiling;

/* The way of assembly from start values to the constraints, which derivatives go along. */
#define ITERATIONS 50 /* of Newton's method, at most */
#define STEPS_KEPT (ITERATIONS + 10)
#define LONGEST 0.5 /* rad or LENGTH: no step is longer, see mbd_fmu/reference/manifold.py */
typedef struct {
    int is_kept;
    int n;                       /* steps on positions: */
    double x[STEPS_KEPT][N_X];   /* from where, */
    double share[STEPS_KEPT];    /* and by which share of the least motion that the rows ask for */
    int level[2];                /* of positions and velocities, those held below this one moved */
    double closely;              /* the rank tolerance velocities were found with; 0: the coarse one */
} Way;

typedef struct {
    Factors factors;
    Equations at;           /* where the derivatives were asked for last */
    Closure closure;
    double M[N_V * N_V];    /* of the velocities that may move */
    double J[N_ROWS * N_V];
    double right[N_ROWS];
    double d[N_V];
    double part[N_V];
    double trial[N_X];
    double idle[N_ROWS][N_LOADS];
    double load[N_LOADS];
    double lam[N_ROWS];
    double share[N_ROWS];
    double normal[N_ROWS + 1][N_ROWS]; /* the last is for gcc -O2, which fears for it if there is one row */
    Tangent regular;        /* where, in the step that is tried, rows are furthest from redundant */
    Tangent weakest;        /* and where nearest */
    int few_rows;           /* derivatives by the rows below alone */
    int n_counting;
    int counting[N_ROWS];   /* rows that count where derivatives of the motion were asked for last */
    double weight[N_ROWS];
    Way way;
#if SOLVER_STIFF
    Slopes slopes;
#endif
} Scratch;

/* What the constraints depend on besides x. */
typedef struct {
    const double *u, *p;
    Ceiling ceiling;
    Scratch *scratch;
} Manifold;

/* Rounding of all rows on positions, as a share of the characteristic length. */
double largest_rounding(const double *rounding);

/* Smallest pivot that counts where rows are known to their rounding, of the largest. */
double rank_tolerance(const double *rounding);

/* Largest magnitude of n numbers. */
double largest(const double *x, int n);

/* The same of residuals of the first n rows, made comparable. */
double weighted(const double *residual, int n);

/* Derivatives; with Baumgarte's feedback where it is chosen. 0 if a free motion moves no mass. */
int constrained_derivatives(const Manifold *manifold, const double *x, double *xd);

#if SOLVER_STIFF
/* Derivatives and their Jacobian, N_X rows of N_X + 1: in x, and in the inputs along du. Where rows say
   the same, some are chosen; with few_rows set, derivatives follow from those, and nowhere jump. */
int constrained_jacobian(const Manifold *manifold, const double *x, const double *du, double *xd,
                         double *jacobian);
#endif

/* Derivatives without feedback, multipliers that load the joints least, quality. */
int constrained_solution(const Manifold *manifold, const double *x, double *z);

/* A direction: changes of states, inputs and parameters. */
typedef struct {
    const double *dx, *du, *dp;
} Along;

/* Change of the solution z at x along a direction: of derivatives without feedback, of multipliers. */
int constrained_tangent(const Manifold *manifold, const double *x, const double *z, const Along *along,
                        double *dz);

/* Change of the derivatives, with Baumgarte's feedback where it is chosen. */
int constrained_rates_tangent(const Manifold *manifold, const double *x, const Along *along,
                              double *dxd);

/* Bring x, a step away at most, back to the constraints. */
int project(const Manifold *manifold, double *x);

/* Before a step is tried. */
void forget_tangents(Scratch *scratch);

/* Does the step lead so near to a singular position that without projection it may go on another way? */
int passes_singular(const Scratch *scratch);

/* Near a singular position the accelerations across the constraints are known to rounding over the cube of
   the distance. Does that come so near the tolerance that they say nothing about the step? */
int error_is_noise(const Scratch *scratch, double tolerance);

/* Leave of the error of a step from x what the projection that follows will leave. */
void leave_tangential(const Manifold *manifold, const double *x, double *error);

/* Bring start values, that may be far off, to the constraints, and find the ceiling. */
typedef struct {
    int ok;
    int at_velocity; /* if not ok: positions fit, velocities do not */
    int gave_way;    /* values that were given had to move, too */
    int jumped;      /* if not ok: 1 + the velocity whose position was given, and is nowhere near */
    int flipped;     /* if not ok: 1 + which of the joints with sides fits only the wrong way round */
} Assembly;
Assembly assemble(Manifold *manifold, double *x);

/* Change of x, assembled last, when inputs and parameters change by du and dp. */
int assembled_tangent(const Manifold *manifold, const double *x, const double *du, const double *dp,
                      double *dx);

/* Which start values stay: as declared, or given by parameters that differ from their defaults. */
void held_by(const Start *start, const double *p, int *held);

/* Velocities whose `held` is below `level`: which they are, their inertia, the first m rows on them. */
Least reduced(const Manifold *manifold, const int *held, int level, int m, int *free);

/* Row that misses most after a failure, and by how much. */
int worst_row(const Manifold *manifold, int at_velocity, double *miss);

#endif
END_HIDDEN

#endif
