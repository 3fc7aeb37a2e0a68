/* rk4 in lanes: the number of its steps is a matter of each. */
#define IN_LANES
#include "lanes.h"

#include "rows.h"
#include "vectors.h"

typedef Lanes StepProblem;
typedef Lanes StepWork;
#define evaluate_step evaluate_lanes

static int settle_step(const Lanes *problem, Lanes *work, Real t, Real *x)
{
    (void)work, (void)t;
    settle_lanes(problem, EVERY(0.0) == 0.0, x);
    return 1;
}
#include "rk4_step.h"

/* On the way through a communication step. */
typedef struct {
    double parts, h, step;
} March;

static Truth are_finite(int n, const Real *x)
{
    Truth found = EVERY(0.0) == 0.0;
    for (int i = 0; i < n; ++i) found = both(found, is_finite_real(x[i]));
    return found;
}

/* What lane l ends with, in the hands of its instance; and whom to blame if it got nowhere. */
static void leave(const Lanes *self, int l, Instance *instance, double t, Outcome *out)
{
    int n = self->model->n_x, blame;
    take_lane(n, self->x, l, instance->trial.x);
    take_lane(n, self->stage[0], l, instance->xd);
    take_lane(self->model->n_w, self->u, l, instance->work.u);
    blame = first_not_finite(n, instance->trial.x);
    if (blame == n) blame = first_not_finite(n, instance->xd);
    if (blame < n) *out = given_up(*out, NO_STEP_IS_SHORT_ENOUGH, blame, t);
}

void advance_rk4_in_lanes(Lanes *self, Instance *const *instance, const Problem *problem, double length,
                          Outcome *out)
{
    int n = self->model->n_x, p_step = self->model->p_step;
    unsigned goes = 0; /* a bit for each lane */
    March march[LANES];
    for (int l = 0; l < LANES; ++l) {
        if (!instance[l]) continue;
        march[l].parts = parts_of(length, problem[l].p[p_step]);
        march[l].h = length / march[l].parts;
        march[l].step = 0.0;
        out[l] = (Outcome){ARRIVED, 0, 0.0, 0, 0, 0, 0};
        goes |= 1u << l;
    }
    while (goes) {
        Real t = EVERY(0.0), h = t, end = t;
        Truth is_new = are_among(goes), is_sane;
        for (int l = 0; l < LANES; ++l) {
            if (!(goes >> l & 1u)) continue;
            h[l] = march[l].h;
            t[l] = march[l].step * march[l].h;
            end[l] = march[l].step + 1.0 < march[l].parts ? t[l] + h[l] : length;
        }
        rk4_step(self, self, t, h, end, self->x);
        for (int i = 0; i < n; ++i) {
            self->x[i] = pick(is_new, self->x_trial[i], self->x[i]);
            self->stage[0][i] = pick(is_new, self->stage[NEXT_SLOPE][i], self->stage[0][i]);
        }
        is_sane = both(are_finite(n, self->x), are_finite(n, self->stage[0]));
        for (int l = 0; l < LANES; ++l) {
            if (!(goes >> l & 1u)) continue;
            out[l].evaluations += 4;
            ++out[l].steps;
            march[l].step += 1.0;
            if (is_sane[l] && march[l].step < march[l].parts) continue;
            leave(self, l, instance[l], t[l], &out[l]);
            goes &= ~(1u << l);
        }
    }
}
