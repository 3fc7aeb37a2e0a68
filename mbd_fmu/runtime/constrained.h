/* The constrained solution: minimise v^T M v / 2 - f^T v subject to J v = g. */
#ifndef CONSTRAINED_H
#define CONSTRAINED_H

#include "functions.h"

BEGIN_HIDDEN

/* Smallest pivot that counts, of the largest: see rank_tolerance. */
#define RANK 1e-9

typedef struct {
    int n, m;             /* velocities and rows that take part */
    const double *M;      /* n x n */
    const double *f;      /* n, or NULL for zeros */
    const double *J;      /* m x n */
    const double *g;      /* m */
    const double *weight; /* m: makes rows comparable */
    double length;        /* characteristic: what a velocity does at it is compared with pivots */
    int generic_rank;     /* no more rows count */
    double rank_tolerance;
} ConstrainedProblem;

/* What is left behind for multipliers; rows of A are scaled rows of J, made triangular by reflections of
   the velocities, T those of the rows. Rows of matrices are n long. */
typedef struct {
    int rank;
    double first;       /* what pivots are compared with */
    int *row;           /* m: which row stands where */
    double *scale;      /* n */
    double *M;          /* n x n: the inertia, scaled */
    double *length;     /* m: of what is left of the rows */
    double *A;          /* m x n */
    double *diagonal;   /* of the triangle; below it A holds the reflections */
    double *beta;
    double *T;          /* m x n; column k: reflection k of the rows, above it the triangle */
    double *T_diagonal;
    double *T_beta;
    double *N;          /* n x n: free motions, in rows */
    double *MN;         /* n x n: their momenta */
    double *G;          /* n x n: their inertia, factorised */
    double *Mv;         /* n */
    double *v;          /* n, scaled */
    double *free;       /* n: of a solution, the share of each free motion */
    double *right;      /* m */
    double *column;     /* m */
} Factors;

/* Smallest pivot as a share of the largest; 0 if the rank is less than it could be. */
double pivot_share(const ConstrainedProblem *problem, const Factors *factors);

/* Free motions of all n velocities, kept for later. */
typedef struct {
    double share; /* of the smallest pivot there; 0: nothing is kept */
    int n, n_free;
    double *scale, *N, *MN, *G, *free;
} TangentSpace;
void keep_tangent_space(const ConstrainedProblem *problem, const Factors *factors, double share,
                        TangentSpace *space);

/* Of a motion leave what is free, by the least change of mass in motion. */
void project_on_tangent_space(const TangentSpace *space, double *v);

/* Solve; 0 if a free motion moves no mass. */
int solve_constrained(const ConstrainedProblem *problem, Factors *factors, double *v);

/* Solve with the same M and J for other f and g. */
void solve_again(const ConstrainedProblem *problem, Factors *factors, double *v);

/* Lagrange multipliers of least size for the solution just found: J^T lam = M v - f. */
void multipliers(const ConstrainedProblem *problem, Factors *factors, double *lam);

/* Multipliers that do nothing, J^T lam = 0: column k of m - rank ones. */
void null_multipliers(const ConstrainedProblem *problem, Factors *factors, int k, double *lam);

/* Solve L L^T w = w, where the first n rows of L are `width` apart. */
void solve_factored(int n, int width, const double *L, double *w);

END_HIDDEN

#endif
