/* Derivatives that importers ask for: of outputs and of the motion along a direction, and of outputs in
   time. All are exact: tangents of the equations, generated. */
#include "motions.h"

#include <math.h>
#include <string.h>

/* Change of the solution z when x and u change by dx and du. */
static int tangent_of_solution(Instance *self, const double *dx, const double *du, double *dz)
{
#if N_ROWS
    Manifold it = {self->now.w, self->now.p, problem_of(&self->now).ceiling, &self->work.scratch};
    return constrained_tangent(&it, self->x, self->z, dx, du, dz);
#else
    model_derivatives_tangent(self->x, self->now.w, self->now.p, dx, du, dz);
    return 1;
#endif
}

typedef struct {
    double dx[N_X], du[N_W + 1], dz[N_Z];
    int has_dz;
} Direction;

/* Change of output or derivative i, as value references count them, along a direction. */
static int change_of(Instance *self, Direction *along, unsigned i, double *value)
{
    int is_rate = i >= FIRST_DERIVATIVE;
    const Stage *stage = is_rate ? NULL : &model_stage[model_stage_of[i - FIRST_OUTPUT]];
    if ((is_rate || stage->needs_z) && !along->has_dz) {
        if (!provide_z(self)) return 0;
        if (!tangent_of_solution(self, along->dx, along->du, along->dz)) return 0;
        along->has_dz = 1;
    }
    if (is_rate) {
        *value = along->dz[i - FIRST_DERIVATIVE];
    } else {
        if (!(stage->needs_z ? provide_z(self) : provide_x(self))) return 0;
        stage->tangent(self->x, self->now.w, self->z, self->now.p, along->dx, along->du, along->dz,
                       self->work.dy);
        *value = self->work.dy[i - FIRST_OUTPUT - stage->first];
    }
    return 1;
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknown[], size_t n,
                                        const fmi2ValueReference given[], size_t m, const fmi2Real seed[],
                                        fmi2Real value[])
{
    static const char function[] = "fmi2GetDirectionalDerivative";
    Instance *self = enter(c, function, INITIALIZATION | STEPPING | EVENT | CONTINUOUS | TERMINATED);
    Direction along = {{0}, {0}, {0}, 0};
    if (!self || !known(self, function, unknown, n, value)) return fmi2Error;
    if (!known(self, function, given, m, seed)) return fmi2Error;
    for (size_t k = 0; k < m; ++k) {
        unsigned i = given[k];
        if (!isfinite(seed[k])) return fail(self, "%s: seed %g of %s", function, seed[k], model_name[i]);
        if (i >= FIRST_INPUT && i < FIRST_OUTPUT) {
            if (acts_at_once(self, (int)(i - FIRST_INPUT)))
                along.du[model_acting[i - FIRST_INPUT]] += seed[k];
        } else if (i >= FIRST_STATE && i < FIRST_DERIVATIVE) {
            along.dx[i - FIRST_STATE] += seed[k];
        } else {
            return fail(self, "%s: %s is neither input nor state", function, model_name[i]);
        }
    }
    for (size_t k = 0; k < n; ++k)
        if (unknown[k] < FIRST_OUTPUT || (unknown[k] >= FIRST_STATE && unknown[k] < FIRST_DERIVATIVE))
            return fail(self, "%s: %s is neither output nor derivative", function,
                        model_name[unknown[k]]);
    for (size_t k = 0; k < n; ++k)
        if (!change_of(self, &along, unknown[k], &value[k])) return fmi2Error;
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
    Direction along = {{0}, {0}, {0}, 0};
    double ddu[N_W + 1];
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
    for (size_t k = 0; k < n; ++k) {
        if (order[k] == 1) {
            if (!change_of(self, &along, vr[k], &value[k])) return fmi2Error;
        } else {
#if POSITIONS >= 0
            model_positions_second(self->x, self->now.w, self->z, self->now.p, along.du, ddu, self->work.dy);
            value[k] = self->work.dy[vr[k] - FIRST_OUTPUT - model_stage[POSITIONS].first];
#endif
        }
    }
    return fmi2OK;
}
