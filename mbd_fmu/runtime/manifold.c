#include "manifold.h"

#if N_ROWS

#include <float.h>
#include <math.h>
#include <string.h>

/* The same as in mbd_fmu/reference/manifold.py, which says why. */
#define ROUGHLY 1e-5
#define ITERATIONS 50
#define STALLED 1e4
#define BLIND 4.0
#define COARSE_RANK 1e-5
#define NUDGE 1e-3

static const int every[N_V] = {0}; /* none is held */

/* ---- Dynamics ---- */

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

/* Rows are known to their rounding. Beside a singular position, at a distance that is a pivot's share
   of the largest, the mechanism is known to rounding over that share. Where this reaches the distance
   itself, the row tells nothing any more. */
static double rank_tolerance(const double *rounding)
{
    double most = 0.0;
    for (int j = 0; j < N_HOLONOMIC; ++j) most = fmax(most, model_row_weight[j] * rounding[j]);
    return fmax(RANK, BLIND * sqrt(DBL_EPSILON * most / LENGTH));
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
    if (PROJECTION && !s->few_rows) compare_tangents(s, problem);
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
static int choose_rows(const Manifold *it, const double *x, Least *problem, double *vd)
{
    Scratch *s = it->scratch;
    int counts[N_ROWS] = {0};
    s->few_rows = 0;
    if (!accelerated(it, x, 1, problem, vd)) return 0;
    for (int k = 0; k < s->factors.rank; ++k) counts[s->factors.row[k]] = 1;
    s->n_counting = 0;
    for (int j = 0; j < N_ROWS; ++j)
        if (counts[j]) s->counting[s->n_counting++] = j;
    if (s->n_counting == N_ROWS) return 1;
    s->few_rows = 1;
    if (!accelerated(it, x, 1, problem, vd)) return 0;
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
    if (!choose_rows(it, x, &problem, vd)) return 0;
    model_rates(x, it->u, vd, it->p, xd);
    multipliers(&problem, &s->factors, lam);
    memset(s->lam, 0, sizeof s->lam);
    for (int k = 0; k < s->n_counting; ++k) s->lam[s->counting[k]] = lam[k];
    model_slopes(x, it->u, du, vd, s->lam, it->p, (double *)&s->slopes);
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

static double largest(const double *x, int n)
{
    double most = 0.0;
    for (int i = 0; i < n; ++i) most = fmax(most, fabs(x[i]));
    return most;
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
    for (int a = 0; a < n; ++a) { /* Cholesky, with the right-hand side as it goes */
        double right = 0.0;
        for (int i = 0; i < N_LOADS; ++i) right -= s->idle[a][i] * s->load[i];
        for (int b = 0; b <= a; ++b) {
            double sum = 0.0;
            for (int i = 0; i < N_LOADS; ++i) sum += s->idle[a][i] * s->idle[b][i];
            for (int c = 0; c < b; ++c) sum -= s->normal[a][c] * s->normal[b][c];
            s->normal[a][b] = a == b ? sqrt(sum) : sum / s->normal[b][b];
        }
        for (int b = 0; b < a; ++b) right -= s->normal[a][b] * s->share[b];
        s->share[a] = right / s->normal[a][a];
    }
    for (int a = n - 1; a >= 0; --a) {
        for (int b = a + 1; b < n; ++b) s->share[a] -= s->normal[b][a] * s->share[b];
        s->share[a] /= s->normal[a][a];
    }
    for (int a = 0; a < n; ++a) {
        idle(problem, &s->factors, a, extra);
        for (int j = 0; j < N_ROWS; ++j) s->lam[j] += s->share[a] * unit * extra[j];
    }
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
                           const double *lam, const double *dx, const double *du, const double *dvd,
                           double *dlam)
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
    model_share_tangent(x, it->u, it->p, s->load, mu, dx, du, change);
    model_loads_tangent(x, it->u, vd, lam, it->p, dx, du, dvd, dlam, dload);
    for (int a = 0; a < n; ++a) {
        double right = 0.0;
        idle(problem, &s->factors, a, extra);
        for (int i = 0; i < N_LOADS; ++i) right -= s->idle[a][i] * dload[i];
        for (int j = 0; j < N_ROWS; ++j) right -= unit * extra[j] * change[j];
        for (int b = 0; b < a; ++b) right -= s->normal[a][b] * s->share[b];
        s->share[a] = right / s->normal[a][a];
    }
    for (int a = n - 1; a >= 0; --a) {
        for (int b = a + 1; b < n; ++b) s->share[a] -= s->normal[b][a] * s->share[b];
        s->share[a] /= s->normal[a][a];
    }
    for (int a = 0; a < n; ++a) {
        idle(problem, &s->factors, a, extra);
        for (int j = 0; j < N_ROWS; ++j) dlam[j] += s->share[a] * unit * extra[j];
    }
}

int constrained_tangent(const Manifold *it, const double *x, const double *z, const double *dx,
                        const double *du, double *dz)
{
    Scratch *s = it->scratch;
    const double *lam = z + N_X;
    double vd[N_V], dvd[N_V], few[N_ROWS], right[N_V + N_ROWS], row[N_ROWS], dlam[N_ROWS];
    Least problem;
    memset(dz, 0, sizeof(double) * N_Z);
    /* the motion, by rows that are chosen: so it has derivatives also beside the constraints */
    if (!choose_rows(it, x, &problem, vd)) return 0;
    multipliers(&problem, &s->factors, few);
    memset(dlam, 0, sizeof dlam);
    for (int k = 0; k < s->n_counting; ++k) dlam[s->counting[k]] = few[k];
    model_residual_tangent(x, it->u, vd, dlam, it->p, dx, du, right);
    for (int k = 0; k < s->n_counting; ++k) row[k] = right[N_V + s->counting[k]];
    problem.f = right;
    problem.g = row;
    least_again(&problem, &s->factors, dvd);
    model_rates_tangent(x, it->u, vd, it->p, dx, du, dvd, dz);

    /* the multipliers, by all rows */
    if (!accelerated(it, x, 0, &problem, vd)) return 0;
    model_residual_tangent(x, it->u, vd, lam, it->p, dx, du, right);
    problem.f = right;
    for (int j = 0; j < N_ROWS; ++j) {
        row[j] = 0.0;
        for (int i = 0; i < N_V; ++i) row[j] += s->at.J[j * N_V + i] * dvd[i];
    }
    problem.g = row;
    least_again(&problem, &s->factors, vd);
    multipliers(&problem, &s->factors, dlam);
    if (s->factors.rank < N_ROWS) {
        memcpy(vd, z + N_Q, sizeof vd);
        spread_tangent(it, &problem, x, vd, lam, dx, du, dvd, dlam);
    }
    memcpy(dz + N_X, dlam, sizeof dlam);
    return 1;
}

/* ---- Newton's method ---- */

static double weighted(const double *residual, int n)
{
    double most = 0.0;
    for (int j = 0; j < n; ++j) {
        double size = fabs(model_row_weight[j] * residual[j]);
        if (!(size <= most)) most = size; /* NaN counts as largest */
    }
    return most;
}

/* The least motion of velocities whose `held` is below `level` that takes a residual out: d. */
static int correction(const Manifold *it, const int *held, int level, int m, const double *residual,
                      int ceiling, double rank_tolerance)
{
    Scratch *s = it->scratch;
    int free[N_V], n = 0;
    Least problem = {0, m, s->M, NULL, s->J, s->right, model_row_weight, ceiling, rank_tolerance};
    for (int i = 0; i < N_V; ++i)
        if (held[i] < level) free[n++] = i;
    problem.n = n;
    for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b) s->M[a * n + b] = s->at.M[free[a] * N_V + free[b]];
    for (int j = 0; j < m; ++j) {
        s->right[j] = -residual[j];
        for (int a = 0; a < n; ++a) s->J[j * n + a] = s->closure.J[j * N_V + free[a]];
    }
    if (!least(&problem, &s->factors, s->part)) return 0;
    memset(s->d, 0, sizeof s->d);
    for (int a = 0; a < n; ++a) s->d[free[a]] = s->part[a];
    return 1;
}

static void look(const Manifold *it, const double *x)
{
    model_closure(x, it->u, it->p, (double *)&it->scratch->closure);
}

/* The largest miss of the rows on positions in multiples of what rounding alone may make of it. */
static double misses(const Closure *closure)
{
    double most = 0.0;
    for (int j = 0; j < N_HOLONOMIC; ++j) {
        double size = fabs(closure->phi[j]) / (DBL_EPSILON * closure->rounding[j]);
        if (!(size <= most)) most = size; /* NaN counts as largest */
    }
    return most;
}

/* The same of what the correction d takes out of them. */
static double removable(const Scratch *s)
{
    double most = 0.0, unit = 0.0;
    for (int j = 0; j < N_HOLONOMIC; ++j) {
        double change = 0.0;
        for (int i = 0; i < N_V; ++i) change += s->closure.J[j * N_V + i] * s->d[i];
        most = fmax(most, model_row_weight[j] * fabs(change));
        unit = fmax(unit, model_row_weight[j] * s->closure.rounding[j]);
    }
    return most / (DBL_EPSILON * unit);
}

static void move(const Manifold *it, double share, double *x)
{
    Scratch *s = it->scratch;
    for (int i = 0; i < N_V; ++i) s->d[i] *= share;
    model_moved(x, it->u, s->d, it->p, s->trial);
    memcpy(x, s->trial, sizeof s->trial);
}

/* From nearby: Newton's method, until it gains no more. What is left then is rounding, or lies in the
   model's data where rows say the same, or it is a failure. */
static int at_position(const Manifold *it, const int *held, int level, int ceiling,
                       double rank_tolerance, double *x)
{
    Scratch *s = it->scratch;
    double before = INFINITY, size, kept[N_X];
    for (int n = 0;; ++n) {
        look(it, x);
        if (misses(&s->closure) <= 1.0) break;
        if (!correction(it, held, level, N_HOLONOMIC, s->closure.phi, ceiling, rank_tolerance)) return 0;
        size = removable(s);
        if (n == ITERATIONS || !(size < before / 2.0)) {
            if (size > before) memcpy(x, kept, sizeof kept);
            if (!(fmin(size, before) <= STALLED)) return 0;
            if (!(weighted(s->closure.phi, N_HOLONOMIC) <= ROUGHLY * LENGTH)) return 0;
            break;
        }
        memcpy(kept, x, sizeof kept);
        before = size;
        move(it, 1.0, x);
    }
    model_measured(x, it->u, it->p, s->trial);
    memcpy(x, s->trial, sizeof s->trial);
    return 1;
}

/* From afar: shorter steps until they help; as near as it comes. */
static void approach(const Manifold *it, const int *held, int level, double *x)
{
    Scratch *s = it->scratch;
    double size, from[N_X], d[N_V];
    look(it, x);
    size = weighted(s->closure.phi, N_HOLONOMIC);
    for (int n = 0; n < ITERATIONS && !(size <= ROUGHLY * LENGTH); ++n) {
        double before = size, step = 1.0;
        if (!correction(it, held, level, N_HOLONOMIC, s->closure.phi, N_HOLONOMIC, COARSE_RANK)) return;
        memcpy(from, x, sizeof from);
        memcpy(d, s->d, sizeof d);
        for (;; step /= 2.0) {
            memcpy(x, from, sizeof from);
            memcpy(s->d, d, sizeof d);
            move(it, step, x);
            look(it, x);
            size = weighted(s->closure.phi, N_HOLONOMIC);
            if (size < before || step < 1e-3) break;
        }
    }
}

static int at_velocity(const Manifold *it, const int *held, int level, int ceiling,
                       double rank_tolerance, double *x)
{
    Scratch *s = it->scratch;
    double *v = x + N_Q;
    for (int n = 0; n < 2; ++n) { /* the second time takes rounding out */
        look(it, x);
        if (!correction(it, held, level, N_ROWS, s->closure.sigma, ceiling, rank_tolerance)) return 0;
        for (int i = 0; i < N_V; ++i) v[i] += s->d[i];
    }
    look(it, x);
    return weighted(s->closure.sigma, N_ROWS) <= ROUGHLY * (LENGTH + largest(v, N_V));
}

int project(const Manifold *it, double *x)
{
    double tolerance;
    look(it, x);
    tolerance = rank_tolerance(it->scratch->closure.rounding);
    return at_position(it, every, 1, it->ceiling.holonomic, tolerance, x) &&
           at_velocity(it, every, 1, it->ceiling.all, tolerance, x);
}

void leave_tangential(const Manifold *it, const double *x, double *error)
{
    Scratch *s = it->scratch;
    double d[N_V], moved[N_X];
    if (!(s->regular.share > 0.0)) return;
    model_displacement(x, it->u, error, it->p, d);
    leave_free(&s->weakest, d);
    leave_free(&s->regular, d);
    model_moved(x, it->u, d, it->p, moved);
    for (int i = 0; i < N_Q; ++i) error[i] = moved[i] - x[i];
    leave_free(&s->weakest, error + N_Q);
    leave_free(&s->regular, error + N_Q);
    s->regular.share = s->weakest.share = 0.0;
}

/* ---- Assembly ---- */

static void inertia_at(const Manifold *it, const double *x)
{
    model_equations(x, it->u, it->p, (double *)&it->scratch->at);
}

static void held_by(const Start *start, const double *p, int *held)
{
    for (int i = 0; i < N_V; ++i) {
        held[i] = start[i].held;
        for (int k = 0; k < start[i].count && held[i] == 0; ++k)
            if (p[start[i].parameter + k] != model_p_start[start[i].parameter + k]) held[i] = 1;
    }
}

/* Rank of the first m rows at x. */
static int rank_at(const Manifold *it, const double *x, int m)
{
    static const double zeros[N_ROWS] = {0};
    inertia_at(it, x);
    look(it, x);
    return correction(it, every, 1, m, zeros, m, COARSE_RANK) ? it->scratch->factors.rank : 0;
}

static void raise_ceiling(Manifold *it, const double *x)
{
    int holonomic = rank_at(it, x, N_HOLONOMIC), all = rank_at(it, x, N_ROWS);
    if (holonomic > it->ceiling.holonomic) it->ceiling.holonomic = holonomic;
    if (all > it->ceiling.all) it->ceiling.all = all;
}

/* Look for the rank here and a little further along the free motion. */
static void find_ceiling(Manifold *it, const double *x)
{
    Scratch *s = it->scratch;
    static const double zeros[N_ROWS] = {0};
    double push[N_V], d[N_V], beside[N_X], size;
    Least problem = {N_V, N_ROWS, s->at.M, push, s->at.J, zeros, model_row_weight, N_ROWS, RANK};
    it->ceiling.holonomic = it->ceiling.all = 0;
    raise_ceiling(it, x);
    inertia_at(it, x);
    for (int i = 0; i < N_V; ++i) {
        push[i] = 0.0;
        for (int j = 0; j < N_V; ++j) push[i] += s->at.M[i * N_V + j] / (1.0 + j);
    }
    if (!least(&problem, &s->factors, d)) return;
    size = largest(d, N_V);
    if (!(size > 0.0)) return;
    for (int i = 0; i < N_V; ++i) d[i] *= NUDGE / size;
    model_moved(x, it->u, d, it->p, beside);
    if (at_position(it, every, 1, N_HOLONOMIC, COARSE_RANK, beside)) raise_ceiling(it, beside);
}

/* 1 + the first joint that is closed the wrong way round; 0: all are right. */
static int flipped(const Manifold *it, const double *x)
{
    double upright[N_SIDED + 1];
    model_upright(x, it->u, it->p, upright);
    for (int k = 0; k < N_SIDED; ++k)
        if (upright[k] < 0.0) return k + 1;
    return 0;
}

typedef int Solve(const Manifold *, const int *, int, double *);

/* Positions from afar. What is nearly redundant there is redundant on arrival, so rows are looked at
   coarsely; only if some stay open are they looked at closely: beside a singular position. */
static int put_together(const Manifold *it, const int *held, int level, double *x)
{
    Scratch *s = it->scratch;
    double finer[N_X];
    inertia_at(it, x);
    approach(it, held, level, x);
    if (!at_position(it, held, level, N_HOLONOMIC, COARSE_RANK, x)) return 0;
    look(it, x);
    if (misses(&s->closure) > STALLED) {
        memcpy(finer, x, sizeof finer);
        if (at_position(it, held, level, N_HOLONOMIC, RANK, finer)) memcpy(x, finer, sizeof finer);
    }
    return !flipped(it, x);
}

static int set_going(const Manifold *it, const int *held, int level, double *x)
{
    inertia_at(it, x);
    return at_velocity(it, held, level, N_ROWS, COARSE_RANK, x);
}

/* With given values held; if that fails, with fixed ones alone. */
static int fit(const Manifold *it, Solve *solve, const Start *start, int *gave_way, double *x)
{
    int held[N_V];
    double before[N_X];
    held_by(start, it->p, held);
    memcpy(before, x, sizeof before);
    if (solve(it, held, 1, x)) return 1;
    *gave_way = 1;
    memcpy(x, before, sizeof before);
    return solve(it, held, 2, x);
}

Assembly assemble(Manifold *it, double *x)
{
    Assembly out = {0, 0, 0, 0};
    if (!fit(it, put_together, model_start_q, &out.gave_way, x)) {
        out.flipped = flipped(it, x);
        return out;
    }
    out.at_velocity = 1;
    if (!fit(it, set_going, model_start_v, &out.gave_way, x)) return out;
    find_ceiling(it, x);
    out.ok = 1;
    return out;
}

int worst_row(const Manifold *it, int at_velocity_level, double *miss)
{
    const Closure *c = &it->scratch->closure;
    const double *residual = at_velocity_level ? c->sigma : c->phi;
    int worst = 0, n = at_velocity_level ? N_ROWS : N_HOLONOMIC;
    for (int j = 1; j < n; ++j)
        if (!(fabs(model_row_weight[j] * residual[j]) <= fabs(model_row_weight[worst] * residual[worst])))
            worst = j;
    *miss = fabs(residual[worst]);
    return worst;
}

#endif
