/* Change of assembled start values along parameters and inputs. */
#include "solver.h"

#if N_ROWS

#include <math.h>
#include <string.h>

#define CLOSE 1e-9 /* of the characteristic length: start values that fit as they are */
#define FITS 1e-4  /* of what the rows ask for: so much may be missed */

/* A direction of parameters and inputs, and which start values stay along it. */
typedef struct {
    const double *du, *dp;
    int held[2][N_V], level[2]; /* of positions and of velocities */
    int fits[2];                /* they fit as they are told: no way was gone */
} Pass;

/* x, and how it changes. */
typedef struct {
    const double *x;
    Along along;
} Moving;

static void told_start(const Manifold *it, double *x)
{
    model_start(it->p, x);
    normalize_quaternions(x);
}

static Leftover leftover(const Manifold *it, const Moving *at, const double *vd, const double *lam)
{
    Leftover out;
    model_residual_tangent(at->x, it->u, vd, lam, it->p, at->along.dx, at->along.du, at->along.dp,
                           (double *)&out);
    return out;
}

/* Does v give the rows what they ask for, up to rounding? */
static int rows_have(const Least *problem, const double *row, const double *v, double rounding)
{
    double most = rounding, worst = 0.0;
    for (int j = 0; j < problem->m; ++j) {
        double sum = 0.0, size = fabs(row[j]);
        for (int a = 0; a < problem->n; ++a) {
            double part = problem->J[j * problem->n + a] * v[a];
            sum += part;
            size += fabs(part);
        }
        most = fmax(most, problem->weight[j] * size);
        worst = fmax(worst, problem->weight[j] * fabs(sum - row[j]));
    }
    return worst <= FITS * most;
}

/* Change dd of the least motion d that takes out what rows on positions (l = 0) or velocities (l = 1) miss:
   M d = J^T lam and J d = -r; so M dd = dJ^T lam - dM d + J^T dlam and J dd = -dr - dJ d. M may be that of
   another place than the rows. 0 if the rows cannot have it. */
static int changed_correction(const Manifold *it, const Pass *by, int l, int level, const Moving *rows,
                              const Moving *inertia, double *d, double *dd)
{
    static const double no_v[N_V] = {0}, no_lam[N_ROWS] = {0};
    Scratch *s = it->scratch;
    int free[N_V], m = l == 0 ? N_HOLONOMIC : N_ROWS;
    const double *r = l == 0 ? s->closure.phi : s->closure.sigma, *dr;
    double force[N_V], row[N_ROWS], part[N_V], lam[N_ROWS] = {0};
    const Along *along = &rows->along;
    Leftover with_M, no_M, with_d, with_lam, neither;
    Misses change;
    Least problem;
    model_equations(inertia->x, it->u, it->p, (double *)&s->at);
    model_closure(rows->x, it->u, it->p, (double *)&s->closure);
    model_closure_tangent(rows->x, it->u, it->p, along->dx, along->du, along->dp, (double *)&change);
    dr = l == 0 ? change.phi : change.sigma;
    problem = reduced(it, by->held[l], level, m, free);
    if (l == 1 && s->way.closely > 0.0) problem.rank_tolerance = s->way.closely;
    for (int j = 0; j < m; ++j) s->right[j] = -r[j];
    memset(d, 0, sizeof(double) * N_V);
    memset(dd, 0, sizeof(double) * N_V);
    if (!least(&problem, &s->factors, part)) return 0;
    for (int a = 0; a < problem.n; ++a) d[free[a]] = part[a];
    multipliers(&problem, &s->factors, lam);

    /* what is left over of f - M d + J^T lam and of gamma - J d, without f and gamma */
    with_M = leftover(it, inertia, d, no_lam);
    no_M = leftover(it, inertia, no_v, no_lam);
    with_d = leftover(it, rows, d, no_lam);
    with_lam = leftover(it, rows, no_v, lam);
    neither = leftover(it, rows, no_v, no_lam);
    for (int a = 0; a < problem.n; ++a) {
        int i = free[a];
        force[a] = with_M.force[i] - no_M.force[i] + with_lam.force[i] - neither.force[i];
    }
    for (int j = 0; j < m; ++j) row[j] = with_d.row[j] - neither.row[j] - dr[j];
    problem.f = force;
    problem.g = row;
    least_again(&problem, &s->factors, part);
    for (int a = 0; a < problem.n; ++a) dd[free[a]] = part[a];
    return rows_have(&problem, row, part, 1e-9 * LENGTH * largest(along->dx, N_X));
}

/* The same with given values held; if rows cannot have it, without, as assembly does. That is a change of
   the same x only if it fits as it was told. */
static int last_correction(const Manifold *it, const Pass *by, int l, const Moving *rows,
                           const Moving *inertia, double *d, double *dd)
{
    int last = by->fits[l] ? 2 : by->level[l];
    for (int level = by->level[l]; level <= last; ++level)
        if (changed_correction(it, by, l, level, rows, inertia, d, dd)) return 1;
    return 0;
}

/* Take a share of d. Where it was LONGEST over the extent of d, it changes with that. */
static void shorten(double share, double *d, double *dd)
{
    double most = 0.0, dshare = 0.0;
    for (int i = 0; i < N_V && share < 1.0; ++i) {
        double extent = fabs(d[i]) / model_nominal[N_Q + i];
        if (!(extent > fmax(most, LONGEST))) continue;
        most = extent;
        dshare = -share * dd[i] / d[i];
    }
    for (int i = 0; i < N_V; ++i) {
        dd[i] = share * dd[i] + dshare * d[i];
        d[i] *= share;
    }
}

/* Go the way of assembly again with the change of x beside it. */
static int follow_way(const Manifold *it, const double *x, const Pass *by, double *dx)
{
    const Way *way = &it->scratch->way;
    double start[N_X], dstart[N_X], next[N_X], d[N_V], dd[N_V];
    Moving begin = {start, {dstart, by->du, by->dp}}, now = {NULL, {dx, by->du, by->dp}};
    told_start(it, start);
    model_start_tangent(it->p, by->dp, dstart);
    memcpy(dx, dstart, sizeof dstart);
    for (int n = 0; n < way->n && !by->fits[0]; ++n) {
        now.x = way->x[n];
        changed_correction(it, by, 0, by->level[0], &now, &begin, d, dd);
        shorten(way->share[n], d, dd);
        model_retract_tangent(now.x, it->u, d, it->p, dx, by->du, by->dp, dd, next);
        memcpy(dx, next, sizeof next);
    }
    /* On arrival: one correction more leaves a change along the constraints. */
    now.x = x;
    if (!last_correction(it, by, 0, &now, &begin, d, dd)) return 0;
    model_retract_tangent(x, it->u, d, it->p, dx, by->du, by->dp, dd, next);
    model_cut_coordinates_tangent(x, it->u, it->p, next, by->du, by->dp, dx);

    /* Velocities: one step, from those that were told, where the positions have arrived. */
    memcpy(start, x, sizeof(double) * N_Q);
    now.x = start;
    if (!last_correction(it, by, 1, &now, &now, d, dd)) return 0;
    for (int i = 0; i < N_V; ++i) dx[N_Q + i] += dd[i];
    return 1;
}

/* Do the start values fit as they are told: positions, or velocities where the positions arrived? */
static int fits_as_told(const Manifold *it, const double *x, int at_velocity)
{
    const Closure *c = &it->scratch->closure;
    double start[N_X];
    told_start(it, start);
    if (at_velocity) memcpy(start, x, sizeof(double) * N_Q);
    model_closure(start, it->u, it->p, (double *)&it->scratch->closure);
    if (!at_velocity) return weighted(c->phi, N_HOLONOMIC) <= CLOSE * LENGTH;
    return weighted(c->sigma, N_ROWS) <= CLOSE * (LENGTH + largest(start + N_Q, N_V));
}

/* A start value counts as given as soon as it is set to another value. So it does along its own direction,
   if x is the same with it given or not. */
int assembled_tangent(const Manifold *it, const double *x, const double *du, const double *dp,
                      double *dx)
{
    static const double no_du[N_W + 1] = {0};
    static const Start *const starts[2] = {model_start_q, model_start_v};
    double rest[N_P], own[N_P], part[N_X];
    Pass all = {du, rest, {{0}}, {0}, {0}}, one;
    memcpy(rest, dp, sizeof rest);
    memcpy(all.level, it->scratch->way.level, sizeof all.level);
    for (int l = 0; l < 2; ++l) {
        held_by(starts[l], it->p, all.held[l]);
        all.fits[l] = fits_as_told(it, x, l);
    }
    memset(dx, 0, sizeof(double) * N_X);
    for (int l = 0; l < 2; ++l)
        for (int i = 0; all.fits[l] && i < N_V; ++i) {
            const Start *start = &starts[l][i];
            double *seed = rest + start->parameter;
            int is_told = 0;
            for (int k = 0; k < start->count; ++k) is_told |= seed[k] != 0.0;
            if (all.held[l][i] || !is_told) continue;
            one = all;
            one.du = no_du;
            one.dp = own;
            for (int k = 0; k < N_V; ++k)
                if (starts[l][k].parameter == start->parameter && starts[l][k].count) one.held[l][k] = 1;
            memset(own, 0, sizeof own);
            memcpy(own + start->parameter, seed, sizeof(double) * start->count);
            if (!follow_way(it, x, &one, part)) return 0;
            memset(seed, 0, sizeof(double) * start->count);
            for (int k = 0; k < N_X; ++k) dx[k] += part[k];
        }
    if (!follow_way(it, x, &all, part)) return 0;
    for (int k = 0; k < N_X; ++k) dx[k] += part[k];
    return 1;
}

#endif
