/* Derivatives that importers ask for: of outputs and of the motion along a direction, and of outputs in
   time. All are exact: tangents of the equations, generated. */
#include "motions.h"

#include <math.h>
#include <string.h>

/* A direction, and the changes along it that were asked for. */
typedef struct {
    double dx[N_X], du[N_W + 1], dp[N_P];
    double dxd[N_X]; /* of the derivatives that an integrator sees */
    double dz[N_Z];  /* of the solution that outputs are made of */
    double dy[N_Y + 1];
    int has_dxd, has_dz, has_dy[N_STAGES + 1];
} Direction;

#if N_ROWS
static int find_dxd(Instance *self, Direction *it)
{
    Manifold on = {self->now.w, self->now.p, problem_of(&self->now).ceiling, &self->work.scratch};
    Along along = {it->dx, it->du, it->dp};
    return provide_x(self) && constrained_rates_tangent(&on, self->x, &along, it->dxd);
}

static int find_dz(Instance *self, Direction *it)
{
    Manifold on = {self->now.w, self->now.p, problem_of(&self->now).ceiling, &self->work.scratch};
    Along along = {it->dx, it->du, it->dp};
    return provide_z(self) && constrained_tangent(&on, self->x, self->z, &along, it->dz);
}

static int find_dx(Instance *self, Direction *it)
{
    Manifold on = {self->now.w, self->now.p, {0, 0}, &self->work.scratch};
    if (!provide_x(self)) return 0;
    if (assembled_tangent(&on, self->x, it->du, it->dp, it->dx)) return 1;
    fail(self, "start: the mechanism is closed, but it cannot follow a change of these parameters");
    return 0;
}
#else
static int find_dz(Instance *self, Direction *it)
{
    if (!provide_z(self)) return 0;
    model_derivatives_tangent(self->x, self->now.w, self->now.p, it->dx, it->du, it->dp, it->dz);
    return 1;
}

static int find_dxd(Instance *self, Direction *it)
{
    if (!it->has_dz) it->has_dz = find_dz(self, it);
    memcpy(it->dxd, it->dz, sizeof it->dxd);
    return it->has_dz;
}

static int find_dx(Instance *self, Direction *it)
{
    if (!provide_x(self)) return 0;
    model_start_tangent(self->now.p, it->dp, it->dx);
    return 1;
}
#endif

/* Find the change of variable i, as value references count them. */
static int find_change(Instance *self, Direction *it, unsigned i)
{
    int k;
    const Stage *stage;
    if (i >= FIRST_DERIVATIVE) return it->has_dxd || (it->has_dxd = find_dxd(self, it));
    if (i >= FIRST_STATE) return 1;
    k = model_stage_of[i - FIRST_OUTPUT];
    stage = &model_stage[k];
    if (it->has_dy[k]) return 1;
    if (!provide_x(self)) return 0;
    if (stage->needs_z && !it->has_dz && !(it->has_dz = find_dz(self, it))) return 0;
    stage->tangent(self->x, self->now.w, self->z, self->now.p, it->dx, it->du, it->dp, it->dz,
                   it->dy + stage->first);
    return it->has_dy[k] = 1;
}

static double change_of(const Direction *it, unsigned i)
{
    return i >= FIRST_DERIVATIVE ? it->dxd[i - FIRST_DERIVATIVE]
           : i >= FIRST_STATE    ? it->dx[i - FIRST_STATE]
                                 : it->dy[i - FIRST_OUTPUT];
}

/* Of a motion that waits for the next step nothing is felt yet. */
static int take_seed_of_input(const Instance *self, Direction *it, int i, double seed)
{
    if (acts_at_once(self, i)) it->du[model_acting[i]] += seed;
    return 1;
}

/* A parameter may be the start value of what a motion is made of. */
static int take_seed_of_parameter(Direction *it, int i, double seed)
{
    it->dp[i] += seed;
    for (int k = 0; k < N_MADE; ++k)
        if (model_made[k].parameter == i) it->du[model_made[k].w] += seed;
    return 1;
}

/* Knowns are inputs; while initializing parameters, too, and states are unknown; later states are known.
   FMI 2.0 sec. 2.2.8. */
static int take_seed(Instance *self, const char *function, Direction *it, unsigned i, double seed)
{
    int is_starting = self->mode == INITIALIZATION;
    if (!isfinite(seed))
        fail(self, "%s: seed %g of %s", function, seed, model_name[i]);
    else if (i >= FIRST_INPUT && i < FIRST_OUTPUT)
        return take_seed_of_input(self, it, (int)(i - FIRST_INPUT), seed);
    else if (is_starting && i < FIRST_INPUT)
        return take_seed_of_parameter(it, (int)i, seed);
    else if (!is_starting && i >= FIRST_STATE && i < FIRST_DERIVATIVE)
        return it->dx[i - FIRST_STATE] += seed, 1;
    else
        fail(self, "%s: %s is neither input nor %s", function, model_name[i],
             is_starting ? "parameter" : "state");
    return 0;
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknown[], size_t n,
                                        const fmi2ValueReference given[], size_t m, const fmi2Real seed[],
                                        fmi2Real value[])
{
    static const char function[] = "fmi2GetDirectionalDerivative";
    Instance *self = enter(c, function, INITIALIZATION | STEPPING | EVENT | CONTINUOUS | TERMINATED);
    Direction along = {{0}, {0}, {0}, {0}, {0}, {0}, 0, 0, {0}};
    int is_starting = self && self->mode == INITIALIZATION;
    if (!self || !known(self, function, unknown, n, value)) return fmi2Error;
    if (!known(self, function, given, m, seed)) return fmi2Error;
    for (size_t k = 0; k < m; ++k)
        if (!take_seed(self, function, &along, given[k], seed[k])) return fmi2Error;
    for (size_t k = 0; k < n; ++k) {
        unsigned i = unknown[k];
        if (i < FIRST_OUTPUT || (i >= FIRST_STATE && i < FIRST_DERIVATIVE && !is_starting))
            return fail(self, "%s: %s is neither output nor %sderivative", function, model_name[i],
                        is_starting ? "state nor " : "");
    }
    if (is_starting && n > 0 && !find_dx(self, &along)) return fmi2Error;
    for (size_t k = 0; k < n; ++k) {
        if (!find_change(self, &along, unknown[k])) return fmi2Error;
        if (!is_finite(self, function, "the change of ", unknown[k], change_of(&along, unknown[k])))
            return fmi2Error;
    }
    for (size_t k = 0; k < n; ++k) value[k] = change_of(&along, unknown[k]);
    return fmi2OK;
}

/* Rates of the inputs now, and rates of those: prescribed motions move on by themselves. */
static void input_rates(Instance *self, double *du, double *ddu)
{
    Problem problem = problem_of(&self->now);
    input_rates_at(&problem, 0.0, du);
    second_rates(self, du, ddu);
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                                        const fmi2Integer order[], fmi2Real value[])
{
    static const char function[] = "fmi2GetRealOutputDerivatives";
    Instance *self = enter(c, function, STEPPING | TERMINATED);
    Direction along = {{0}, {0}, {0}, {0}, {0}, {0}, 0, 0, {0}};
    double ddu[N_W + 1], second[N_Y + 1] = {0};
    if (!self || !known(self, function, vr, n, value)) return fmi2Error;
    if (n > 0 && !order) return fail(self, "%s: order is NULL", function);
    for (size_t k = 0; k < n; ++k) {
        const char *name = model_name[vr[k]];
        if (vr[k] < FIRST_OUTPUT || vr[k] >= FIRST_STATE) return fail(self, "%s: %s is no output", function, name);
        if (order[k] != 1 && !(order[k] == 2 && model_stage_of[vr[k] - FIRST_OUTPUT] == POSITIONS))
            return fail(self, "%s: order %d of %s; there are 1 for all outputs and 2 for positions", function,
                        order[k], name);
    }
    if (n == 0) return fmi2OK;
    if (!provide_z(self)) return fmi2Error;
    memcpy(along.dx, self->z, sizeof along.dx);
    input_rates(self, along.du, ddu);
#if POSITIONS >= 0
    model_positions_second(self->x, self->now.w, self->z, self->now.p, along.du, ddu,
                           second + model_stage[POSITIONS].first);
#endif
    for (size_t k = 0; k < n; ++k) {
        unsigned i = vr[k];
        if (order[k] == 1 && !find_change(self, &along, i)) return fmi2Error;
        if (!is_finite(self, function, "the derivative of ", i,
                       order[k] == 1 ? change_of(&along, i) : second[i - FIRST_OUTPUT]))
            return fmi2Error;
    }
    for (size_t k = 0; k < n; ++k)
        value[k] = order[k] == 1 ? change_of(&along, vr[k]) : second[vr[k] - FIRST_OUTPUT];
    return fmi2OK;
}
