/* Bringing start values together that may be far off. */
#include "manifold.h"

#include "vectors.h"

#include <math.h>

/* The same as in mbd_fmu/reference/assembly.py, which says why. */
#define NUDGE 1e-3
#define LITTLE 0.1
#define MOST_LED 10000.0
#define FAR 1.6
#define SET_GOING 1e-9

/* Of the velocities that are not held, with the rows looked at coarsely. */
static Freedom coarse(const int *held, int level, int m)
{
    Freedom freedom = {held, level, m, COARSE_RANK};
    return freedom;
}

void held_by(const Model *model, const Start *start, const double *p, int *held)
{
    for (int i = 0; i < model->n_v; ++i) {
        held[i] = start[i].held;
        for (int k = 0; k < start[i].count && held[i] == 0; ++k)
            if (p[start[i].parameter + k] != model->p_start[start[i].parameter + k]) held[i] = 1;
    }
}

/* A motion in shares of what angles turn by and lengths move by, in general: 1 rad, the characteristic
   length. Of those that are held, or of all (NULL). */
static double extent(const Model *model, const double *d, const int *held, int level)
{
    double most = 0.0;
    for (int i = 0; i < model->n_v; ++i)
        if (!held || held[i] >= level) most = fmax(most, fabs(d[i]) / model->nominal[model->n_q + i]);
    return most;
}

/* From afar: steps that are not too long, and shorter ones until they help; till it is near. */
static int approach(const Manifold *it, const Freedom *freedom, double *x)
{
    const Model *model = it->model;
    Scratch *s = it->scratch;
    double size, *from = s->assembling.from, *d = s->assembling.whole;
    int m = model->n_holonomic;
    show_to_rows(it, x);
    find_closure(it, x);
    size = weighted(model, s->closure.phi, m);
    for (int n = 0; n < ITERATIONS && !(size <= ROUGHLY * model->length); ++n) {
        double before = size, step, shortest;
        if (!correction(it, freedom, m, s->closure.phi)) return 0;
        copy(model->n_x, x, from);
        copy(model->n_v, s->d, d);
        step = fmin(1.0, LONGEST / extent(model, d, NULL, 0));
        for (shortest = 1e-3 * step;; step /= 2.0) {
            copy(model->n_x, from, x);
            copy(model->n_v, d, s->d);
            move_by(it, step, x);
            find_closure(it, x);
            size = weighted(model, s->closure.phi, m);
            if (size < before || step < shortest) break;
        }
        keep_step(it, from, step);
    }
    return size <= ROUGHLY * model->length;
}

/* ---- Rank ---- */

/* Rank of the first m rows at x. */
static int rank_at(const Manifold *it, const double *x, int m)
{
    Freedom all = coarse(NULL, 1, m);
    find_equations(it, x);
    find_closure(it, x);
    return correction(it, &all, m, it->scratch->no_rows) ? it->scratch->factors.rank : 0;
}

static void raise_generic_rank(Manifold *it, const double *x)
{
    int holonomic = rank_at(it, x, it->model->n_holonomic), all = rank_at(it, x, it->model->n_rows);
    if (holonomic > it->generic_rank.holonomic) it->generic_rank.holonomic = holonomic;
    if (all > it->generic_rank.all) it->generic_rank.all = all;
}

/* Look for the rank here and a little further along the free motion. */
static void find_generic_rank(Manifold *it, const double *x)
{
    const Model *model = it->model;
    Scratch *s = it->scratch;
    int n = model->n_v, m = model->n_rows;
    double *push = s->assembling.push, *beside = s->assembling.beside, size;
    ConstrainedProblem problem = {n,          m,                 s->at.M,       push, s->at.J,
                                  s->no_rows, model->row_weight, model->length, m,    RANK};
    Freedom all = coarse(NULL, 1, model->n_holonomic);
    it->generic_rank.holonomic = it->generic_rank.all = 0;
    raise_generic_rank(it, x);
    it->generic_rank.is_closed = misses(it) <= STALLED;
    find_equations(it, x);
    for (int i = 0; i < n; ++i) {
        push[i] = 0.0;
        for (int j = 0; j < n; ++j) push[i] += s->at.M[i * n + j] / (1.0 + j);
    }
    if (!solve_constrained(&problem, &s->factors, s->d)) return;
    size = largest(n, s->d);
    if (!(size > 0.0)) return;
    for (int i = 0; i < n; ++i) s->d[i] *= NUDGE / size;
    model->retract(x, it->u, s->d, it->p, beside, it->memory);
    if (come_to_position(it, &all, beside)) raise_generic_rank(it, beside);
}

/* ---- Positions ---- */

/* 1 + the first joint that is closed the wrong way round; 0: all are right. */
static int flipped(const Manifold *it, const double *x)
{
    double *cosines = it->scratch->assembling.cosines;
    it->model->branch_cosines(x, it->u, it->p, cosines, it->memory);
    for (int k = 0; k < it->model->n_branches; ++k)
        if (cosines[k] < 0.0) return k + 1;
    return 0;
}

/* Positions from afar. What is nearly redundant there is redundant on arrival, so rows are looked at
   coarsely; only if some stay open are they looked at closely: beside a singular position. */
static int put_together(const Manifold *it, const int *held, int level, double *x)
{
    Scratch *s = it->scratch;
    Freedom freedom = coarse(held, level, it->model->n_holonomic);
    double *finer = s->assembling.finer;
    int kept, n = it->model->n_x;
    find_equations(it, x);
    if (!approach(it, &freedom, x)) return 0;
    if (!come_to_position(it, &freedom, x)) return 0;
    find_closure(it, x);
    if (misses(it) > STALLED) {
        copy(n, x, finer);
        kept = s->way.n;
        freedom.rank_tolerance = RANK;
        if (come_to_position(it, &freedom, finer))
            copy(n, finer, x);
        else
            s->way.n = kept;
    }
    return !flipped(it, x);
}

static void displacement(const Manifold *it, const double *from, const double *to, double *d)
{
    double *change = it->scratch->assembling.change;
    for (int i = 0; i < it->model->n_x; ++i) change[i] = to[i] - from[i];
    it->model->displacement(from, it->u, change, it->p, d, it->memory);
}

/* Start values of the positions as declared. */
static void declared_start(const Manifold *it, double *x)
{
    const Model *model = it->model;
    double *p = it->scratch->assembling.p;
    copy(model->n_p, it->p, p);
    for (int i = 0; i < model->n_v; ++i)
        for (int k = 0; k < model->start_q[i].count; ++k)
            p[model->start_q[i].parameter + k] = model->p_start[model->start_q[i].parameter + k];
    model->start(p, x, it->memory);
}

/* Where start values differ from the declared ones so much that Newton's method loses its way: go from
   there to here, little by little, and close the loops on the way; not for ever. */
static int lead_there(const Manifold *it, const int *held, int level, const double *given, double *x)
{
    const Model *model = it->model;
    Scratch *s = it->scratch;
    Freedom freedom = coarse(held, level, model->n_holonomic);
    double *lead = s->assembling.lead, *rest = s->assembling.rest, *asked = s->assembling.asked, steps;
    int n_v = model->n_v;
    declared_start(it, x);
    find_equations(it, x);
    displacement(it, x, given, lead);
    steps = ceil(extent(model, lead, held, level) / LITTLE);
    if (!(steps <= MOST_LED)) return 0;
    for (int i = 0; i < n_v; ++i) lead[i] = held[i] < level ? 0.0 : lead[i] / steps;
    for (double n = 0.0;; n += 1.0) {
        if (!come_to_position(it, &freedom, x)) return 0;
        if (!(n < steps)) break;
        find_closure(it, x);
        for (int j = 0; j < model->n_holonomic; ++j) {
            asked[j] = 0.0;
            for (int i = 0; i < n_v; ++i) asked[j] += s->closure.J[j * n_v + i] * lead[i];
        }
        /* the rest moves with it, along the constraints */
        if (!correction(it, &freedom, model->n_holonomic, asked)) return 0;
        for (int i = 0; i < n_v; ++i) s->d[i] += lead[i];
        move_by(it, 1.0, x);
    }
    /* what is held as it was given, to the last digit; the rest where it came to */
    displacement(it, given, x, rest);
    for (int i = 0; i < n_v; ++i)
        if (held[i] >= level) rest[i] = 0.0;
    model->retract(given, it->u, rest, it->p, x, it->memory);
    s->way.n = 0;
    return come_to_position(it, &freedom, x) && !flipped(it, x);
}

static int find_positions(const Manifold *it, const int *held, int level, double *x)
{
    const double *given = it->scratch->assembling.before;
    if (put_together(it, held, level, x)) return 1;
    if (level > 1) return 0;
    return lead_there(it, held, level, given, x);
}

/* ---- Velocities ---- */

/* Coarsely; what that leaves open, beside a singular position, as closely as projection will look at it:
   else the first step would change what was given. */
static int set_going(const Manifold *it, const int *held, int level, double *x)
{
    const Model *model = it->model;
    Scratch *s = it->scratch;
    Freedom freedom = coarse(held, level, model->n_rows);
    double *finer = s->assembling.finer, left;
    copy(model->n_x, x, finer);
    s->way.closely = 0.0;
    find_equations(it, x);
    if (!come_to_velocity(it, &freedom, x)) return 0;
    left = weighted(model, s->closure.sigma, model->n_rows);
    if (left <= SET_GOING * (model->length + largest(model->n_v, x + model->n_q))) return 1;
    freedom.rank_tolerance = rank_tolerance(model, s->closure.rounding);
    freedom.generic_rank = it->generic_rank.all;
    if (come_to_velocity(it, &freedom, finer) && weighted(model, s->closure.sigma, model->n_rows) < left) {
        copy(model->n_x, finer, x);
        s->way.closely = freedom.rank_tolerance;
    }
    return 1;
}

/* ---- Both ---- */

typedef int Solve(const Manifold *, const int *, int, double *);

/* With given values held; if that fails, with fixed ones alone. */
static int fit(const Manifold *it, Solve *solve, const Start *start, int *gave_way, double *x)
{
    Assembling *a = &it->scratch->assembling;
    Way *way = &it->scratch->way;
    int ok = 0, n = it->model->n_x;
    held_by(it->model, start, it->p, a->held);
    copy(n, x, a->before);
    for (int level = 1; level <= 2 && !ok; ++level) {
        copy(n, a->before, x);
        way->is_kept = solve == find_positions;
        if (way->is_kept) way->n = 0;
        way->level[solve != find_positions] = level;
        ok = solve(it, a->held, level, x);
        way->is_kept = 0;
        if (level == 2) *gave_way = 1;
    }
    return ok;
}

/* 1 + the velocity whose position was given and lies far from where it came to; 0: none. */
static int jumped(const Manifold *it, const double *x)
{
    const Model *model = it->model;
    Assembling *a = &it->scratch->assembling;
    held_by(model, model->start_q, it->p, a->held);
    displacement(it, a->given, x, a->rest);
    for (int i = 0; i < model->n_v; ++i)
        if (a->held[i] && fabs(a->rest[i]) > FAR * model->nominal[model->n_q + i]) return i + 1;
    return 0;
}

Assembly assemble(Manifold *it, double *x)
{
    const Model *model = it->model;
    Assembly out = {0, 0, 0, 0, 0};
    copy(model->n_x, x, it->scratch->assembling.given);
    if (!fit(it, find_positions, model->start_q, &out.gave_way, x)) {
        out.flipped = flipped(it, x);
        return out;
    }
    if (out.gave_way) out.jumped = jumped(it, x);
    if (out.jumped) return out;
    out.at_velocity = 1;
    find_generic_rank(it, x);
    if (!fit(it, set_going, model->start_v, &out.gave_way, x)) return out;
    out.ok = 1;
    return out;
}
