#define IN_LANES
#include "lanes.h"

#include "rows.h"
#include "vectors.h"

#include <stdlib.h>

/* ---- Memory ---- */

static Real *take_reals(Block *block, int n) { return take(block, sizeof(Real) * (size_t)n); }

static void lay_out(Block *block, const Model *model, Lanes *self)
{
    Real *stages;
    self->w = take_reals(block, model->n_w);
    self->du = take_reals(block, model->n_u);
    self->p = take_reals(block, model->n_p);
    stages = take_reals(block, STAGES_KEPT * model->n_x);
    for (int s = 0; stages && s < STAGES_KEPT; ++s) self->stage[s] = stages + s * model->n_x;
    self->x_trial = take_reals(block, model->n_x);
    self->error = take_reals(block, model->n_x);
    self->x_before = take_reals(block, model->n_x);
    self->u = take_reals(block, model->n_w);
    self->x = take_reals(block, model->n_x);
    self->xd = take_reals(block, model->n_x);
    self->z = take_reals(block, model->n_z);
    self->y = take_reals(block, model->n_y);
    self->memory = take_reals(block, model->n_memory);
}

/* Vectors stand at multiples of their size. */
static char *aligned(char *place)
{
    uintptr_t over = (uintptr_t)place % sizeof(Real);
    return over ? place + (sizeof(Real) - over) : place;
}

static Lanes *make(const Model *model)
{
    Block block = {NULL, 0};
    Lanes measured, *self;
    char *memory;
    size_t head = sizeof(Lanes) + sizeof(Real);
    lay_out(&block, model, &measured);
    memory = calloc(1, head + block.used + sizeof(Real));
    if (!memory) return NULL;
    self = (Lanes *)aligned(memory);
    self->block = memory;
    self->model = model;
    block.base = aligned((char *)(self + 1));
    block.used = 0;
    lay_out(&block, model, self);
    return self;
}

static void drop(Lanes *self) { free(self->block); }

/* ---- Evaluation ---- */

void evaluate_lanes(const Lanes *problem, Lanes *work, Real t, const Real *x, Real *xd)
{
    const Model *model = problem->model;
    copy_row(model->n_w, problem->w, work->u);
    if (problem->is_inside)
        for (int i = 0; i < model->n_u; ++i) work->u[model->acting[i]] += problem->du[i] * t;
    if (problem->is_inside && model->has_time) work->u[model->n_w - 1] += t;
    lane_equations.derivatives(x, work->u, problem->p, xd, work->memory);
}

void settle_lanes(const Lanes *self, Truth is_so, Real *x)
{
    for (int k = 0; k < self->model->n_quaternions; ++k) {
        Real *quat = x + self->model->quaternion[k], unit[4];
        copy_row(4, quat, unit);
        make_unit(unit);
        for (int i = 0; i < 4; ++i) quat[i] = pick(is_so, unit[i], quat[i]);
    }
}

/* ---- Instances ---- */

/* Who is in each lane: an instance that takes part, or one that it repeats. Are there enough to pay? */
static int seated(Instance *const *instance, Instance **in)
{
    Instance *any = NULL;
    int n = 0;
    for (int l = 0; l < LANES; ++l)
        if (instance[l]) any = instance[l], ++n;
    for (int l = 0; l < LANES; ++l) in[l] = instance[l] ? instance[l] : any;
    return n > 1;
}

static void seat(Lanes *self, Instance *const *instance)
{
    Instance *in[LANES];
    if (!seated(instance, in)) return;
    for (int l = 0; l < LANES; ++l) {
        put_lane(self->model->n_p, in[l]->now.p, l, self->p);
        self->tolerance[l] = in[l]->now.p[self->model->p_tolerance];
    }
}

static void gather(Lanes *self, Instance *const *in)
{
    for (int l = 0; l < LANES; ++l) {
        put_lane(self->model->n_x, in[l]->x, l, self->x);
        put_lane(self->model->n_w, in[l]->now.w, l, self->w);
    }
}

static void provide_rates(Lanes *self, Instance *const *instance)
{
    int n = self->model->n_x;
    Instance *asks[LANES], *in[LANES];
    for (int l = 0; l < LANES; ++l)
        asks[l] = instance[l] && instance[l]->has_x && !instance[l]->has_xd ? instance[l] : NULL;
    if (!seated(asks, in)) return;
    gather(self, in);
    self->is_inside = 0;
    evaluate_lanes(self, self, EVERY(0.0), self->x, self->xd);
    for (int l = 0; l < LANES; ++l) {
        if (!asks[l]) continue;
        take_lane(n, self->xd, l, asks[l]->xd);
        asks[l]->has_xd = first_not_finite(n, asks[l]->xd) == n;
    }
}

static void provide_stages(Lanes *self, Instance *const *instance, const int *asks)
{
    const Model *model = self->model;
    Instance *can[LANES], *in[LANES];
    int needs_z = 0;
    for (int k = 0; k < model->n_stages; ++k) needs_z |= asks[k] && model->stage[k].needs == NEEDS_Z;
    for (int l = 0; l < LANES; ++l)
        can[l] = instance[l] && instance[l]->has_x && instance[l]->has_xd ? instance[l] : NULL;
    if (!seated(can, in)) return;
    gather(self, in);
    for (int l = 0; needs_z && l < LANES; ++l) put_lane(model->n_z, in[l]->xd, l, self->z); /* of a tree: xd */
    for (int k = 0; k < model->n_stages; ++k) {
        const Stage *stage = &model->stage[k];
        if (!asks[k]) continue;
        lane_equations.stage[k](self->x, self->w, self->z, self->p, self->y, self->memory);
        for (int l = 0; l < LANES; ++l) {
            if (!can[l]) continue;
            take_lane(stage->count, self->y, l, can[l]->y + stage->first);
            can[l]->has_stage[k] = 1;
        }
    }
}

static void provide(Lanes *self, Instance *const *instance, const int *asks)
{
    provide_rates(self, instance);
    if (asks) provide_stages(self, instance, asks);
}

static void step(Lanes *self, Instance *const *instance, const char *where, double time, double length,
                 Status *status)
{
    const Model *model = self->model;
    Instance *goes[LANES], *in[LANES];
    Problem problem[LANES];
    Outcome out[LANES];
    for (int l = 0; l < LANES; ++l) {
        goes[l] = instance[l];
        status[l] = goes[l] ? begin_step(goes[l], where, time, length, &problem[l]) : STATUS_OK;
        if (status[l] != STATUS_OK) goes[l] = NULL;
    }
    if (seated(goes, in)) {
        for (int l = 0; l < LANES; ++l) {
            put_lane(model->n_x, in[l]->trial.x, l, self->x);
            put_lane(model->n_x, in[l]->xd, l, self->stage[0]);
            put_lane(model->n_w, in[l]->trial.w, l, self->w);
            put_lane(model->n_u, in[l]->trial.du, l, self->du);
        }
        self->is_inside = 1;
        lane_equations.advance(self, goes, problem, length, out);
    } else
        for (int l = 0; l < LANES; ++l)
            if (goes[l])
                out[l] = model->method->advance(&problem[l], &goes[l]->work, length, goes[l]->trial.x,
                                                goes[l]->xd);
    for (int l = 0; l < LANES; ++l)
        if (goes[l]) status[l] = end_step(goes[l], where, time, length, &problem[l], &out[l]);
}

const Together lanes_together = {LANES, make, drop, seat, provide, step};
