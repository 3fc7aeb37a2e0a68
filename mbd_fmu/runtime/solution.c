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
    it->model->rates(x, it->u, vd, it->p, xd);
    return 1;
}

int solve_by_chosen_rows(const Manifold *it, const double *x, int feedback, ConstrainedProblem *problem,
                         double *vd)
{
    Scratch *s = it->scratch;
    int is_solved, m = it->model->n_rows;
    s->few_rows = 0;
    if (!solve_motion(it, x, feedback, problem, vd)) return 0;
    for (int j = 0; j < m; ++j) s->counts[j] = 0;
    for (int k = 0; k < s->factors.rank; ++k) s->counts[s->factors.row[k]] = 1;
    s->n_counting = 0;
    for (int j = 0; j < m; ++j)
        if (s->counts[j]) s->counting[s->n_counting++] = j;
    if (s->n_counting == m) return 1;
    s->few_rows = 1;
    is_solved = solve_motion(it, x, feedback, problem, vd);
    s->few_rows = 0;
    return is_solved;
}

/* M dvd = d(f - M vd + J^T lam) + J^T dlam,  J dvd = d(gamma - J vd)  with vd and lam held inside d(). */
int constrained_jacobian(const Manifold *it, const double *x, const double *du, double *xd,
                         double *jacobian)
{
    const Model *model = it->model;
    Scratch *s = it->scratch;
    const Residual *by_x = &s->jacobian;
    int n_x = model->n_x, n_v = model->n_v, width = n_x + 1;
    ConstrainedProblem problem;
    if (!solve_by_chosen_rows(it, x, 1, &problem, s->vd)) return 0;
    model->rates(x, it->u, s->vd, it->p, xd);
    multipliers(&problem, &s->factors, s->few);
    clear(model->n_rows, s->lam);
    for (int k = 0; k < s->n_counting; ++k) s->lam[s->counting[k]] = s->few[k];
    model->residual_jacobian(x, it->u, du, s->vd, s->lam, it->p, by_x->force, by_x->row, s->rates, s->by_vd);
    problem.f = s->force;
    problem.g = s->row;
    for (int c = 0; c < width; ++c) {
        const double *dvd = s->dvd;
        for (int i = 0; i < n_v; ++i) s->force[i] = by_x->force[i * width + c];
        for (int k = 0; k < s->n_counting; ++k) s->row[k] = by_x->row[s->counting[k] * width + c];
        solve_again(&problem, &s->factors, s->dvd);
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
    model->loads(x, it->u, vd, s->lam, it->p, s->load);
    for (int a = 0; a < n; ++a) {
        double *load = s->null_load + a * l;
        null_multipliers(problem, &s->factors, a, s->extra);
        for (int j = 0; j < m; ++j) s->raised[j] = s->lam[j] + unit * s->extra[j];
        model->loads(x, it->u, vd, s->raised, it->p, load);
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
    model->rates(x, it->u, s->vd, it->p, z);
    multipliers(&problem, &s->factors, s->lam);
    if (s->factors.rank < model->n_rows) minimum_norm_multipliers(it, &problem, x, s->vd);
    copy(model->n_rows, s->lam, z + model->n_x);
    quality[0] = largest(model->n_holonomic, s->at.phi);
    quality[1] = largest(model->n_rows, s->at.sigma);
    quality[2] = s->factors.rank;
    return 1;
}
