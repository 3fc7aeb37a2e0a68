/* Values by index into one table of variables: parameters, inputs, outputs, states, derivatives. */
#include "instance.h"

#include "vectors.h"

#include <math.h>

int within_limits(Instance *self, const char *where, unsigned i, double value)
{
    double least = self->model->p_min[i], most = self->model->p_max[i];
    if (value >= least && value <= most) return 1;
    fail(self, "%s: %s = %.17g is outside %g to %g", where, self->model->name[i], value, least, most);
    return 0;
}

int are_known(Instance *self, const char *where, const unsigned index[], size_t n, const void *value)
{
    unsigned end = n_variables(self->model);
    if (n > 0 && (!index || !value)) {
        fail(self, "%s: NULL instead of %lu values", where, (unsigned long)n);
        return 0;
    }
    for (size_t k = 0; k < n; ++k)
        if (index[k] >= end) {
            fail(self, "%s: value reference %u, but the last one is %u", where, index[k], end - 1);
            return 0;
        }
    return 1;
}

int is_finite(Instance *self, const char *where, const char *what, unsigned i, double value)
{
    if (isfinite(value)) return 1;
    if (!orientations_are_told(self)) return 0;
    fail(self, "%s: %s%s is %g at t = %.17g; is every input and parameter of a sane size?", where, what,
         self->model->name[i], value, self->now.time);
    return 0;
}

/* Where the kinds of variables begin: looked up once for many values. */
typedef struct {
    unsigned input, output, state, derivative;
} Bounds;

static Bounds bounds_of(const Model *model)
{
    Bounds found = {first_input(model), first_output(model), first_state(model), first_derivative(model)};
    return found;
}

static const double *place_of(const Instance *self, const Bounds *first, unsigned i)
{
    return i < first->input        ? &self->now.p[i]
           : i < first->output     ? &self->now.u[i - first->input]
           : i < first->state      ? &self->y[i - first->output]
           : i < first->derivative ? &self->x[i - first->state]
                                   : &self->xd[i - first->derivative];
}

const double *place_of_value(const Instance *self, unsigned i)
{
    const Bounds first = bounds_of(self->model);
    return place_of(self, &first, i);
}

/* Parameters that follow from others need nothing but those. */
static int is_derived(const Model *model, unsigned i)
{
    return i >= first_output(model) && i < first_output(model) + (unsigned)model->n_derived;
}

static int provide(Instance *self, const Bounds *first, unsigned i)
{
    int stage;
    if (i >= first->derivative) return provide_xd(self);
    if (i >= first->state) return provide_x(self);
    stage = self->model->stage_of[i - first->output];
    return self->has_stage[stage] || provide_stage(self, stage); /* most often it is there */
}

Status get_values(Instance *self, const char *where, const unsigned index[], size_t n, double value[])
{
    const Bounds first = bounds_of(self->model);
    if (!are_known(self, where, index, n, value)) return STATUS_ERROR;
    for (size_t k = 0; k < n; ++k) {
        if (index[k] < first.output) continue;
        if (self->mode == INSTANTIATED && !is_derived(self->model, index[k]))
            return fail(self, "%s: %s is known from initialization mode on", where,
                        self->model->name[index[k]]);
        if (!provide(self, &first, index[k])) return STATUS_ERROR;
    }
    for (size_t k = 0; k < n; ++k)
        if (!is_finite(self, where, "", index[k], *place_of(self, &first, index[k]))) return STATUS_ERROR;
    for (size_t k = 0; k < n; ++k) value[k] = *place_of(self, &first, index[k]);
    return STATUS_OK;
}

/* Some importers that integrate set states here, one by one: those not named stay as they are. */
static int is_settable_state(const Instance *self, unsigned i)
{
    const Model *model = self->model;
    return i >= first_state(model) && i < first_derivative(model) && self->mode == CONTINUOUS;
}

/* Can variable i have this value now? */
static Status admit_value(Instance *self, const char *where, unsigned i, double value)
{
    const Model *model = self->model;
    const char *name = model->name[i];
    if (is_derived(model, i))
        return fail(self, "%s: parameter %s follows from others; set those", where, name);
    if (i >= first_output(model) && !is_settable_state(self, i))
        return fail(self, "%s: %s is %s", where, name, i < first_state(model) ? "an output" : "calculated");
    if (!isfinite(value)) return fail(self, "%s: %s = %g; a finite value is needed", where, name, value);
    if (i >= first_input(model) || self->mode & (INSTANTIATED | INITIALIZATION)) return STATUS_OK;
    if (!model->p_tunable[i])
        return fail(self, "%s: parameter %s is fixed once initialization is over", where, name);
    if (self->mode == CONTINUOUS)
        return fail(self, "%s: parameter %s changes in event mode only", where, name);
    return within_limits(self, where, i, value) ? STATUS_OK : STATUS_ERROR;
}

Status set_values(Instance *self, const char *where, const unsigned index[], size_t n, const double value[])
{
    const Model *model = self->model;
    unsigned input = first_input(model), state = first_state(model);
    int states = 0;
    if (!are_known(self, where, index, n, value)) return STATUS_ERROR;
    for (size_t k = 0; k < n; ++k) { /* check all before anything is written */
        if (admit_value(self, where, index[k], value[k]) != STATUS_OK) return STATUS_ERROR;
        if (index[k] >= state) ++states;
    }
    if (states > 0 && !provide_x(self)) return STATUS_ERROR;
    for (size_t k = 0; k < n; ++k) {
        int is_input = index[k] >= input;
        double *place;
        if (index[k] >= state) continue;
        place = is_input ? &self->now.u[index[k] - input] : &self->now.p[index[k]];
        if (*place == value[k]) continue;
        *place = value[k];
        value_changed(self, is_input ? OF_INPUT : OF_PARAMETER);
    }
    if (states > 0) {
        for (size_t k = 0; k < n; ++k)
            if (index[k] >= state) self->x[index[k] - state] = value[k];
        take_states(self, self->x);
    }
    return STATUS_OK;
}

Status set_input_rates(Instance *self, const char *where, const unsigned index[], size_t n, const int order[],
                       const double value[])
{
    const Model *model = self->model;
    if (!are_known(self, where, index, n, value)) return STATUS_ERROR;
    if (n > 0 && !order) return fail(self, "%s: order is NULL", where);
    for (size_t k = 0; k < n; ++k) {
        const char *name = model->name[index[k]];
        if (index[k] < first_input(model) || index[k] >= first_output(model))
            return fail(self, "%s: %s is no input", where, name);
        if (order[k] != 1) return fail(self, "%s: order %d of %s; only 1 is used", where, order[k], name);
        if (!isfinite(value[k])) return fail(self, "%s: derivative %g of %s", where, value[k], name);
    }
    for (size_t k = 0; k < n; ++k) self->now.du[index[k] - first_input(model)] = value[k];
    return STATUS_OK;
}
