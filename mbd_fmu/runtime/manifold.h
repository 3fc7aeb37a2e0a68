/* Coming to the constraints and staying on them. */
#ifndef MANIFOLD_H
#define MANIFOLD_H

#include "constrained.h"
#include "mechanism.h"

BEGIN_HIDDEN

/* The same as in mbd_fmu/reference/manifold.py and assembly.py, which say why. */
#define ROUGHLY 1e-5
#define STALLED 1e4
#define COARSE_RANK 1e-5
#define ITERATIONS 50 /* of Newton's method, at most */
#define LONGEST 0.5   /* rad or characteristic length: no step is longer */

/* The way of assembly from start values to the constraints, which derivatives go along. */
#define STEPS_KEPT (ITERATIONS + 10)
typedef struct {
    int is_kept;
    int n;            /* steps on positions: */
    double *x;        /* from where, STEPS_KEPT rows of n_x, */
    double *share;    /* and by which share of the least motion that the rows ask for */
    int level[2];     /* of positions and velocities, those held below this one moved */
    double closely;   /* the rank tolerance velocities were found with; 0: the coarse one */
} Way;

/* What model->equations and model->closure compute. */
typedef struct {
    double *M, *f, *J, *gamma, *sigma, *phi, *rounding;
} Equations;
typedef struct {
    double *J, *sigma, *phi, *rounding;
} Closure;

/* Changes, or derivatives, of the residuals of the equations and of the rows. */
typedef struct {
    double *force, *row;
} Residual;

/* What assembly and its tangents work with. */
typedef struct {
    double *given;                /* start values as they were given */
    double *before;               /* x where a fit began */
    double *from, *finer, *beside, *change;     /* n_x each */
    double *whole, *lead, *rest, *push, *asked; /* n_v each, the last n_rows */
    double *p;
    double *cosines;
    int *held;
    int *held_along[2][2];        /* of all directions and of one; of positions and of velocities */
    double *start, *dstart, *next, *part; /* n_x each */
    double *d, *dd;               /* n_v each */
    double *dp_rest, *dp_own;
    Residual with_M, no_M, with_d, with_lam, neither;
} Assembling;

/* The fast way, as the last derivatives left it behind. */
typedef struct {
    int is_valid;           /* they were found by it */
    double doubt;           /* the largest of the step that is tried; 0: it was not taken */
    double *x, *u;          /* where that was */
    double *lam, *factor;   /* multipliers of its rows at the last derivatives, and the factor */
} Sparse;

struct Scratch {
    Sparse sparse;
    Factors factors;
    Equations at;          /* where the derivatives were asked for last */
    Closure closure;
    double *M, *J;         /* of the velocities that may move */
    double *right;         /* n_rows */
    double *d, *part;      /* n_v */
    double *trial, *kept;  /* n_x */
    int *free;             /* n_v: velocities that may move */
    TangentSpace regular;  /* where, in the step that is tried, rows are furthest from redundant */
    TangentSpace weakest;  /* and where nearest */
    int few_rows;          /* derivatives by the rows below alone */
    int few_are_chosen;    /* they are those of the fast way */
    int n_counting;
    int *counting;         /* rows that count where derivatives of the motion were asked for last */
    int *counts;           /* n_rows */
    double *weight;        /* n_rows: of those that count */
    Way way;

    /* solutions and their changes */
    double *vd, *dvd, *force, *mu, *no_v;                  /* n_v; the last zeros */
    double *lam, *few, *raised, *extra, *row, *dlam, *gradient, *share, *no_rows; /* n_rows; the last zeros */
    double *null_load, *load, *dload; /* n_rows x n_loads, n_loads */
    double *normal;                   /* n_rows x n_rows */
    double *dsigma, *dphi;
    double *no_w;                     /* n_w zeros */
    Residual change;
    Residual jacobian;                /* of the stiff method, as what follows: rows of n_x + 1 */
    double *rates, *by_vd;
    Assembling assembling;
};
void lay_out_manifold(Block *block, const Model *model, Workspace *work);

/* What the constraints depend on besides x. */
typedef struct {
    const Model *model;
    const double *u, *p;
    GenericRank generic_rank;
    Scratch *scratch;
    double *memory; /* of the model's functions */
} Manifold;

/* Rows at x: their equations, with the inertia; or what they miss. */
void find_equations(const Manifold *manifold, const double *x);
void find_closure(const Manifold *manifold, const double *x);

/* Rounding of all rows on positions, as a share of the characteristic length. */
double largest_rounding(const Model *model, const double *rounding);

/* Smallest pivot that counts where rows are known to their rounding, of the largest. */
double rank_tolerance(const Model *model, const double *rounding);

/* Largest of the residuals of the first n rows, made comparable; NaN counts as largest. */
double weighted(const Model *model, const double *residual, int n);

/* The largest miss of the rows on positions in multiples of what rounding alone may make of it. */
double misses(const Manifold *manifold);

/* ---- The motion at x: solution.c, tangents.c ---- */

/* Solve for the accelerations vd; with Baumgarte's feedback if asked for and chosen. The problem solved and
   its factors stay for multipliers. 0 if a free motion moves no mass. */
int solve_motion(const Manifold *manifold, const double *x, int feedback, ConstrainedProblem *problem,
                 double *vd);

/* The same by rows that are independent, and stay so near x: those of the fast way where it does, else those
   that count at x. Their multipliers are scratch->lam; of others these are 0. */
typedef struct {
    int is_sparse;
    ConstrainedProblem problem; /* where it is not */
} ChosenRows;
int solve_by_chosen_rows(const Manifold *manifold, const double *x, int feedback, ChosenRows *by, double *vd);

/* How the accelerations change with the residuals of forces and of all rows, at the place just solved. */
void solve_change(const Manifold *manifold, ChosenRows *by, const double *force, const double *row,
                  double *dvd);

/* The same as the next by the fast way; 0 where it does not do: sparse.c. */
int sparse_derivatives(const Manifold *manifold, const double *x, double *xd);

/* M v = force + J^T lam and J v = row, for its rows, with the factor of the last derivatives. */
void solve_sparsely(const Manifold *manifold, const double *force, const double *row, double *v);

/* Derivatives; with Baumgarte's feedback where it is chosen. */
int constrained_derivatives(const Manifold *manifold, const double *x, double *xd);

/* Derivatives and their Jacobian, n_x rows of n_x + 1: in x, and in the inputs along du. */
int constrained_jacobian(const Manifold *manifold, const double *x, const double *du, double *xd,
                         double *jacobian);

/* Derivatives without feedback, multipliers that load the joints least, quality. */
int constrained_solution(const Manifold *manifold, const double *x, double *z);

/* Add to the multipliers in scratch->lam those null ones that make the loads least. Return the size that
   null ones were given. */
double minimum_norm_multipliers(const Manifold *manifold, const ConstrainedProblem *problem, const double *x,
                                const double *vd);

/* Solve the normal equations for the share of each of n null multipliers, and add them, `unit` large. */
void add_null_multipliers(const Manifold *manifold, const ConstrainedProblem *problem, int n, double unit,
                          double *lam);

/* A direction: changes of states, inputs and parameters. */
typedef struct {
    const double *dx, *du, *dp;
} Along;

/* Change of the solution z at x along a direction: of derivatives without feedback, of multipliers. */
int constrained_tangent(const Manifold *manifold, const double *x, const double *z, const Along *along,
                        double *dz);

/* Change of the derivatives, with Baumgarte's feedback where it is chosen. */
int constrained_rates_tangent(const Manifold *manifold, const double *x, const Along *along, double *dxd);

/* ---- Newton's method on the rows: manifold.c ---- */

/* Bring x, a step away at most, back to the constraints. */
int project(const Manifold *manifold, double *x);

/* The same with the factor of the last derivatives; 0 where that does not do, and x stays: sparse.c. */
int project_sparsely(const Manifold *manifold, double *x);

/* What the rows miss at x; where the fast way gives it, without J. */
void find_gaps(const Manifold *manifold, const double *x);

/* Share of the smallest pivot on the fast way, in the step that is tried; 0: it was not taken. */
double sparse_share(const Sparse *sparse);

/* Which velocities may move: those whose `held` is below `level`; NULL: all. And how their rows count. */
typedef struct {
    const int *held;
    int level;
    int generic_rank;
    double rank_tolerance;
} Freedom;

/* Their inertia, and the first m rows on them; which they are stands in scratch->free. */
ConstrainedProblem reduced(const Manifold *manifold, const Freedom *freedom, int m);

/* The least motion of them that takes a residual of the first m rows out: scratch->d. */
int correction(const Manifold *manifold, const Freedom *freedom, int m, const double *residual);

/* Displace x by a share of scratch->d; keep where from. */
void move_by(const Manifold *manifold, double share, double *x);
void keep_step(const Manifold *manifold, const double *x, double share);

/* Coordinates of cut joints as the bodies say; only where rows look at them. */
void take_cut_coordinates(const Manifold *manifold, double *x);
void show_to_rows(const Manifold *manifold, double *x);

/* From nearby, by what is free: positions, and velocities where they stand. */
int come_to_position(const Manifold *manifold, const Freedom *freedom, double *x);
int come_to_velocity(const Manifold *manifold, const Freedom *freedom, double *x);

/* Before a step is tried. */
void forget_tangent_spaces(Scratch *scratch);

/* Does the step lead so near to a singular position that without projection it may go on another way? */
int passes_singular(const Scratch *scratch);

/* Near a singular position the accelerations across the constraints are known to rounding over the cube of
   the distance. Does that come so near the tolerance that they say nothing about the step? */
int error_is_noise(const Manifold *manifold, const double *x, double tolerance);

/* Leave of the error of a step from x what the projection that follows will leave. */
void leave_tangential(const Manifold *manifold, const double *x, double *error);

/* Row that misses most after a failure, and by how much. */
int worst_row(const Manifold *manifold, int at_velocity, double *miss);

/* ---- Start values: assembly.c, start.c ---- */

/* Bring start values, that may be far off, to the constraints, and find the generic rank. */
typedef struct {
    int ok;
    int at_velocity; /* if not ok: positions fit, velocities do not */
    int gave_way;    /* values that were given had to move, too */
    int jumped;      /* if not ok: 1 + the velocity whose position was given, and is nowhere near */
    int flipped;     /* if not ok: 1 + which of the joints with branches fits only the wrong way round */
} Assembly;
Assembly assemble(Manifold *manifold, double *x);

/* Change of x, assembled last, when inputs and parameters change by du and dp. */
int assembled_tangent(const Manifold *manifold, const double *x, const double *du, const double *dp,
                      double *dx);

/* Which start values stay: as declared, or given by parameters that differ from their defaults. */
void held_by(const Model *model, const Start *start, const double *p, int *held);

END_HIDDEN

#endif
