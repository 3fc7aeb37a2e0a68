/* How the constrained motion and its multipliers change along a direction. */
#include "manifold.h"

#include "vectors.h"

static void find_residual_tangent(const Manifold *it, const double *x, const double *vd, const double *lam,
                                  const Along *along)
{
    Residual *change = &it->scratch->change;
    it->model->residual_tangent(x, it->u, vd, lam, it->p, along->dx, along->du, along->dp, change->force,
                                change->row, it->memory);
}

/* Change of minimum-norm multipliers: they stay those that load the joints least. With W the loads of null
   multipliers and s the change of W^T load while load and multipliers are held,
   W^T W share = -(W^T dload + null^T s). */
static void minimum_norm_tangent(const Manifold *it, const ConstrainedProblem *problem, const double *x,
                                 const double *vd, const double *lam, const Along *along, const double *dvd,
                                 double *dlam)
{
    const Model *model = it->model;
    Scratch *s = it->scratch;
    int m = model->n_rows, l = model->n_loads, n = m - s->factors.rank;
    double unit;
    ConstrainedProblem aside = *problem;
    copy(m, lam, s->lam);
    /* adds nothing: they are least already; leaves W and its factor */
    unit = minimum_norm_multipliers(it, problem, x, vd);
    model->loads(x, it->u, vd, lam, it->p, s->load, it->memory);
    /* mu: what the loads pull along the rows, J mu = -W^T load as far as it is not null */
    model->load_gradient(x, it->u, it->p, s->load, s->no_v, s->gradient, it->memory);
    for (int j = 0; j < m; ++j) s->gradient[j] = -s->gradient[j];
    aside.f = s->no_v;
    aside.g = s->gradient;
    solve_again(&aside, &s->factors, s->mu);
    model->load_gradient_tangent(x, it->u, it->p, s->load, s->mu, along->dx, along->du, along->dp,
                                 s->gradient, it->memory);
    model->loads_tangent(x, it->u, vd, lam, it->p, along->dx, along->du, along->dp, dvd, dlam, s->dload, it->memory);
    for (int a = 0; a < n; ++a) {
        const double *load = s->null_load + a * l;
        double sum = 0.0;
        null_multipliers(problem, &s->factors, a, s->extra);
        for (int i = 0; i < l; ++i) sum -= load[i] * s->dload[i];
        for (int j = 0; j < m; ++j) sum -= unit * s->extra[j] * s->gradient[j];
        s->share[a] = sum;
    }
    add_null_multipliers(it, problem, n, unit, dlam);
}

/* Change of what the feedback adds to the rows. */
static void add_feedback_tangent(const Manifold *it, const double *x, const Along *along, double *row)
{
    const Model *model = it->model;
    Scratch *s = it->scratch;
    int gains = model->p_gains;
    double alpha = it->p[gains], beta = it->p[gains + 1];
    double dalpha = along->dp[gains], dbeta = along->dp[gains + 1];
    find_gaps(it, x);
    model->closure_tangent(x, it->u, it->p, along->dx, along->du, along->dp, s->dsigma, s->dphi, it->memory);
    for (int j = 0; j < model->n_rows; ++j) {
        row[j] -= 2.0 * (alpha * s->dsigma[j] + dalpha * s->closure.sigma[j]);
        if (j < model->n_holonomic) row[j] -= beta * (beta * s->dphi[j] + 2.0 * dbeta * s->closure.phi[j]);
    }
}

/* Change of the motion, by rows that are chosen: so it has derivatives also beside the constraints. */
static int motion_tangent(const Manifold *it, const double *x, int feedback, const Along *along,
                          double *dvd, double *dxd)
{
    const Model *model = it->model;
    Scratch *s = it->scratch;
    ChosenRows by;
    if (!solve_by_chosen_rows(it, x, feedback, &by, s->vd)) return 0;
    find_residual_tangent(it, x, s->vd, s->lam, along);
    if (feedback && model->stabilization == STABILIZATION_BAUMGARTE)
        add_feedback_tangent(it, x, along, s->change.row);
    solve_change(it, &by, s->change.force, s->change.row, dvd);
    model->rates_tangent(x, it->u, s->vd, it->p, along->dx, along->du, along->dp, dvd, dxd, it->memory);
    return 1;
}

int constrained_rates_tangent(const Manifold *it, const double *x, const Along *along, double *dxd)
{
    return motion_tangent(it, x, 1, along, it->scratch->dvd, dxd);
}

int constrained_tangent(const Manifold *it, const double *x, const double *z, const Along *along,
                        double *dz)
{
    const Model *model = it->model;
    Scratch *s = it->scratch;
    const double *lam = z + model->n_x, *vd = z + model->n_q;
    double *dvd = s->dvd, *dlam = s->dlam;
    int n = model->n_v, m = model->n_rows;
    ConstrainedProblem problem;
    clear(model->n_z, dz);
    if (!motion_tangent(it, x, 0, along, dvd, dz)) return 0;

    /* the multipliers, by all rows */
    if (!solve_motion(it, x, 0, &problem, s->vd)) return 0;
    find_residual_tangent(it, x, s->vd, lam, along);
    problem.f = s->change.force;
    for (int j = 0; j < m; ++j) {
        double sum = 0.0;
        for (int i = 0; i < n; ++i) sum += s->at.J[j * n + i] * dvd[i];
        s->row[j] = sum;
    }
    problem.g = s->row;
    solve_again(&problem, &s->factors, s->vd);
    multipliers(&problem, &s->factors, dlam);
    if (s->factors.rank < m) minimum_norm_tangent(it, &problem, x, vd, lam, along, dvd, dlam);
    copy(m, dlam, dz + model->n_x);
    return 1;
}
