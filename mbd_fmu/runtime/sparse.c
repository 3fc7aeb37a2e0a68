/* The fast way of a mechanism with constraints: rows and an order that were chosen when the model was built.
   Where its pivots do not vouch for it, and wherever rows that were left out matter, the dense way of
   constrained.c is taken. mbd_fmu/mechanics/elimination.py says what the pivots are measured by. */
#include "manifold.h"

#include "vectors.h"

#include <math.h>

#define FAR_ENOUGH 0.05 /* share of the smallest pivot, well above NEAR: others may see it smaller */
#define CORRECTIONS 8   /* with one factor, at most */

static double share_of(double doubt) { return 1.0 / sqrt(sqrt(doubt)); }

int sparse_derivatives(const Manifold *it, const double *x, double *xd)
{
    const Model *model = it->model;
    Scratch *s = it->scratch;
    Sparse *sparse = &s->sparse;
    double doubt;
    sparse->is_valid = 0;
    if (!model->motion || (s->few_rows && !s->few_are_chosen)) return 0;
    if (!it->generic_rank.is_closed || it->generic_rank.all != model->n_chosen) return 0;
    model->motion(x, it->u, it->p, xd, sparse->lam, sparse->L, sparse->d_inverse, &doubt, it->memory);
    if (!(doubt * (FAR_ENOUGH * FAR_ENOUGH) * (FAR_ENOUGH * FAR_ENOUGH) < 1.0)) return 0;
    if (!(doubt <= sparse->doubt)) {
        sparse->doubt = doubt;
        copy(model->n_x, x, sparse->x);
        copy(model->n_w, it->u, sparse->u);
    }
    return sparse->is_valid = 1;
}

double sparse_share(const Sparse *sparse) { return sparse->doubt > 0.0 ? share_of(sparse->doubt) : 0.0; }

void find_gaps(const Manifold *it, const double *x)
{
    Closure *closure = &it->scratch->closure;
    if (!it->model->gaps)
        find_closure(it, x);
    else
        it->model->gaps(x, it->u, it->p, closure->sigma, closure->phi, closure->rounding, it->memory);
}

void solve_sparsely(const Manifold *it, const double *force, const double *row, double *v)
{
    const Model *model = it->model;
    const Sparse *sparse = &it->scratch->sparse;
    const int *first = model->first_below, *below = model->below;
    double *y = sparse->y;
    int n = model->n_v, n_all = n + model->n_chosen;
    for (int k = 0; k < n_all; ++k) {
        int unknown = model->eliminated[k];
        y[k] = unknown < n ? force[unknown] : row[model->chosen[unknown - n]];
    }
    for (int k = 0; k < n_all; ++k)
        for (int e = first[k]; e < first[k + 1]; ++e) y[below[e]] -= sparse->L[e] * y[k];
    for (int k = n_all - 1; k >= 0; --k) {
        double sum = y[k] * sparse->d_inverse[k];
        for (int e = first[k]; e < first[k + 1]; ++e) sum -= sparse->L[e] * y[below[e]];
        y[k] = sum;
    }
    for (int k = 0; k < n_all; ++k)
        if (model->eliminated[k] < n) v[model->eliminated[k]] = y[k];
}

/* The least motion that takes a residual out of the rows: scratch->d. */
static void take_out(const Manifold *it, const double *residual)
{
    Scratch *s = it->scratch;
    for (int j = 0; j < it->model->n_rows; ++j) s->right[j] = -residual[j];
    solve_sparsely(it, s->no_v, s->right, s->d);
}

/* Newton's method with the factor of the last derivatives, on positions. */
static int come_near(const Manifold *it, double *x)
{
    double before = INFINITY, size;
    for (int n = 0;; ++n) {
        find_gaps(it, x);
        size = misses(it);
        if (size <= 1.0) return 1;
        if (n == CORRECTIONS || !(size < before / 2.0)) return size <= STALLED; /* then it is rounding */
        before = size;
        take_out(it, it->scratch->closure.phi);
        move_by(it, 1.0, x);
    }
}

int project_sparsely(const Manifold *it, double *x)
{
    const Model *model = it->model;
    Scratch *s = it->scratch;
    double *moved = s->kept, *v = moved + model->n_q;
    if (!s->sparse.is_valid) return 0;
    /* Positions are brought back by rows on positions alone: who rolls may have to slip for it. */
    if (0 < model->n_holonomic && model->n_holonomic < model->n_rows) return 0;
    copy(model->n_x, x, moved);
    if (!come_near(it, moved)) return 0;
    model->cut_coordinates(moved, it->u, it->p, s->trial, it->memory);
    copy(model->n_x, s->trial, moved);
    for (int n = 0; n < 2; ++n) { /* the second time takes rounding out */
        if (n > 0) find_gaps(it, moved);
        take_out(it, s->closure.sigma);
        for (int i = 0; i < model->n_v; ++i) v[i] += s->d[i];
    }
    if (!(weighted(model, s->closure.sigma, model->n_rows) <= ROUGHLY * (model->length + largest(model->n_v, v))))
        return 0;
    copy(model->n_x, moved, x);
    return 1;
}
