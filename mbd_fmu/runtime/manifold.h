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
    double normal[N_ROWS][N_ROWS];
    Tangent regular;        /* where, since the last error, rows were furthest from redundant */
    Tangent weakest;        /* and where nearest */
    int few_rows;           /* derivatives by the rows below alone */
    int n_counting;
    int counting[N_ROWS];   /* rows that count where derivatives of the motion were asked for last */
    double weight[N_ROWS];
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

/* Change of the solution z at x, along dx and du: of derivatives without feedback, of multipliers. */
int constrained_tangent(const Manifold *manifold, const double *x, const double *z, const double *dx,
                        const double *du, double *dz);

/* Bring x, a step away at most, back to the constraints. */
int project(const Manifold *manifold, double *x);

/* Of the error of a step from x, leave what the projection that follows will leave. Errors across the
   constraints are taken out by it; near a singular position they are large and mean nothing. */
void leave_tangential(const Manifold *manifold, const double *x, double *error);

/* Bring start values, that may be far off, to the constraints, and find the ceiling. */
typedef struct {
    int ok;
    int at_velocity; /* if not ok: positions fit, velocities do not */
    int gave_way;    /* values that were given had to move, too */
    int flipped;     /* if not ok: 1 + which of the joints with sides fits only the wrong way round */
} Assembly;
Assembly assemble(Manifold *manifold, double *x);

/* Row that misses most after a failure, and by how much. */
int worst_row(const Manifold *manifold, int at_velocity, double *miss);

#endif
END_HIDDEN

#endif
