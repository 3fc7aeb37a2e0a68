/* The least motion that the constraints allow: minimise v^T M v / 2 - f^T v subject to J v = g. */
#ifndef CONSTRAINED_H
#define CONSTRAINED_H

#include "model.h"

BEGIN_HIDDEN

#if N_ROWS

/* Smallest pivot that counts, of the largest: see rank_tolerance. */
#define RANK 1e-9

typedef struct {
    int n, m;                   /* velocities and rows that take part */
    const double *M;            /* n x n */
    const double *f;            /* n, or NULL for zeros */
    const double *J;            /* m x n */
    const double *g;            /* m */
    const double *weight;       /* m: makes rows comparable */
    int ceiling;                /* no more rows count */
    double rank_tolerance;
} Least;

/* What is left behind for multipliers; rows of A are scaled rows of J, made triangular by
   reflections of the velocities, T those of the rows. */
typedef struct {
    int rank;
    double first;               /* what pivots are compared with */
    int row[N_ROWS];            /* which row stands where */
    double scale[N_V];
    double A[N_ROWS][N_V];
    double diagonal[N_V];       /* of the triangle; below it A holds the reflections */
    double beta[N_V];
    double T[N_ROWS][N_V];      /* column k: reflection k of the rows, above it the triangle */
    double T_diagonal[N_V];
    double T_beta[N_V];
    double N[N_V][N_V];         /* free motions, in rows */
    double MN[N_V][N_V];        /* their momenta */
    double G[N_V][N_V];         /* their inertia, factorised */
    double Mv[N_V];
    double v[N_V];              /* scaled */
    double right[N_ROWS];
} Factors;

/* Smallest pivot as a share of the largest; 0 if the rank is less than it could be. */
double pivot_share(const Least *problem, const Factors *factors);

/* Free motions of all velocities, kept for later. */
typedef struct {
    double share;               /* of the smallest pivot there; 0: nothing is kept */
    int free;
    double scale[N_V], N[N_V][N_V], MN[N_V][N_V], G[N_V][N_V];
} Tangent;
void keep_tangent(const Least *problem, const Factors *factors, double share, Tangent *tangent);

/* Of a motion leave what is free, by the least change of mass in motion. */
void leave_free(const Tangent *tangent, double *v);

/* Solve; 0 if a free motion moves no mass. */
int least(const Least *problem, Factors *factors, double *v);

/* Solve L L^T w = w, where the first n rows of L are `width` apart. */
void solve_factored(int n, int width, const double *L, double *w);

/* Solve with the same M and J for other f and g. */
void least_again(const Least *problem, Factors *factors, double *v);

/* Multipliers of least size for the solution just found: J^T lam = M v - f. */
void multipliers(const Least *problem, Factors *factors, double *lam);

/* Multipliers that do nothing: column k of m - rank ones. */
void idle(const Least *problem, Factors *factors, int k, double *lam);

#endif
END_HIDDEN

#endif
