/* A mechanism with constraints: what it asks of the manifold, and what it says where that fails. */
#include "inputs.h"
#include "instance.h"
#include "manifold.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>

#define NEARLY_CLOSED 1e-6 /* of the characteristic length: rows that miss no more are not to blame */
#define UNMOVED 1e-9       /* of 1 and the value: what moved no more stayed */

/* ---- Of a step ---- */

static Manifold manifold_at(const Problem *problem, Workspace *work, double t)
{
    Manifold it = {problem->model, work->u, problem->p, problem->generic_rank, work->scratch, work->memory};
    inputs_at(problem, t, work->u);
    return it;
}

static void evaluate_loops(const Problem *problem, Workspace *work, double t, const double *x, double *xd)
{
    Manifold it = manifold_at(problem, work, t);
    if (sparse_derivatives(&it, x, xd)) return;
    if (!work->scratch->few_rows) ++work->n_dense;
    if (!constrained_derivatives(&it, x, xd))
        for (int i = 0; i < problem->model->n_x; ++i) xd[i] = NAN;
}

static int settle_loops(const Problem *problem, Workspace *work, double t, double *x)
{
    const Model *model = problem->model;
    Manifold it = manifold_at(problem, work, t);
    normalize_quaternions(model, x);
    if (model->stabilization == STABILIZATION_PROJECTION) return project(&it, x);
    take_cut_coordinates(&it, x);
    return 1;
}

static void look_ahead(Workspace *work) { forget_tangent_spaces(work->scratch); }

static void look_back(const Problem *problem, Workspace *work, const double *x, Outcome *out)
{
    Manifold it = {problem->model, work->u, problem->p, problem->generic_rank, work->scratch, work->memory};
    if (problem->model->stabilization != STABILIZATION_PROJECTION) {
        out->near_singular |= passes_singular(work->scratch);
        return;
    }
    inputs_at(problem, 0.0, work->u);
    if (error_is_noise(&it, x, problem->tolerance)) leave_tangential(&it, x, work->error);
}

static void tangent(const Problem *problem, Workspace *work, const double *x, const double *du)
{
    Manifold it = {problem->model, work->u, problem->p, problem->generic_rank, work->scratch, work->memory};
    Along along = {work->dx, du, work->no_p};
    if (!constrained_rates_tangent(&it, x, &along, work->dxd)) work->dxd[0] = NAN;
}

static void jacobian(const Problem *problem, Workspace *work, const double *x, Outcome *out)
{
    Manifold it = {problem->model, work->u, problem->p, problem->generic_rank, work->scratch, work->memory};
    ++out->evaluations;
    if (problem->model->residual_jacobian) {
        if (!constrained_jacobian(&it, x, work->du, work->stage[0], work->jacobian)) work->jacobian[0] = NAN;
        return;
    }
    jacobian_by_columns(problem, work, x, tangent);
    problem->model->rates(x, it.u, it.scratch->vd, it.p, work->stage[0], it.memory); /* by the same rows */
}

static void hold_rows(Workspace *work, int is_held) { work->scratch->few_rows = is_held; }

/* ---- Of an instance ---- */

static Manifold manifold_of(Instance *self)
{
    Problem problem = problem_of(self->model, &self->now);
    Manifold it = {self->model, self->now.w, self->now.p, problem.generic_rank, self->work.scratch,
                   self->work.memory};
    return it;
}

static int misfit(Instance *self, const Manifold *it, const char *when, int at_velocity)
{
    double miss;
    const Row *row = &self->model->row[worst_row(it, at_velocity, &miss)];
    int n = self->model->n_holonomic, bad = first_not_finite(n, it->scratch->closure.phi);
    if (bad < n) { /* where lengths are no numbers, nothing misses by so much */
        fail(self, "%s: the rows of %s have no finite value; is every input and parameter of a sane size?", when,
             self->model->row[bad].element);
        return 0;
    }
    fail(self, "%s: the %s cannot be made to fit; %s misses most, by %.3g %s%s", when,
         at_velocity ? "velocities" : "positions", row->element, miss, row->turns ? "rad" : "m",
         at_velocity ? "/s" : "");
    return 0;
}

static int follow(Instance *self)
{
    const Model *model = self->model;
    Problem problem = problem_of(model, &self->now);
    Manifold it = manifold_of(self);
    char when[128];
    double miss;
    for (int n = 0; n < 2; ++n) { /* the second time, velocities follow by the inertia at the new place */
        copy(model->n_v, self->now.x + model->n_q, self->x + model->n_q);
        evaluate(&problem, &self->work, 0.0, self->x, self->xd); /* inertia, for the least motion */
        if (project(&it, self->x)) continue;
        worst_row(&it, 0, &miss);
        snprintf(when, sizeof when, "t = %.17g, with the %s set since then", self->now.time,
                 n_tracks(model) > 0 ? "motions and parameters" : "parameters");
        return misfit(self, &it, when, !(miss > NEARLY_CLOSED * model->length));
    }
    return 1;
}

static int assemble_start(Instance *self)
{
    const Model *model = self->model;
    Manifold it = manifold_of(self);
    const double *given = it.scratch->assembling.given;
    Assembly done = assemble(&it, self->x);
    if (done.flipped) {
        fail(self, "start: %s would close the wrong way round; give positions nearer to where it fits",
             model->branch_joint[done.flipped - 1]);
        return 0;
    }
    if (done.jumped) {
        const Start *start = &model->start_q[done.jumped - 1];
        fail(self, "start: %s cannot be kept, and the loops close only far from it; give start values that fit",
             start->count ? model->name[start->parameter] : model->state_name[model->n_q + done.jumped - 1]);
        return 0;
    }
    if (!done.ok) return misfit(self, &it, "start", done.at_velocity);
    self->now.generic_rank[0] = it.generic_rank.holonomic;
    self->now.generic_rank[1] = self->now.rank = it.generic_rank.all;
    self->now.is_closed = it.generic_rank.is_closed;
    for (int i = 0; i < model->n_q + model->n_v; ++i)
        if (fabs(self->x[i] - given[i]) > UNMOVED * (1.0 + fabs(given[i])))
            report(self, STATUS_OK, done.gave_way ? LOG_WARNING : LOG_START,
                   "start: %s moved from %g to %g to close the loops", model->state_name[i], given[i],
                   self->x[i]);
    return 1;
}

static int solution(Instance *self)
{
    const Model *model = self->model;
    const double *rank = &self->z[model->n_z - 1];
    Manifold it;
    if (!provide_x(self)) return 0;
    if (self->has_z) return 1;
    it = manifold_of(self);
    note(self, "multipliers at t = %.17g", self->now.time);
    if (!constrained_solution(&it, self->x, self->z))
        for (int i = 0; i < model->n_x; ++i) self->z[i] = NAN;
    if (!is_sane(self, self->z)) return 0;
    if (*rank != self->now.rank) {
        report(self, STATUS_OK, LOG_WARNING, "t = %.17g: %g rows of the constraints count, before %g",
               self->now.time, *rank, self->now.rank);
        self->now.rank = *rank;
    }
    return self->has_z = 1;
}

static double astray(Instance *self)
{
    const Model *model = self->model;
    Manifold it = manifold_of(self);
    const Closure *closure = &it.scratch->closure;
    double most = 0.0, pace = model->length;
    if (model->stabilization != STABILIZATION_PROJECTION) return 0.0;
    for (int i = 0; i < model->n_v; ++i) pace = fmax(pace, fabs(self->x[model->n_q + i]) * model->length);
    find_gaps(&it, self->x);
    for (int j = 0; j < model->n_holonomic; ++j)
        most = fmax(most, fabs(model->row_weight[j] * closure->phi[j]) / model->length);
    for (int j = 0; j < model->n_rows; ++j)
        most = fmax(most, fabs(model->row_weight[j] * closure->sigma[j]) / pace);
    return most;
}

/* ---- Along a direction ---- */

static int start_tangent(Instance *self, Direction *along)
{
    Manifold it;
    if (!provide_x(self)) return 0;
    it = manifold_of(self);
    if (assembled_tangent(&it, self->x, along->du, along->dp, along->dx)) return 1;
    fail(self, "start: the mechanism is closed, but it cannot follow a change of these parameters");
    return 0;
}

static int rates_tangent(Instance *self, Direction *along)
{
    Manifold it;
    Along by = {along->dx, along->du, along->dp};
    if (!provide_x(self)) return 0;
    it = manifold_of(self);
    return constrained_rates_tangent(&it, self->x, &by, along->dxd);
}

static int solution_tangent(Instance *self, Direction *along)
{
    Manifold it;
    Along by = {along->dx, along->du, along->dp};
    if (!provide_z(self)) return 0;
    it = manifold_of(self);
    return constrained_tangent(&it, self->x, self->z, &by, along->dz);
}

const Mechanism loop_mechanism = {
    lay_out_manifold, evaluate_loops, settle_loops, look_ahead, look_back,     jacobian,      hold_rows,
    assemble_start,   follow,         solution,     astray,     start_tangent, rates_tangent, solution_tangent,
};
