/* Derivatives that importers ask for: of outputs and of the motion along a direction, and of outputs in
   time. All are exact: tangents of the equations, generated. */
#include "inputs.h"
#include "motions.h"
#include "vectors.h"

#include <math.h>
#include <string.h>

static Direction *new_direction(Instance *self)
{
    const Model *model = self->model;
    Direction *it = &self->along;
    clear(model->n_x, it->dx);
    clear(model->n_w, it->du);
    clear(model->n_p, it->dp);
    clear(model->n_z, it->dz); /* stages that need none are handed it, too */
    it->has_dxd = it->has_dz = 0;
    memset(it->has_dy, 0, sizeof(int) * (size_t)model->n_stages);
    return it;
}

/* Find the change of variable i. */
static int find_change(Instance *self, Direction *it, unsigned i)
{
    const Model *model = self->model;
    const Stage *stage;
    int k;
    if (i >= first_derivative(model))
        return it->has_dxd || (it->has_dxd = model->mechanism->rates_tangent(self, it));
    if (i >= first_state(model)) return 1;
    k = model->stage_of[i - first_output(model)];
    stage = &model->stage[k];
    if (it->has_dy[k]) return 1;
    if (!provide_x(self)) return 0;
    if (stage->needs == NEEDS_Z && !it->has_dz &&
        !(it->has_dz = model->mechanism->solution_tangent(self, it)))
        return 0;
    stage->tangent(self->x, self->now.w, self->z, self->now.p, it->dx, it->du, it->dp, it->dz,
                   it->dy + stage->first, self->work.memory);
    return it->has_dy[k] = 1;
}

static double change_of(const Model *model, const Direction *it, unsigned i)
{
    return i >= first_derivative(model) ? it->dxd[i - first_derivative(model)]
           : i >= first_state(model)    ? it->dx[i - first_state(model)]
                                        : it->dy[i - first_output(model)];
}

/* Of a motion that waits for the next step nothing is felt yet. */
static void take_seed_of_input(const Instance *self, Direction *it, int i, double seed)
{
    if (acts_at_once(self, i)) it->du[self->model->acting[i]] += seed;
}

/* A parameter may be the start value of what a motion is made of. */
static void take_seed_of_parameter(const Model *model, Direction *it, int i, double seed)
{
    it->dp[i] += seed;
    for (int k = 0; k < model->n_made; ++k)
        if (model->made[k].parameter == i) it->du[model->made[k].w] += seed;
}

/* Knowns are inputs; while initializing parameters, too, and states are unknown; later states are known.
   FMI 2.0 sec. 2.2.8. */
static Status take_seed(Instance *self, const char *where, Direction *it, unsigned i, double seed)
{
    const Model *model = self->model;
    int is_starting = self->mode == INITIALIZATION;
    if (!isfinite(seed)) return fail(self, "%s: seed %g of %s", where, seed, model->name[i]);
    if (i >= first_input(model) && i < first_output(model))
        take_seed_of_input(self, it, (int)(i - first_input(model)), seed);
    else if (is_starting && i < first_input(model))
        take_seed_of_parameter(model, it, (int)i, seed);
    else if (!is_starting && i >= first_state(model) && i < first_derivative(model))
        it->dx[i - first_state(model)] += seed;
    else
        return fail(self, "%s: %s is neither input nor %s", where, model->name[i],
                    is_starting ? "parameter" : "state");
    return STATUS_OK;
}

Status get_directional_derivative(Instance *self, const char *where, const unsigned unknown[], size_t n,
                                  const unsigned known[], size_t m, const double seed[], double value[])
{
    const Model *model = self->model;
    int is_starting = self->mode == INITIALIZATION;
    Direction *it = new_direction(self);
    if (!are_known(self, where, unknown, n, value)) return STATUS_ERROR;
    if (!are_known(self, where, known, m, seed)) return STATUS_ERROR;
    for (size_t k = 0; k < m; ++k)
        if (take_seed(self, where, it, known[k], seed[k]) != STATUS_OK) return STATUS_ERROR;
    for (size_t k = 0; k < n; ++k) {
        unsigned i = unknown[k];
        int is_state = i >= first_state(model) && i < first_derivative(model);
        if (i < first_output(model) || (is_state && !is_starting))
            return fail(self, "%s: %s is neither output nor %sderivative", where, model->name[i],
                        is_starting ? "state nor " : "");
    }
    if (is_starting && n > 0 && !model->mechanism->start_tangent(self, it)) return STATUS_ERROR;
    for (size_t k = 0; k < n; ++k) {
        if (!find_change(self, it, unknown[k])) return STATUS_ERROR;
        if (!is_finite(self, where, "the change of ", unknown[k], change_of(model, it, unknown[k])))
            return STATUS_ERROR;
    }
    for (size_t k = 0; k < n; ++k) value[k] = change_of(model, it, unknown[k]);
    return STATUS_OK;
}

/* Rates of the inputs now, and rates of those: prescribed motions move on by themselves. */
static void input_rates(Instance *self, double *du, double *ddu)
{
    Problem problem = problem_of(self->model, &self->now);
    input_rates_at(&problem, 0.0, du);
    clear(self->model->n_w, ddu);
    if (self->model->motions) self->model->motions->second_rates(self, du, ddu);
}

Status get_output_rates(Instance *self, const char *where, const unsigned index[], size_t n,
                        const int order[], double value[])
{
    const Model *model = self->model;
    Direction *it = new_direction(self);
    unsigned first = first_output(model);
    if (!are_known(self, where, index, n, value)) return STATUS_ERROR;
    if (n > 0 && !order) return fail(self, "%s: order is NULL", where);
    for (size_t k = 0; k < n; ++k) {
        unsigned i = index[k];
        if (i < first + (unsigned)model->n_derived || i >= first_state(model))
            return fail(self, "%s: %s is no output", where, model->name[i]);
        if (order[k] != 1 && !(order[k] == 2 && model->stage_of[i - first] == model->positions))
            return fail(self, "%s: order %d of %s; there are 1 for all outputs and 2 for positions", where,
                        order[k], model->name[i]);
    }
    if (n == 0) return STATUS_OK;
    if (!provide_z(self)) return STATUS_ERROR;
    copy(model->n_x, self->z, it->dx);
    input_rates(self, it->du, self->ddu);
    if (model->positions >= 0) {
        model->coordinates_second(self->x, self->now.w, self->z, self->now.p, it->du, self->ddq,
                                  self->work.memory);
        model->positions_second(self->x, self->now.w, self->z, self->now.p, it->du, self->ddq, self->ddu,
                                self->second + model->stage[model->positions].first, self->work.memory);
    }
    for (size_t k = 0; k < n; ++k) {
        unsigned i = index[k];
        if (order[k] == 1 && !find_change(self, it, i)) return STATUS_ERROR;
        if (!is_finite(self, where, "the derivative of ", i,
                       order[k] == 1 ? change_of(model, it, i) : self->second[i - first]))
            return STATUS_ERROR;
    }
    for (size_t k = 0; k < n; ++k)
        value[k] = order[k] == 1 ? change_of(model, it, index[k]) : self->second[index[k] - first];
    return STATUS_OK;
}
