/* The motion that the constraints allow, and what they load the joints with. */
#include "manifold.h"

#include "vectors.h"

#include <float.h>
#include <math.h>

#define BLIND 4.0 /* the same as in mbd_fmu/mechanics/constrained.py, which says why */

double largest_rounding(const Model *model, const double *rounding)
{
    double most = 0.0;
    for (int j = 0; j < model->n_holonomic; ++j) most = fmax(most, model->row_weight[j] * rounding[j]);
    return DBL_EPSILON * most / model->length;
}

/* Rows are known to their rounding. Beside a singular position, at a distance that is a pivot's share
   of the largest, the mechanism is known to rounding over that share. Where this reaches the distance
   itself, the row tells nothing any more. */
double rank_tolerance(const Model *model, const double *rounding)
{
    return fmax(RANK, BLIND * sqrt(largest_rounding(model, rounding)));
}

static void leave_rows_out(const Model *model, Scratch *s, ConstrainedProblem *problem)
{
    int n = model->n_v;
    for (int k = 0; k < s->n_counting; ++k) {
        int j = s->counting[k];
        copy(n, s->at.J + j * n, s->J + k * n);
        s->right[k] = s->right[j];
        s->weight[k] = model->row_weight[j];
    }
    problem->m = problem->generic_rank = s->n_counting;
    problem->J = s->J;
    problem->weight = s->weight;
}

/* Remember the free motions where rows are furthest from redundant, and where nearest. */
static void compare_tangent_spaces(Scratch *s, const ConstrainedProblem *problem)
{
    double share = pivot_share(problem, &s->factors);
    if (!(share > 0.0)) return;
    if (share > s->regular.share) keep_tangent_space(problem, &s->factors, share, &s->regular);
    if (s->weakest.share == 0.0 || share < s->weakest.share)
        keep_tangent_space(problem, &s->factors, share, &s->weakest);
}

int solve_motion(const Manifold *it, const double *x, int feedback, ConstrainedProblem *problem, double *vd)
{
    const Model *model = it->model;
    Scratch *s = it->scratch;
    int m = model->n_rows;
    find_equations(it, x);
    copy(m, s->at.gamma, s->right);
    if (feedback && model->stabilization == STABILIZATION_BAUMGARTE) {
        double alpha = it->p[model->p_gains], beta = it->p[model->p_gains + 1];
        for (int j = 0; j < m; ++j) {
            s->right[j] -= 2.0 * alpha * s->at.sigma[j];
            if (j < model->n_holonomic) s->right[j] -= beta * beta * s->at.phi[j];
        }
    }
    *problem = (ConstrainedProblem){model->n_v,        m,             s->at.M,
                                    s->at.f,           s->at.J,       s->right,
                                    model->row_weight, model->length, it->generic_rank.all,
                                    rank_tolerance(model, s->at.rounding)};
    if (s->few_rows) leave_rows_out(model, s, problem);
    if (!solve_constrained(problem, &s->factors, vd)) return 0;
    if (problem->generic_rank == it->generic_rank.all) compare_tangent_spaces(s, problem); /* no row is missed */
    return 1;
}

int constrained_derivatives(const Manifold *it, const double *x, double *xd)
{
    double *vd = it->scratch->vd;
    ConstrainedProblem problem;
    if (!solve_motion(it, x, 1, &problem, vd)) return 0;
    it->model->rates(x, it->u, vd, it->p, xd, it->memory);
    return 1;
}

/* ---- By rows that are chosen ---- */

/* By the fast way: its rows were chosen when the model was built. */
static int solve_by_its_rows(const Manifold *it, const double *x, int feedback, double *vd)
{
    const Model *model = it->model;
    Scratch *s = it->scratch;
    if (!feedback && model->stabilization == STABILIZATION_BAUMGARTE) return 0; /* it has that in it */
    if (!sparse_derivatives(it, x, s->trial)) return 0;
    copy(model->n_v, s->trial + model->n_q, vd);
    s->few_are_chosen = 1;
    s->n_counting = model->n_chosen;
    for (int k = 0; k < s->n_counting; ++k) s->counting[k] = model->chosen[k];
    copy(s->n_counting, s->sparse.lam, s->few);
    return 1;
}

/* By those that pivoting at x finds first. */
static int solve_by_first_rows(const Manifold *it, const double *x, int feedback, ConstrainedProblem *problem,
                               double *vd)
{
    Scratch *s = it->scratch;
    int is_solved = 1, m = it->model->n_rows;
    if (!solve_motion(it, x, feedback, problem, vd)) return 0;
    for (int j = 0; j < m; ++j) s->counts[j] = 0;
    for (int k = 0; k < s->factors.rank; ++k) s->counts[s->factors.row[k]] = 1;
    s->few_are_chosen = s->n_counting = 0;
    for (int j = 0; j < m; ++j)
        if (s->counts[j]) s->counting[s->n_counting++] = j;
    if (s->n_counting < m) {
        s->few_rows = 1;
        is_solved = solve_motion(it, x, feedback, problem, vd);
        s->few_rows = 0;
    }
    if (is_solved) multipliers(problem, &s->factors, s->few);
    return is_solved;
}

int solve_by_chosen_rows(const Manifold *it, const double *x, int feedback, ChosenRows *by, double *vd)
{
    Scratch *s = it->scratch;
    s->few_rows = 0;
    by->is_sparse = solve_by_its_rows(it, x, feedback, vd);
    if (!by->is_sparse && !solve_by_first_rows(it, x, feedback, &by->problem, vd)) return 0;
    clear(it->model->n_rows, s->lam);
    for (int k = 0; k < s->n_counting; ++k) s->lam[s->counting[k]] = s->few[k];
    return 1;
}

void solve_change(const Manifold *it, ChosenRows *by, const double *force, const double *row, double *dvd)
{
    Scratch *s = it->scratch;
    if (by->is_sparse) {
        solve_sparsely(it, force, row, dvd);
        return;
    }
    for (int k = 0; k < s->n_counting; ++k) s->few[k] = row[s->counting[k]];
    by->problem.f = force;
    by->problem.g = s->few;
    solve_again(&by->problem, &s->factors, dvd);
}

/* M dvd = d(f - M vd + J^T lam) + J^T dlam,  J dvd = d(gamma - J vd)  with vd and lam held inside d(). */
int constrained_jacobian(const Manifold *it, const double *x, const double *du, double *xd,
                         double *jacobian)
{
    const Model *model = it->model;
    Scratch *s = it->scratch;
    const Residual *by_x = &s->jacobian;
    int n_x = model->n_x, n_v = model->n_v, width = n_x + 1;
    ChosenRows by;
    if (!solve_by_chosen_rows(it, x, 1, &by, s->vd)) return 0;
    model->rates(x, it->u, s->vd, it->p, xd, it->memory);
    model->residual_jacobian(x, it->u, du, s->vd, s->lam, it->p, by_x->force, by_x->row, s->rates, it->memory);
    model->rates_by_vd(x, it->u, s->vd, it->p, s->by_vd, it->memory);
    for (int c = 0; c < width; ++c) {
        const double *dvd = s->dvd;
        for (int i = 0; i < n_v; ++i) s->force[i] = by_x->force[i * width + c];
        for (int j = 0; j < model->n_rows; ++j) s->row[j] = by_x->row[j * width + c];
        solve_change(it, &by, s->force, s->row, s->dvd);
        for (int i = 0; i < n_x; ++i) {
            double sum = s->rates[i * width + c];
            for (int k = 0; k < n_v; ++k) sum += s->by_vd[i * n_v + k] * dvd[k];
            jacobian[i * width + c] = sum;
        }
    }
    return 1;
}

/* ---- Multipliers ---- */

void add_null_multipliers(const Manifold *it, const ConstrainedProblem *problem, int n, double unit,
                          double *lam)
{
    Scratch *s = it->scratch;
    int m = it->model->n_rows;
    solve_factored(n, m, s->normal, s->share);
    for (int a = 0; a < n; ++a) {
        null_multipliers(problem, &s->factors, a, s->extra);
        for (int j = 0; j < m; ++j) lam[j] += s->share[a] * unit * s->extra[j];
    }
}

/* Normal equations of few unknowns, whose columns are near to orthogonal. */
double minimum_norm_multipliers(const Manifold *it, const ConstrainedProblem *problem, const double *x,
                                const double *vd)
{
    const Model *model = it->model;
    Scratch *s = it->scratch;
    int m = model->n_rows, l = model->n_loads, n = m - s->factors.rank;
    double unit = 1.0 + largest(m, s->lam); /* for differences */
    model->loads(x, it->u, vd, s->lam, it->p, s->load, it->memory);
    for (int a = 0; a < n; ++a) {
        double *load = s->null_load + a * l;
        null_multipliers(problem, &s->factors, a, s->extra);
        for (int j = 0; j < m; ++j) s->raised[j] = s->lam[j] + unit * s->extra[j];
        model->loads(x, it->u, vd, s->raised, it->p, load, it->memory);
        for (int i = 0; i < l; ++i) load[i] -= s->load[i];
    }
    for (int a = 0; a < n; ++a) { /* Cholesky, and the right-hand side */
        const double *load = s->null_load + a * l;
        double *row = s->normal + a * m, right = 0.0;
        for (int i = 0; i < l; ++i) right -= load[i] * s->load[i];
        s->share[a] = right;
        for (int b = 0; b <= a; ++b) {
            const double *other = s->null_load + b * l, *above = s->normal + b * m;
            double sum = 0.0;
            for (int i = 0; i < l; ++i) sum += load[i] * other[i];
            for (int c = 0; c < b; ++c) sum -= row[c] * above[c];
            row[b] = a == b ? sqrt(sum) : sum / above[b];
        }
    }
    add_null_multipliers(it, problem, n, unit, s->lam);
    return unit;
}

int constrained_solution(const Manifold *it, const double *x, double *z)
{
    const Model *model = it->model;
    Scratch *s = it->scratch;
    double *quality = z + model->n_x + model->n_rows;
    ConstrainedProblem problem;
    if (!solve_motion(it, x, 0, &problem, s->vd)) return 0;
    model->rates(x, it->u, s->vd, it->p, z, it->memory);
    multipliers(&problem, &s->factors, s->lam);
    if (s->factors.rank < model->n_rows) minimum_norm_multipliers(it, &problem, x, s->vd);
    copy(model->n_rows, s->lam, z + model->n_x);
    quality[0] = largest(model->n_holonomic, s->at.phi);
    quality[1] = largest(model->n_rows, s->at.sigma);
    quality[2] = s->factors.rank;
    return 1;
}
