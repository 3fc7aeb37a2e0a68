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
}

void input_rates_at(const Problem *problem, double t, double *rate)
{
    const Model *model = problem->model;
    clear(model->n_w, rate);
    for (int i = 0; i < model->n_u; ++i) rate[model->acting[i]] = problem->du[i];
    if (model->motions) model->motions->rates(problem, t, rate);
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
    if (self->now.step != 0.0) return;
    for (int k = 0; k < model->n_made; ++k) {
        int p = model->made[k].parameter;
        self->now.w[model->made[k].w] = p < 0 ? 0.0 : self->now.p[p];
    }
}
