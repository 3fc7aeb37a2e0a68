/* The fast way of a mechanism with constraints: rows and an order that were chosen when the model was built.
   Where its pivots do not vouch for it, and wherever rows that were left out matter, the dense way of
   constrained.c is taken. mbd_fmu/mechanics/elimination.py says what the pivots are measured by. */
#include "manifold.h"

#include "vectors.h"

#include <float.h>
#include <math.h>

#define CORRECTIONS 8 /* with one factor, at most */
#define FAST 0.1      /* what one that is apt leaves of a residual, at most */
#define FINE 0.02     /* of what velocities may be rounded by: most often they are rounded by less */

/* The same as in mbd_fmu/mechanics/elimination.py, which says why. */
#define MOST_LOST 1e6

static double share_of(double doubt) { return 1.0 / sqrt(sqrt(doubt)); }

int sparse_derivatives(const Manifold *it, const double *x, double *xd)
{
    const Model *model = it->model;
    Scratch *s = it->scratch;
    Sparse *sparse = &s->sparse;
    double least = model->least_share, doubt[2]; /* of the rows, and what velocities lose */
    sparse->is_valid = 0;
    if (!model->motion || (s->few_rows && !s->few_are_chosen)) return 0;
    if (!it->generic_rank.is_closed || it->generic_rank.all != model->n_chosen) return 0;
    model->motion(x, it->u, it->p, xd, sparse->lam, sparse->factor, doubt, it->memory);
    if (!(doubt[0] * (least * least) * (least * least) < 1.0 && doubt[1] < MOST_LOST)) return 0;
    if (!(doubt[0] <= sparse->doubt)) {
        sparse->doubt = doubt[0];
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
    it->model->solution(it->scratch->sparse.factor, force, row, v, it->memory);
}

/* The least motion that takes a residual out of the rows: scratch->d. */
static void take_out(const Manifold *it, const double *residual)
{
    Scratch *s = it->scratch;
    for (int j = 0; j < it->model->n_rows; ++j) s->right[j] = -residual[j];
    solve_sparsely(it, s->no_v, s->right, s->d);
}

/* Corrections with one factor, and what is left after each, in units of rounding. */
typedef struct {
    int n, is_fast;
    double before;
} Descent;

typedef enum { GOES_ON, IS_THERE, IS_STUCK } Verdict;

/* What an apt factor cannot better, is rounding; one that never gained much is too old to tell. */
static Verdict judge(Descent *it, double left)
{
    it->is_fast |= it->n == 0 ? left <= STALLED : left < FAST * it->before;
    if (left <= 1.0) return IS_THERE;
    if (it->n == CORRECTIONS) return IS_STUCK;
    if (!(left < it->before / 2.0)) return it->is_fast && left <= STALLED ? IS_THERE : IS_STUCK;
    it->before = left;
    ++it->n;
    return GOES_ON;
}

/* Newton's method with the factor of the last derivatives, on positions. */
static int come_near(const Manifold *it, double *x)
{
    Descent descent = {0, 0, INFINITY};
    show_to_rows(it, x);
    for (;;) {
        Verdict verdict;
        find_gaps(it, x);
        verdict = judge(&descent, misses(it));
        if (verdict != GOES_ON) return verdict == IS_THERE;
        take_out(it, it->scratch->closure.phi);
        move_by(it, 1.0, x);
    }
}

/* The same on velocities, whose rows were looked at with the positions. Each correction takes out the same
   share of what is left, so what the next look would see is known before. */
static int come_to_rest(const Manifold *it, double *x)
{
    const Model *model = it->model;
    const Closure *closure = &it->scratch->closure;
    Descent descent = {0, 0, INFINITY};
    double *v = x + model->n_q;
    double grain = FINE * largest_rounding(model, closure->rounding) * (model->length + largest(model->n_v, v));
    for (;;) {
        double before = descent.before, left = weighted(model, closure->sigma, model->n_rows) / grain;
        Verdict verdict = judge(&descent, left);
        if (verdict != GOES_ON) return verdict == IS_THERE;
        take_out(it, closure->sigma);
        for (int i = 0; i < model->n_v; ++i) v[i] += it->scratch->d[i];
        if (descent.n > 1 && left * (left / before) <= 1.0) return 1;
        find_gaps(it, x);
    }
}

/* Positions, then velocities: 0 where the factor is too old for them. */
static int come_back(const Manifold *it, double *x)
{
    if (!come_near(it, x)) return 0;
    take_cut_coordinates(it, x);
    return come_to_rest(it, x);
}

int project_sparsely(const Manifold *it, double *x)
{
    const Model *model = it->model;
    Scratch *s = it->scratch;
    double *moved = s->kept;
    if (!s->sparse.is_valid) return 0;
    /* Positions are brought back by rows on positions alone: who rolls may have to slip for it. */
    if (0 < model->n_holonomic && model->n_holonomic < model->n_rows) return 0;
    copy(model->n_x, x, moved);
    if (!come_back(it, moved)) {
        if (!sparse_derivatives(it, moved, s->trial)) return 0;
        copy(model->n_x, x, moved);
        if (!come_back(it, moved)) return 0;
    }
    copy(model->n_x, moved, x);
    return 1;
}
