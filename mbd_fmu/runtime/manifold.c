/* Newton's method on the rows of the constraints, from nearby. */
#include "manifold.h"

#include "vectors.h"

#include <float.h>
#include <math.h>

/* The same as in mbd_fmu/reference/manifold.py, which says why. */
#define NEAR 0.02 /* of the largest pivot */

double weighted(const Model *model, const double *residual, int n)
{
    double most = 0.0;
    for (int j = 0; j < n; ++j) {
        double size = fabs(model->row_weight[j] * residual[j]);
        if (!(size <= most)) most = size;
    }
    return most;
}

void find_equations(const Manifold *it, const double *x)
{
    Equations *at = &it->scratch->at;
    it->model->equations(x, it->u, it->p, at->M, at->f, at->J, at->gamma, at->sigma, at->phi, at->rounding, it->memory);
}

void find_closure(const Manifold *it, const double *x)
{
    Closure *closure = &it->scratch->closure;
    it->model->closure(x, it->u, it->p, closure->J, closure->sigma, closure->phi, closure->rounding, it->memory);
}

ConstrainedProblem reduced(const Manifold *it, const Freedom *freedom, int m)
{
    const Model *model = it->model;
    Scratch *s = it->scratch;
    int n = 0, n_v = model->n_v;
    ConstrainedProblem problem = {0,
                                  m,
                                  s->M,
                                  NULL,
                                  s->J,
                                  s->right,
                                  model->row_weight,
                                  model->length,
                                  freedom->generic_rank,
                                  freedom->rank_tolerance};
    for (int i = 0; i < n_v; ++i)
        if (!freedom->held || freedom->held[i] < freedom->level) s->free[n++] = i;
    problem.n = n;
    for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b) s->M[a * n + b] = s->at.M[s->free[a] * n_v + s->free[b]];
    for (int j = 0; j < m; ++j)
        for (int a = 0; a < n; ++a) s->J[j * n + a] = s->closure.J[j * n_v + s->free[a]];
    return problem;
}

int correction(const Manifold *it, const Freedom *freedom, int m, const double *residual)
{
    Scratch *s = it->scratch;
    ConstrainedProblem problem = reduced(it, freedom, m);
    for (int j = 0; j < m; ++j) s->right[j] = -residual[j];
    if (!solve_constrained(&problem, &s->factors, s->part)) return 0;
    clear(it->model->n_v, s->d);
    for (int a = 0; a < problem.n; ++a) s->d[s->free[a]] = s->part[a];
    return 1;
}

double misses(const Manifold *it)
{
    const Closure *closure = &it->scratch->closure;
    double most = 0.0;
    for (int j = 0; j < it->model->n_holonomic; ++j) {
        double size = fabs(closure->phi[j]) / (DBL_EPSILON * closure->rounding[j]);
        if (!(size <= most)) most = size; /* NaN counts as largest */
    }
    return most;
}

/* The same of what the correction d takes out of them. */
static double removable(const Manifold *it)
{
    const Model *model = it->model;
    const Scratch *s = it->scratch;
    double most = 0.0, unit = 0.0;
    int n = model->n_v;
    for (int j = 0; j < model->n_holonomic; ++j) {
        double change = 0.0;
        for (int i = 0; i < n; ++i) change += s->closure.J[j * n + i] * s->d[i];
        most = fmax(most, model->row_weight[j] * fabs(change));
        unit = fmax(unit, model->row_weight[j] * s->closure.rounding[j]);
    }
    return most / (DBL_EPSILON * unit);
}

void keep_step(const Manifold *it, const double *x, double share)
{
    Way *way = &it->scratch->way;
    int n = it->model->n_x;
    if (!way->is_kept || way->n == STEPS_KEPT) return; /* the last ones are nothing but rounding */
    copy(n, x, way->x + way->n * n);
    way->share[way->n++] = share;
}

void move_by(const Manifold *it, double share, double *x)
{
    Scratch *s = it->scratch;
    for (int i = 0; i < it->model->n_v; ++i) s->d[i] *= share;
    it->model->retract(x, it->u, s->d, it->p, s->trial, it->memory);
    copy(it->model->n_x, s->trial, x);
}

void take_cut_coordinates(const Manifold *it, double *x)
{
    it->model->cut_coordinates(x, it->u, it->p, it->scratch->trial, it->memory);
    copy(it->model->n_x, it->scratch->trial, x);
}

void show_to_rows(const Manifold *it, double *x)
{
    if (it->model->has_rows_on_cuts) take_cut_coordinates(it, x);
}

/* Newton's method, until it gains no more. What is left then is rounding, or lies in the model's data where
   rows say the same, or it is a failure. */
int come_to_position(const Manifold *it, const Freedom *freedom, double *x)
{
    const Model *model = it->model;
    Scratch *s = it->scratch;
    double before = INFINITY, size, *kept = s->kept;
    show_to_rows(it, x);
    for (int n = 0;; ++n) {
        find_closure(it, x);
        if (misses(it) <= 1.0) break;
        if (!correction(it, freedom, model->n_holonomic, s->closure.phi)) return 0;
        size = removable(it);
        if (n == ITERATIONS || !(size < before / 2.0)) {
            if (size > before) copy(model->n_x, kept, x);
            if (!(fmin(size, before) <= STALLED)) return 0;
            if (!(weighted(model, s->closure.phi, model->n_holonomic) <= ROUGHLY * model->length)) return 0;
            break;
        }
        copy(model->n_x, x, kept);
        keep_step(it, x, 1.0);
        before = size;
        move_by(it, 1.0, x);
    }
    take_cut_coordinates(it, x);
    return 1;
}

int come_to_velocity(const Manifold *it, const Freedom *freedom, double *x)
{
    const Model *model = it->model;
    Scratch *s = it->scratch;
    double *v = x + model->n_q;
    for (int n = 0; n < 2; ++n) { /* the second time takes rounding out */
        find_closure(it, x);
        if (!correction(it, freedom, model->n_rows, s->closure.sigma)) return 0;
        for (int i = 0; i < model->n_v; ++i) v[i] += s->d[i];
    }
    find_closure(it, x);
    return weighted(model, s->closure.sigma, model->n_rows)
           <= ROUGHLY * (model->length + largest(model->n_v, v));
}

int project(const Manifold *it, double *x)
{
    Freedom all = {NULL, 1, it->generic_rank.holonomic, 0.0};
    if (project_sparsely(it, x)) return 1;
    if (it->scratch->sparse.is_valid) find_equations(it, x); /* inertia, for the least motion */
    find_closure(it, x);
    all.rank_tolerance = rank_tolerance(it->model, it->scratch->closure.rounding);
    if (!come_to_position(it, &all, x)) return 0;
    all.generic_rank = it->generic_rank.all;
    return come_to_velocity(it, &all, x);
}

void forget_tangent_spaces(Scratch *s) { s->regular.share = s->weakest.share = s->sparse.doubt = 0.0; }

/* What is always near to redundant, as by very different masses, is no singular position. */
int passes_singular(const Scratch *s)
{
    double regular = fmax(s->regular.share, sparse_share(&s->sparse));
    return s->weakest.share > 0.0 && s->weakest.share < NEAR && s->weakest.share < regular / 2.0;
}

int error_is_noise(const Manifold *it, const double *x, double tolerance)
{
    Scratch *s = it->scratch;
    double nearest = s->weakest.share, sparsely = sparse_share(&s->sparse);
    const double *rounding = s->at.rounding;
    if (nearest == 0.0 && sparsely > 0.0) {
        find_gaps(it, x);
        rounding = s->closure.rounding;
    }
    if (sparsely > 0.0) nearest = nearest > 0.0 ? fmin(nearest, sparsely) : sparsely;
    return nearest > 0.0
           && !(nearest * nearest * nearest * tolerance > largest_rounding(it->model, rounding));
}

/* The fast way leaves no tangent spaces behind: find those of where it was in most doubt, and of x. */
static void see_tangent_spaces(const Manifold *it, const double *x)
{
    Scratch *s = it->scratch;
    Manifold weakest = *it;
    ConstrainedProblem problem;
    if (!(s->sparse.doubt > 0.0)) return;
    weakest.u = s->sparse.u;
    solve_motion(&weakest, s->sparse.x, 0, &problem, s->vd);
    solve_motion(it, x, 0, &problem, s->vd);
}

void leave_tangential(const Manifold *it, const double *x, double *error)
{
    const Model *model = it->model;
    Scratch *s = it->scratch;
    see_tangent_spaces(it, x);
    if (!(s->weakest.share > 0.0)) return;
    model->displacement(x, it->u, error, it->p, s->d, it->memory);
    project_on_tangent_space(&s->weakest, s->d);
    project_on_tangent_space(&s->regular, s->d);
    model->retract(x, it->u, s->d, it->p, s->trial, it->memory);
    for (int i = 0; i < model->n_q; ++i) error[i] = s->trial[i] - x[i];
    project_on_tangent_space(&s->weakest, error + model->n_q);
    project_on_tangent_space(&s->regular, error + model->n_q);
}

int worst_row(const Manifold *it, int at_velocity, double *miss)
{
    const double *weight = it->model->row_weight;
    const double *residual = at_velocity ? it->scratch->closure.sigma : it->scratch->closure.phi;
    int worst = 0, n = at_velocity ? it->model->n_rows : it->model->n_holonomic;
    for (int j = 1; j < n; ++j)
        if (!(fabs(weight[j] * residual[j]) <= fabs(weight[worst] * residual[worst]))) worst = j;
    *miss = fabs(residual[worst]);
    return worst;
}
