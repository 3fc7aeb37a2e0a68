/* A mechanism without constraints: its derivatives are given by one routine. */
#include "inputs.h"
#include "instance.h"
#include "vectors.h"

static void lay_out(Block *block, const Model *model, Workspace *work) { (void)block, (void)model, (void)work; }

static void evaluate_tree(const Problem *problem, Workspace *work, double t, const double *x, double *xd)
{
    inputs_at(problem, t, work->u);
    problem->model->derivatives(x, work->u, problem->p, xd, work->memory);
}

static int settle_tree(const Problem *problem, Workspace *work, double t, double *x)
{
    (void)work, (void)t;
    normalize_quaternions(problem->model, x);
    return 1;
}

static void look_ahead(Workspace *work) { (void)work; }

static void look_back(const Problem *problem, Workspace *work, const double *x, Outcome *out)
{
    (void)problem, (void)work, (void)x, (void)out;
}

static void tangent(const Problem *problem, Workspace *work, const double *x, const double *du)
{
    problem->model->derivatives_tangent(x, work->u, problem->p, work->dx, du, work->no_p, work->dxd, work->memory);
}

static void jacobian(const Problem *problem, Workspace *work, const double *x, Outcome *out)
{
    (void)out;
    if (problem->model->jacobian)
        problem->model->jacobian(x, work->u, work->du, problem->p, work->jacobian, work->memory);
    else
        jacobian_by_columns(problem, work, x, tangent);
}

static void hold_rows(Workspace *work, int is_held) { (void)work, (void)is_held; }

static int nothing_to_fit(Instance *self)
{
    (void)self;
    return 1;
}

static double never_astray(Instance *self)
{
    (void)self;
    return 0.0;
}

static int solution(Instance *self)
{
    if (!provide_xd(self)) return 0;
    copy(self->model->n_z, self->xd, self->z);
    return 1;
}

static int start_tangent(Instance *self, Direction *along)
{
    if (!provide_x(self)) return 0;
    self->model->start_tangent(self->now.p, along->dp, along->dx, self->work.memory);
    return 1;
}

static int solution_tangent(Instance *self, Direction *along)
{
    if (!provide_z(self)) return 0;
    self->model->derivatives_tangent(self->x, self->now.w, self->now.p, along->dx, along->du, along->dp,
                                     along->dz, self->work.memory);
    return 1;
}

static int rates_tangent(Instance *self, Direction *along)
{
    if (!along->has_dz) along->has_dz = solution_tangent(self, along);
    copy(self->model->n_x, along->dz, along->dxd);
    return along->has_dz;
}

const Mechanism tree_mechanism = {
    lay_out,        evaluate_tree,  settle_tree, look_ahead,   look_back,     jacobian,      hold_rows,
    nothing_to_fit, nothing_to_fit, solution,    never_astray, start_tangent, rates_tangent, solution_tangent,
};
