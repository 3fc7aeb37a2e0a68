/* Change of assembled start values along parameters and inputs. */
#include "manifold.h"

#include "vectors.h"

#include <math.h>
#include <string.h>

#define CLOSE 1e-9 /* of the characteristic length: start values that fit as they are */
#define FITS 1e-4  /* of what the rows ask for: so much may be missed */

/* A direction of parameters and inputs, and which start values stay along it. */
typedef struct {
    const double *du, *dp;
    int *held[2], level[2]; /* of positions and of velocities */
    int fits[2];            /* they fit as they are given: no way was gone */
} Pass;

/* x, and how it changes. */
typedef struct {
    const double *x;
    Along along;
} Moving;

static void given_start(const Manifold *it, double *x)
{
    it->model->start(it->p, x, it->memory);
    normalize_quaternions(it->model, x);
}

static void find_change(const Manifold *it, const Moving *at, const double *vd, const double *lam,
                        const Residual *change)
{
    it->model->residual_tangent(at->x, it->u, vd, lam, it->p, at->along.dx, at->along.du, at->along.dp,
                                change->force, change->row, it->memory);
}

/* Does v give the rows what they ask for, up to rounding? */
static int rows_have(const ConstrainedProblem *problem, const double *row, const double *v, double rounding)
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
static int correction_tangent(const Manifold *it, const Pass *by, int l, int level, const Moving *rows,
                              const Moving *inertia, double *d, double *dd)
{
    const Model *model = it->model;
    Scratch *s = it->scratch;
    const Assembling *a = &s->assembling;
    const Along *along = &rows->along;
    const double *r = l == 0 ? s->closure.phi : s->closure.sigma, *dr = l == 0 ? s->dphi : s->dsigma;
    int m = l == 0 ? model->n_holonomic : model->n_rows;
    Freedom freedom = {by->held[l], level, m, COARSE_RANK};
    ConstrainedProblem problem;
    find_equations(it, inertia->x);
    find_closure(it, rows->x);
    model->closure_tangent(rows->x, it->u, it->p, along->dx, along->du, along->dp, s->dsigma, s->dphi, it->memory);
    if (l == 1 && s->way.closely > 0.0) freedom.rank_tolerance = s->way.closely;
    problem = reduced(it, &freedom, m);
    for (int j = 0; j < m; ++j) s->right[j] = -r[j];
    clear(model->n_v, d);
    clear(model->n_v, dd);
    if (!solve_constrained(&problem, &s->factors, s->part)) return 0;
    for (int k = 0; k < problem.n; ++k) d[s->free[k]] = s->part[k];
    clear(model->n_rows, s->few);
    multipliers(&problem, &s->factors, s->few);

    /* what is left over of f - M d + J^T lam and of gamma - J d, without f and gamma */
    find_change(it, inertia, d, s->no_rows, &a->with_M);
    find_change(it, inertia, s->no_v, s->no_rows, &a->no_M);
    find_change(it, rows, d, s->no_rows, &a->with_d);
    find_change(it, rows, s->no_v, s->few, &a->with_lam);
    find_change(it, rows, s->no_v, s->no_rows, &a->neither);
    for (int k = 0; k < problem.n; ++k) {
        int i = s->free[k];
        s->force[k] = a->with_M.force[i] - a->no_M.force[i] + a->with_lam.force[i] - a->neither.force[i];
    }
    for (int j = 0; j < m; ++j) s->row[j] = a->with_d.row[j] - a->neither.row[j] - dr[j];
    problem.f = s->force;
    problem.g = s->row;
    solve_again(&problem, &s->factors, s->part);
    for (int k = 0; k < problem.n; ++k) dd[s->free[k]] = s->part[k];
    return rows_have(&problem, s->row, s->part, 1e-9 * model->length * largest(model->n_x, along->dx));
}

/* The same with given values held; if rows cannot have it, without, as assembly does. That is a change of
   the same x only if it fits as it was given. */
static int last_correction(const Manifold *it, const Pass *by, int l, const Moving *rows,
                           const Moving *inertia, double *d, double *dd)
{
    int last = by->fits[l] ? 2 : by->level[l];
    for (int level = by->level[l]; level <= last; ++level)
        if (correction_tangent(it, by, l, level, rows, inertia, d, dd)) return 1;
    return 0;
}

/* Take a share of d. Where it was LONGEST over the extent of d, it changes with that. */
static void shorten(const Model *model, double share, double *d, double *dd)
{
    double most = 0.0, dshare = 0.0;
    for (int i = 0; i < model->n_v && share < 1.0; ++i) {
        double extent = fabs(d[i]) / model->nominal[model->n_q + i];
        if (!(extent > fmax(most, LONGEST))) continue;
        most = extent;
        dshare = -share * dd[i] / d[i];
    }
    for (int i = 0; i < model->n_v; ++i) {
        dd[i] = share * dd[i] + dshare * d[i];
        d[i] *= share;
    }
}

/* Go the way of assembly again with the change of x beside it. */
static int follow_way(const Manifold *it, const double *x, const Pass *by, double *dx)
{
    const Model *model = it->model;
    const Way *way = &it->scratch->way;
    const Assembling *a = &it->scratch->assembling;
    double *start = a->start, *dstart = a->dstart, *next = a->next, *d = a->d, *dd = a->dd;
    Moving begin = {start, {dstart, by->du, by->dp}}, now = {NULL, {dx, by->du, by->dp}};
    given_start(it, start);
    model->start_tangent(it->p, by->dp, dstart, it->memory);
    copy(model->n_x, dstart, dx);
    for (int n = 0; n < way->n && !by->fits[0]; ++n) {
        now.x = way->x + n * model->n_x;
        correction_tangent(it, by, 0, by->level[0], &now, &begin, d, dd);
        shorten(model, way->share[n], d, dd);
        model->retract_tangent(now.x, it->u, d, it->p, dx, by->du, by->dp, dd, next, it->memory);
        copy(model->n_x, next, dx);
    }
    /* On arrival: one correction more leaves a change along the constraints. */
    now.x = x;
    if (!last_correction(it, by, 0, &now, &begin, d, dd)) return 0;
    model->retract_tangent(x, it->u, d, it->p, dx, by->du, by->dp, dd, next, it->memory);
    model->cut_coordinates_tangent(x, it->u, it->p, next, by->du, by->dp, dx, it->memory);

    /* Velocities: one step, from those that were given, where the positions have arrived. */
    copy(model->n_q, x, start);
    now.x = start;
    if (!last_correction(it, by, 1, &now, &now, d, dd)) return 0;
    for (int i = 0; i < model->n_v; ++i) dx[model->n_q + i] += dd[i];
    return 1;
}

/* Do the start values fit as they are given: positions, or velocities where the positions arrived? */
static int fits_as_given(const Manifold *it, const double *x, int at_velocity)
{
    const Model *model = it->model;
    const Closure *c = &it->scratch->closure;
    double *start = it->scratch->assembling.start;
    given_start(it, start);
    if (at_velocity) copy(model->n_q, x, start);
    find_closure(it, start);
    if (!at_velocity) return weighted(model, c->phi, model->n_holonomic) <= CLOSE * model->length;
    return weighted(model, c->sigma, model->n_rows)
           <= CLOSE * (model->length + largest(model->n_v, start + model->n_q));
}

/* The change along one start value alone, at place i of a level, as if it were given. */
static int follow_alone(const Manifold *it, const double *x, const Pass *all, int level, int i, double *seed,
                        double *dx)
{
    const Model *model = it->model;
    const Assembling *a = &it->scratch->assembling;
    const Start *starts = level == 0 ? model->start_q : model->start_v, *start = &starts[i];
    Pass one = *all;
    for (int l = 0; l < 2; ++l) {
        one.held[l] = a->held_along[1][l];
        memcpy(one.held[l], all->held[l], sizeof(int) * (size_t)model->n_v);
    }
    one.du = it->scratch->no_w;
    one.dp = a->dp_own;
    for (int k = 0; k < model->n_v; ++k)
        if (starts[k].parameter == start->parameter && starts[k].count) one.held[level][k] = 1;
    clear(model->n_p, a->dp_own);
    copy(start->count, seed, a->dp_own + start->parameter);
    if (!follow_way(it, x, &one, a->part)) return 0;
    clear(start->count, seed);
    for (int k = 0; k < model->n_x; ++k) dx[k] += a->part[k];
    return 1;
}

/* A start value counts as given as soon as it is set to another value. So it does along its own direction,
   if x is the same with it given or not. */
int assembled_tangent(const Manifold *it, const double *x, const double *du, const double *dp,
                      double *dx)
{
    const Model *model = it->model;
    const Assembling *a = &it->scratch->assembling;
    const Start *const starts[2] = {model->start_q, model->start_v};
    Pass all = {du, a->dp_rest, {a->held_along[0][0], a->held_along[0][1]}, {0}, {0}};
    copy(model->n_p, dp, a->dp_rest);
    for (int l = 0; l < 2; ++l) {
        all.level[l] = it->scratch->way.level[l];
        held_by(model, starts[l], it->p, all.held[l]);
        all.fits[l] = fits_as_given(it, x, l);
    }
    clear(model->n_x, dx);
    for (int l = 0; l < 2; ++l)
        for (int i = 0; all.fits[l] && i < model->n_v; ++i) {
            double *seed = a->dp_rest + starts[l][i].parameter;
            int changes = 0;
            for (int k = 0; k < starts[l][i].count; ++k) changes |= seed[k] != 0.0;
            if (all.held[l][i] || !changes) continue;
            if (!follow_alone(it, x, &all, l, i, seed, dx)) return 0;
        }
    if (!follow_way(it, x, &all, a->part)) return 0;
    for (int k = 0; k < model->n_x; ++k) dx[k] += a->part[k];
    return 1;
}
