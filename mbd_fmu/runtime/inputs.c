#include "inputs.h"

#include "motions.h"
#include "vectors.h"

void inputs_at(const Problem *problem, double t, double *w)
{
    const Model *model = problem->model;
    copy(model->n_w, problem->w, w);
    if (!problem->is_inside) return;
    for (int i = 0; i < model->n_u; ++i) w[model->acting[i]] += problem->du[i] * t;
    if (model->motions) model->motions->act(problem, t, w);
    if (model->has_time) w[model->n_w - 1] += t;
}

void input_rates_at(const Problem *problem, double t, double *rate)
{
    const Model *model = problem->model;
    clear(model->n_w, rate);
    for (int i = 0; i < model->n_u; ++i) rate[model->acting[i]] = problem->du[i];
    if (model->motions) model->motions->rates(problem, t, rate);
    if (model->has_time) rate[model->n_w - 1] = 1.0;
}

int acts_at_once(const Instance *self, int input)
{
    return !self->model->waits[input] || self->exchanges || self->now.step == 0.0;
}

void let_act(Instance *self)
{
    const Model *model = self->model;
    for (int i = 0; i < model->n_u; ++i)
        if (acts_at_once(self, i)) self->now.w[model->acting[i]] = self->now.u[i];
    if (model->has_time) self->now.w[model->n_w - 1] = self->now.time;
    if (self->now.step != 0.0) return;
    for (int k = 0; k < model->n_made; ++k) {
        int p = model->made[k].parameter;
        self->now.w[model->made[k].w] = p < 0 ? 0.0 : self->now.p[p];
    }
}

int orientations_are_told(Instance *self)
{
    const Model *model = self->model;
    for (int k = 0; k < n_tracks(model); ++k) {
        int at = model->track[k].u[0];
        const char *const *name;
        if (!turns(model, k) || at < 0 || quaternion_length(self->now.u + at) > 0.0) continue;
        name = model->name + first_input(model) + at;
        fail(self,
             "t = %.17g: the quaternion %s to %s has length 0, which is no orientation; give one of "
             "length 1",
             self->now.time, name[0], name[3]);
        return 0;
    }
    return 1;
}

void set_clock(Instance *self, double time)
{
    if (self->now.time == time) return;
    self->now.time = time;
    if (!self->model->has_time) return;
    self->now.w[self->model->n_w - 1] = time;
    if (self->mode & (INSTANTIATED | INITIALIZATION)) self->has_x = 0; /* motions begin elsewhere */
    forget(self);
}
