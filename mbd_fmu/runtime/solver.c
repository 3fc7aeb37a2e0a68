#include "motions.h"

#include "vectors.h"

void lay_out_workspace(Block *block, const Model *model, Workspace *work)
{
    double *stages = take_doubles(block, STAGES_KEPT * model->n_x);
    for (int s = 0; stages && s < STAGES_KEPT; ++s) work->stage[s] = stages + s * model->n_x;
    work->x_trial = take_doubles(block, model->n_x);
    work->error = take_doubles(block, model->n_x);
    work->x_before = take_doubles(block, model->n_x);
    work->u = take_doubles(block, model->n_w);
    work->memory = take_doubles(block, model->n_memory);
    if (model->motions) model->motions->lay_out(block, model, work);
    model->mechanism->lay_out(block, model, work);
    if (model->method->lay_out) model->method->lay_out(block, model, work);
}

void jacobian_by_columns(const Problem *problem, Workspace *work, const double *x, Tangent *tangent)
{
    int n = problem->model->n_x;
    clear(n, work->dx);
    for (int c = 0; c <= n; ++c) {
        if (c < n) work->dx[c] = 1.0;
        tangent(problem, work, x, c < n ? work->no_u : work->du);
        if (c < n) work->dx[c] = 0.0;
        for (int i = 0; i < n; ++i) work->jacobian[i * (n + 1) + c] = work->dxd[i];
    }
}

Outcome given_up(Outcome out, Ending why, int state, double time)
{
    out.ending = why;
    out.state = state;
    out.time = time;
    return out;
}

void normalize_quaternions(const Model *model, double *x)
{
    for (int k = 0; k < model->n_quaternions; ++k) to_unit(x + model->quaternion[k]);
}
