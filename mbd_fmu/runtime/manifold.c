#include "manifold.h"

#if N_ROWS

#include <float.h>
#include <math.h>
#include <string.h>

/* The same as in mbd_fmu/reference/manifold.py, which says why. */
#define ROUGHLY 1e-5
#define STALLED 1e4
#define NOISE 100.0
#define NEAR 0.02 /* of the largest pivot */
#define COARSE_RANK 1e-5
#define NUDGE 1e-3
#define LITTLE 0.1
#define MOST_LED 10000.0
#define FAR 1.6
#define SET_GOING 1e-9

static const int every[N_V] = {0}; /* none is held */

/* ---- Newton's method ---- */

double weighted(const double *residual, int n)
{
    double most = 0.0;
    for (int j = 0; j < n; ++j) {
        double size = fabs(model_row_weight[j] * residual[j]);
        if (!(size <= most)) most = size; /* NaN counts as largest */
    }
    return most;
}

Least reduced(const Manifold *it, const int *held, int level, int m, int *free)
{
    Scratch *s = it->scratch;
    int n = 0;
    Least problem = {0, m, s->M, NULL, s->J, s->right, model_row_weight, m, COARSE_RANK};
    for (int i = 0; i < N_V; ++i)
        if (held[i] < level) free[n++] = i;
    problem.n = n;
    for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b) s->M[a * n + b] = s->at.M[free[a] * N_V + free[b]];
    for (int j = 0; j < m; ++j)
        for (int a = 0; a < n; ++a) s->J[j * n + a] = s->closure.J[j * N_V + free[a]];
    return problem;
}

/* The least motion of velocities whose `held` is below `level` that takes a residual out: d. */
static int correction(const Manifold *it, const int *held, int level, int m, const double *residual,
                      int ceiling, double rank_tolerance)
{
    Scratch *s = it->scratch;
    int free[N_V];
    Least problem = reduced(it, held, level, m, free);
    problem.ceiling = ceiling;
    problem.rank_tolerance = rank_tolerance;
    for (int j = 0; j < m; ++j) s->right[j] = -residual[j];
    if (!least(&problem, &s->factors, s->part)) return 0;
    memset(s->d, 0, sizeof s->d);
    for (int a = 0; a < problem.n; ++a) s->d[free[a]] = s->part[a];
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

static void keep_step(Way *way, const double *x, double share)
{
    if (!way->is_kept || way->n == STEPS_KEPT) return; /* the last ones are nothing but rounding */
    memcpy(way->x[way->n], x, sizeof way->x[0]);
    way->share[way->n++] = share;
}

static void move(const Manifold *it, double share, double *x)
{
    Scratch *s = it->scratch;
    for (int i = 0; i < N_V; ++i) s->d[i] *= share;
    model_retract(x, it->u, s->d, it->p, s->trial);
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
        keep_step(&s->way, x, 1.0);
        before = size;
        move(it, 1.0, x);
    }
    model_cut_coordinates(x, it->u, it->p, s->trial);
    memcpy(x, s->trial, sizeof s->trial);
    return 1;
}

/* A motion in shares of what angles turn by and lengths move by, in general: 1 rad, LENGTH. */
static double extent(const double *d, const int *held, int level)
{
    double most = 0.0;
    for (int i = 0; i < N_V; ++i)
        if (held[i] >= level) most = fmax(most, fabs(d[i]) / model_nominal[N_Q + i]);
    return most;
}

/* From afar: steps that are not too long, and shorter ones until they help; till it is near. */
static int approach(const Manifold *it, const int *held, int level, double *x)
{
    Scratch *s = it->scratch;
    double size, from[N_X], d[N_V];
    look(it, x);
    size = weighted(s->closure.phi, N_HOLONOMIC);
    for (int n = 0; n < ITERATIONS && !(size <= ROUGHLY * LENGTH); ++n) {
        double before = size, step, shortest;
        if (!correction(it, held, level, N_HOLONOMIC, s->closure.phi, N_HOLONOMIC, COARSE_RANK)) return 0;
        memcpy(from, x, sizeof from);
        memcpy(d, s->d, sizeof d);
        step = fmin(1.0, LONGEST / extent(d, every, 0));
        for (shortest = 1e-3 * step;; step /= 2.0) {
            memcpy(x, from, sizeof from);
            memcpy(s->d, d, sizeof d);
            move(it, step, x);
            look(it, x);
            size = weighted(s->closure.phi, N_HOLONOMIC);
            if (size < before || step < shortest) break;
        }
        keep_step(&s->way, from, step);
    }
    return size <= ROUGHLY * LENGTH;
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

void forget_tangents(Scratch *s) { s->regular.share = s->weakest.share = 0.0; }

/* What is always near to redundant, as by very different masses, is no singular position. */
int passes_singular(const Scratch *s)
{
    return s->weakest.share > 0.0 && s->weakest.share < NEAR && s->weakest.share < s->regular.share / 2.0;
}

int error_is_noise(const Scratch *s, double tolerance)
{
    double nearest = s->weakest.share;
    return nearest > 0.0 && !(nearest * nearest * nearest * tolerance > NOISE * largest_rounding(s->at.rounding));
}

void leave_tangential(const Manifold *it, const double *x, double *error)
{
    Scratch *s = it->scratch;
    double d[N_V], moved[N_X];
    model_displacement(x, it->u, error, it->p, d);
    leave_free(&s->weakest, d);
    leave_free(&s->regular, d);
    model_retract(x, it->u, d, it->p, moved);
    for (int i = 0; i < N_Q; ++i) error[i] = moved[i] - x[i];
    leave_free(&s->weakest, error + N_Q);
    leave_free(&s->regular, error + N_Q);
}

/* ---- Assembly ---- */

static void inertia_at(const Manifold *it, const double *x)
{
    model_equations(x, it->u, it->p, (double *)&it->scratch->at);
}

void held_by(const Start *start, const double *p, int *held)
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
    model_retract(x, it->u, d, it->p, beside);
    if (at_position(it, every, 1, N_HOLONOMIC, COARSE_RANK, beside)) raise_ceiling(it, beside);
}

/* 1 + the first joint that is closed the wrong way round; 0: all are right. */
static int flipped(const Manifold *it, const double *x)
{
    double upright[N_SIDED + 1];
    model_branch_cosines(x, it->u, it->p, upright);
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
    int kept;
    inertia_at(it, x);
    if (!approach(it, held, level, x)) return 0;
    if (!at_position(it, held, level, N_HOLONOMIC, COARSE_RANK, x)) return 0;
    look(it, x);
    if (misses(&s->closure) > STALLED) {
        memcpy(finer, x, sizeof finer);
        kept = s->way.n;
        if (at_position(it, held, level, N_HOLONOMIC, RANK, finer))
            memcpy(x, finer, sizeof finer);
        else
            s->way.n = kept;
    }
    return !flipped(it, x);
}

static void displacement(const Manifold *it, const double *from, const double *to, double *d)
{
    double change[N_X];
    for (int i = 0; i < N_X; ++i) change[i] = to[i] - from[i];
    model_displacement(from, it->u, change, it->p, d);
}

/* Where start values differ from the declared ones so much that Newton's method loses its way: go from
   there to here, little by little, and close the loops on the way; not for ever. */
static int lead_there(const Manifold *it, const int *held, int level, double *x)
{
    Scratch *s = it->scratch;
    double p[N_P], told[N_X], way[N_V], rest[N_V], asked[N_ROWS] = {0}, steps;
    memcpy(told, x, sizeof told);
    memcpy(p, it->p, sizeof p);
    for (int i = 0; i < N_V; ++i)
        for (int k = 0; k < model_start_q[i].count; ++k)
            p[model_start_q[i].parameter + k] = model_p_start[model_start_q[i].parameter + k];
    model_start(p, x);
    inertia_at(it, x);
    displacement(it, x, told, way);
    steps = ceil(extent(way, held, level) / LITTLE);
    if (!(steps <= MOST_LED)) return 0;
    for (int i = 0; i < N_V; ++i) way[i] = held[i] < level ? 0.0 : way[i] / steps;
    for (double n = 0.0;; n += 1.0) {
        if (!at_position(it, held, level, N_HOLONOMIC, COARSE_RANK, x)) return 0;
        if (!(n < steps)) break;
        look(it, x);
        for (int j = 0; j < N_HOLONOMIC; ++j) {
            asked[j] = 0.0;
            for (int i = 0; i < N_V; ++i) asked[j] += s->closure.J[j * N_V + i] * way[i];
        }
        /* the rest moves with it, along the constraints */
        if (!correction(it, held, level, N_HOLONOMIC, asked, N_HOLONOMIC, COARSE_RANK)) return 0;
        for (int i = 0; i < N_V; ++i) s->d[i] += way[i];
        move(it, 1.0, x);
    }
    /* what is held as it was told, to the last digit; the rest where it came to */
    displacement(it, told, x, rest);
    for (int i = 0; i < N_V; ++i)
        if (held[i] >= level) rest[i] = 0.0;
    model_retract(told, it->u, rest, it->p, x);
    s->way.n = 0;
    return at_position(it, held, level, N_HOLONOMIC, COARSE_RANK, x) && !flipped(it, x);
}

static int find_positions(const Manifold *it, const int *held, int level, double *x)
{
    double told[N_X];
    memcpy(told, x, sizeof told);
    if (put_together(it, held, level, x)) return 1;
    if (level > 1) return 0;
    memcpy(x, told, sizeof told);
    return lead_there(it, held, level, x);
}

/* Coarsely; what that leaves open, beside a singular position, as closely as projection will look at it:
   else the first step would change what was given. */
static int set_going(const Manifold *it, const int *held, int level, double *x)
{
    Scratch *s = it->scratch;
    double finer[N_X], left, tolerance;
    memcpy(finer, x, sizeof finer);
    s->way.closely = 0.0;
    inertia_at(it, x);
    if (!at_velocity(it, held, level, N_ROWS, COARSE_RANK, x)) return 0;
    left = weighted(s->closure.sigma, N_ROWS);
    if (left <= SET_GOING * (LENGTH + largest(x + N_Q, N_V))) return 1;
    tolerance = rank_tolerance(s->closure.rounding);
    if (at_velocity(it, held, level, it->ceiling.all, tolerance, finer) &&
        weighted(s->closure.sigma, N_ROWS) < left) {
        memcpy(x, finer, sizeof finer);
        s->way.closely = tolerance;
    }
    return 1;
}

/* With given values held; if that fails, with fixed ones alone. */
static int fit(const Manifold *it, Solve *solve, const Start *start, int *gave_way, double *x)
{
    int held[N_V], ok = 0;
    Way *way = &it->scratch->way;
    double before[N_X];
    held_by(start, it->p, held);
    memcpy(before, x, sizeof before);
    for (int level = 1; level <= 2 && !ok; ++level) {
        memcpy(x, before, sizeof before);
        way->is_kept = solve == find_positions;
        if (way->is_kept) way->n = 0;
        way->level[solve != find_positions] = level;
        ok = solve(it, held, level, x);
        way->is_kept = 0;
        if (level == 2) *gave_way = 1;
    }
    return ok;
}

/* 1 + the velocity whose position was given and lies far from where it came to; 0: none. */
static int jumped(const Manifold *it, const double *told, const double *x)
{
    int held[N_V];
    double d[N_V];
    held_by(model_start_q, it->p, held);
    displacement(it, told, x, d);
    for (int i = 0; i < N_V; ++i)
        if (held[i] && fabs(d[i]) > FAR * model_nominal[N_Q + i]) return i + 1;
    return 0;
}

Assembly assemble(Manifold *it, double *x)
{
    Assembly out = {0, 0, 0, 0, 0};
    double told[N_X];
    memcpy(told, x, sizeof told);
    if (!fit(it, find_positions, model_start_q, &out.gave_way, x)) {
        out.flipped = flipped(it, x);
        return out;
    }
    if (out.gave_way) out.jumped = jumped(it, told, x);
    if (out.jumped) return out;
    out.at_velocity = 1;
    find_ceiling(it, x);
    if (!fit(it, set_going, model_start_v, &out.gave_way, x)) return out;
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
