/* The motion that the constraints allow, what they load the joints with, and how both change. */
#include "manifold.h"

#if N_ROWS

#include <float.h>
#include <math.h>
#include <string.h>

#define BLIND 4.0 /* the same as in mbd_fmu/reference/manifold.py, which says why */

static void leave_rows_out(Scratch *s, Least *problem)
{
    for (int k = 0; k < s->n_counting; ++k) {
        int j = s->counting[k];
        memcpy(s->J + k * N_V, s->at.J + j * N_V, sizeof(double) * N_V);
        s->right[k] = s->right[j];
        s->weight[k] = model_row_weight[j];
    }
    problem->m = problem->ceiling = s->n_counting;
    problem->J = s->J;
    problem->weight = s->weight;
}

double largest_rounding(const double *rounding)
{
    double most = 0.0;
    for (int j = 0; j < N_HOLONOMIC; ++j) most = fmax(most, model_row_weight[j] * rounding[j]);
    return DBL_EPSILON * most / LENGTH;
}

/* Rows are known to their rounding. Beside a singular position, at a distance that is a pivot's share
   of the largest, the mechanism is known to rounding over that share. Where this reaches the distance
   itself, the row tells nothing any more. */
double rank_tolerance(const double *rounding)
{
    return fmax(RANK, BLIND * sqrt(largest_rounding(rounding)));
}

/* Remember the free motions where rows are furthest from redundant, and where nearest. */
static void compare_tangents(Scratch *s, const Least *problem)
{
    double share = pivot_share(problem, &s->factors);
    if (!(share > 0.0)) return;
    if (share > s->regular.share) keep_tangent(problem, &s->factors, share, &s->regular);
    if (s->weakest.share == 0.0 || share < s->weakest.share)
        keep_tangent(problem, &s->factors, share, &s->weakest);
}

static int accelerated(const Manifold *it, const double *x, int feedback, Least *problem, double *vd)
{
    Scratch *s = it->scratch;
    model_equations(x, it->u, it->p, (double *)&s->at);
    memcpy(s->right, s->at.gamma, sizeof s->right);
    if (feedback && BAUMGARTE) {
        double alpha = it->p[P_GAINS], beta = it->p[P_GAINS + 1];
        for (int j = 0; j < N_ROWS; ++j) {
            s->right[j] -= 2.0 * alpha * s->at.sigma[j];
            if (j < N_HOLONOMIC) s->right[j] -= beta * beta * s->at.phi[j];
        }
    }
    *problem = (Least){N_V,      N_ROWS,   s->at.M,          s->at.f, s->at.J,
                       s->right, model_row_weight, it->ceiling.all, rank_tolerance(s->at.rounding)};
    if (s->few_rows) leave_rows_out(s, problem);
    if (!least(problem, &s->factors, vd)) return 0;
    if (problem->ceiling == it->ceiling.all) compare_tangents(s, problem); /* no row is missed */
    return 1;
}

int constrained_derivatives(const Manifold *it, const double *x, double *xd)
{
    double vd[N_V];
    Least problem;
    if (!accelerated(it, x, 1, &problem, vd)) return 0;
    model_rates(x, it->u, vd, it->p, xd);
    return 1;
}

/* Choose the rows that count at x. */
static int choose_rows(const Manifold *it, const double *x, int feedback, Least *problem, double *vd)
{
    Scratch *s = it->scratch;
    int counts[N_ROWS] = {0};
    s->few_rows = 0;
    if (!accelerated(it, x, feedback, problem, vd)) return 0;
    for (int k = 0; k < s->factors.rank; ++k) counts[s->factors.row[k]] = 1;
    s->n_counting = 0;
    for (int j = 0; j < N_ROWS; ++j)
        if (counts[j]) s->counting[s->n_counting++] = j;
    if (s->n_counting == N_ROWS) return 1;
    s->few_rows = 1;
    if (!accelerated(it, x, feedback, problem, vd)) return 0;
    s->few_rows = 0;
    return 1;
}

#if SOLVER_STIFF
/* M dvd = d(f - M vd + J^T lam) + J^T dlam,  J dvd = d(gamma - J vd)  with vd and lam held inside d(). */
int constrained_jacobian(const Manifold *it, const double *x, const double *du, double *xd,
                         double *jacobian)
{
    Scratch *s = it->scratch;
    double vd[N_V], dvd[N_V], force[N_V], row[N_ROWS], lam[N_ROWS];
    Least problem;
    if (!choose_rows(it, x, 1, &problem, vd)) return 0;
    model_rates(x, it->u, vd, it->p, xd);
    multipliers(&problem, &s->factors, lam);
    memset(s->lam, 0, sizeof s->lam);
    for (int k = 0; k < s->n_counting; ++k) s->lam[s->counting[k]] = lam[k];
    model_residual_jacobian(x, it->u, du, vd, s->lam, it->p, (double *)&s->slopes);
    problem.f = force;
    problem.g = row;
    for (int c = 0; c < N_X + 1; ++c) {
        for (int i = 0; i < N_V; ++i) force[i] = s->slopes.force[i][c];
        for (int k = 0; k < s->n_counting; ++k) row[k] = s->slopes.row[s->counting[k]][c];
        least_again(&problem, &s->factors, dvd);
        for (int i = 0; i < N_X; ++i) {
            double sum = s->slopes.rates[i][c];
            for (int k = 0; k < N_V; ++k) sum += s->slopes.by_vd[i][k] * dvd[k];
            jacobian[i * (N_X + 1) + c] = sum;
        }
    }
    return 1;
}
#endif

double largest(const double *x, int n)
{
    double most = 0.0;
    for (int i = 0; i < n; ++i) most = fmax(most, fabs(x[i]));
    return most;
}

/* Solve the normal equations for the share of each of n idle multipliers, and add them, `unit` large. */
static void add_share(Scratch *s, const Least *problem, int n, double unit, double *lam)
{
    double extra[N_ROWS];
    solve_factored(n, N_ROWS, s->normal[0], s->share);
    for (int a = 0; a < n; ++a) {
        idle(problem, &s->factors, a, extra);
        for (int j = 0; j < N_ROWS; ++j) lam[j] += s->share[a] * unit * extra[j];
    }
}

/* Add to the multipliers those idle ones that make the loads least: normal equations of few unknowns,
   whose columns are near to orthogonal. Return the size that idle ones were given. */
static double spread(const Manifold *it, const Least *problem, const double *x, const double *vd)
{
    Scratch *s = it->scratch;
    int n = N_ROWS - s->factors.rank;
    double lam[N_ROWS], extra[N_ROWS], unit = 1.0 + largest(s->lam, N_ROWS); /* for differences */
    model_loads(x, it->u, vd, s->lam, it->p, s->load);
    for (int a = 0; a < n; ++a) {
        idle(problem, &s->factors, a, extra);
        for (int j = 0; j < N_ROWS; ++j) lam[j] = s->lam[j] + unit * extra[j];
        model_loads(x, it->u, vd, lam, it->p, s->idle[a]);
        for (int i = 0; i < N_LOADS; ++i) s->idle[a][i] -= s->load[i];
    }
    for (int a = 0; a < n; ++a) { /* Cholesky, and the right-hand side */
        s->share[a] = 0.0;
        for (int i = 0; i < N_LOADS; ++i) s->share[a] -= s->idle[a][i] * s->load[i];
        for (int b = 0; b <= a; ++b) {
            double sum = 0.0;
            for (int i = 0; i < N_LOADS; ++i) sum += s->idle[a][i] * s->idle[b][i];
            for (int c = 0; c < b; ++c) sum -= s->normal[a][c] * s->normal[b][c];
            s->normal[a][b] = a == b ? sqrt(sum) : sum / s->normal[b][b];
        }
    }
    add_share(s, problem, n, unit, s->lam);
    return unit;
}

int constrained_solution(const Manifold *it, const double *x, double *z)
{
    Scratch *s = it->scratch;
    double vd[N_V];
    Least problem;
    if (!accelerated(it, x, 0, &problem, vd)) return 0;
    model_rates(x, it->u, vd, it->p, z);
    multipliers(&problem, &s->factors, s->lam);
    if (s->factors.rank < N_ROWS) spread(it, &problem, x, vd);
    memcpy(z + N_X, s->lam, sizeof s->lam);
    z[N_X + N_ROWS] = largest(s->at.phi, N_HOLONOMIC);
    z[N_X + N_ROWS + 1] = largest(s->at.sigma, N_ROWS);
    z[N_X + N_ROWS + 2] = s->factors.rank;
    return 1;
}

/* ---- Tangents ---- */

/* Change of the multipliers in `spread`: they stay those that load the joints least. With W the loads of
   idle multipliers and s the change of W^T load while load and multipliers are held,
   W^T W share = -(W^T dload + idle^T s). */
static void spread_tangent(const Manifold *it, const Least *problem, const double *x, const double *vd,
                           const double *lam, const Along *along, const double *dvd, double *dlam)
{
    Scratch *s = it->scratch;
    int n = N_ROWS - s->factors.rank;
    double pull[N_ROWS], change[N_ROWS], extra[N_ROWS], mu[N_V], zero[N_V] = {0}, dload[N_LOADS];
    double unit;
    Least aside = *problem;
    memcpy(s->lam, lam, sizeof s->lam);
    unit = spread(it, problem, x, vd); /* adds nothing: they are least already; leaves W and its factor */
    model_loads(x, it->u, vd, lam, it->p, s->load);
    /* mu: what the loads pull along the rows, J mu = -W^T load as far as it is not idle */
    model_share(x, it->u, it->p, s->load, zero, pull);
    for (int j = 0; j < N_ROWS; ++j) pull[j] = -pull[j];
    aside.f = zero;
    aside.g = pull;
    least_again(&aside, &s->factors, mu);
    model_share_tangent(x, it->u, it->p, s->load, mu, along->dx, along->du, along->dp, change);
    model_loads_tangent(x, it->u, vd, lam, it->p, along->dx, along->du, along->dp, dvd, dlam, dload);
    for (int a = 0; a < n; ++a) {
        s->share[a] = 0.0;
        idle(problem, &s->factors, a, extra);
        for (int i = 0; i < N_LOADS; ++i) s->share[a] -= s->idle[a][i] * dload[i];
        for (int j = 0; j < N_ROWS; ++j) s->share[a] -= unit * extra[j] * change[j];
    }
    add_share(s, problem, n, unit, dlam);
}

/* Change of what the feedback adds to the rows. */
static void feedback_tangent(const Manifold *it, const double *x, const Along *along, double *row)
{
    const Equations *at = &it->scratch->at;
    double alpha = it->p[P_GAINS], beta = it->p[P_GAINS + 1];
    double dalpha = along->dp[P_GAINS], dbeta = along->dp[P_GAINS + 1];
    Misses d;
    model_closure_tangent(x, it->u, it->p, along->dx, along->du, along->dp, (double *)&d);
    for (int j = 0; j < N_ROWS; ++j) {
        row[j] -= 2.0 * (alpha * d.sigma[j] + dalpha * at->sigma[j]);
        if (j < N_HOLONOMIC) row[j] -= beta * (beta * d.phi[j] + 2.0 * dbeta * at->phi[j]);
    }
}

/* Change of the motion, by rows that are chosen: so it has derivatives also beside the constraints. */
static int motion_tangent(const Manifold *it, const double *x, int feedback, const Along *along,
                          double *dvd, double *dxd)
{
    Scratch *s = it->scratch;
    double vd[N_V], few[N_ROWS], lam[N_ROWS] = {0}, row[N_ROWS];
    Leftover right;
    Least problem;
    if (!choose_rows(it, x, feedback, &problem, vd)) return 0;
    multipliers(&problem, &s->factors, few);
    for (int k = 0; k < s->n_counting; ++k) lam[s->counting[k]] = few[k];
    model_residual_tangent(x, it->u, vd, lam, it->p, along->dx, along->du, along->dp, (double *)&right);
    if (feedback && BAUMGARTE) feedback_tangent(it, x, along, right.row);
    for (int k = 0; k < s->n_counting; ++k) row[k] = right.row[s->counting[k]];
    problem.f = right.force;
    problem.g = row;
    least_again(&problem, &s->factors, dvd);
    model_rates_tangent(x, it->u, vd, it->p, along->dx, along->du, along->dp, dvd, dxd);
    return 1;
}

int constrained_rates_tangent(const Manifold *it, const double *x, const Along *along, double *dxd)
{
    double dvd[N_V];
    return motion_tangent(it, x, 1, along, dvd, dxd);
}

int constrained_tangent(const Manifold *it, const double *x, const double *z, const Along *along,
                        double *dz)
{
    Scratch *s = it->scratch;
    const double *lam = z + N_X;
    double vd[N_V], dvd[N_V], row[N_ROWS], dlam[N_ROWS];
    Leftover right;
    Least problem;
    memset(dz, 0, sizeof(double) * N_Z);
    if (!motion_tangent(it, x, 0, along, dvd, dz)) return 0;

    /* the multipliers, by all rows */
    if (!accelerated(it, x, 0, &problem, vd)) return 0;
    model_residual_tangent(x, it->u, vd, lam, it->p, along->dx, along->du, along->dp, (double *)&right);
    problem.f = right.force;
    for (int j = 0; j < N_ROWS; ++j) {
        row[j] = 0.0;
        for (int i = 0; i < N_V; ++i) row[j] += s->at.J[j * N_V + i] * dvd[i];
    }
    problem.g = row;
    least_again(&problem, &s->factors, vd);
    multipliers(&problem, &s->factors, dlam);
    if (s->factors.rank < N_ROWS) {
        memcpy(vd, z + N_Q, sizeof vd);
        spread_tangent(it, &problem, x, vd, lam, along, dvd, dlam);
    }
    memcpy(dz + N_X, dlam, sizeof dlam);
    return 1;
}

#endif
