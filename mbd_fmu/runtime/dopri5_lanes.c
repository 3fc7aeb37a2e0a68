/* dopri5 in lanes: one text of the step, one law of its size, and a pace of its own for each. */
#define IN_LANES
#include "lanes.h"

#include "adaptive.h"

typedef Lanes StepProblem;
typedef Lanes StepWork;
#define evaluate_step evaluate_lanes
#include "dopri5_step.h"

/* What lane l ends with, in the hands of its instance. */
static void leave(const Lanes *self, int l, Instance *instance, const Problem *problem, const Pace *pace,
                  Outcome *out)
{
    int n = self->model->n_x;
    take_lane(n, self->x, l, instance->trial.x);
    take_lane(n, self->stage[0], l, instance->xd);
    take_lane(self->model->n_w, self->u, l, instance->work.u);
    *problem->h = pace->h;
    *out = pace->out;
}

static void give_up(const Lanes *self, int l, Instance *instance, const Problem *problem, const Pace *pace,
                    Outcome *out)
{
    int n = self->model->n_x;
    Workspace *work = &instance->work;
    take_lane(n, self->x, l, instance->trial.x);
    take_lane(n, self->x_trial, l, work->x_trial);
    take_lane(n, self->error, l, work->error);
    *out = given_up(pace->out, pace->out.ending,
                    worst_state(problem, instance->trial.x, work->x_trial, work->error), pace->t);
}

void advance_dopri5_in_lanes(Lanes *self, Instance *const *instance, const Problem *problem, double length,
                             Outcome *out)
{
    int n = self->model->n_x, moves_on = self->model->n_quaternions > 0;
    unsigned goes = 0; /* a bit for each lane */
    Pace pace[LANES];
    for (int l = 0; l < LANES; ++l) {
        if (!instance[l]) continue;
        pace[l] = first_pace(&problem[l], length, instance[l]->trial.x, instance[l]->xd);
        goes |= 1u << l;
    }
    while (goes) {
        Real t = EVERY(0.0), h = t, end = t, norm, factor;
        Truth is_new;
        unsigned accepted = 0;
        for (int l = 0; l < LANES; ++l) {
            if (!(goes >> l & 1u)) continue;
            choose_step(&pace[l]);
            pace[l].out.evaluations += STAGES - 1 + moves_on;
            t[l] = pace[l].t;
            h[l] = pace[l].step;
            end[l] = end_of_step(&pace[l]);
        }
        dopri5_attempt(self, self, t, h, self->x);
        norm = error_norm(n, self->tolerance, self->x, self->x_trial, self->error);
        settle_lanes(self, norm <= 1.0, self->x_trial);
        factor = dopri5_factor(norm);
        for (int l = 0; l < LANES; ++l) {
            Verdict verdict = goes >> l & 1u ? judge(&pace[l], norm[l], factor[l]) : REFUSED;
            if (verdict == ACCEPTED) {
                review_reach(problem[l].strain, self->reach[l]);
                accepted |= 1u << l;
            } else if (verdict == GIVEN_UP) {
                give_up(self, l, instance[l], &problem[l], &pace[l], &out[l]);
                goes &= ~(1u << l);
            }
        }
        is_new = are_among(accepted);
        for (int i = 0; i < n; ++i) self->x[i] = pick(is_new, self->x_trial[i], self->x[i]);
        if (moves_on) evaluate_lanes(self, self, end, self->x, self->stage[LAST_STAGE]);
        for (int i = 0; i < n; ++i)
            self->stage[0][i] = pick(is_new, self->stage[LAST_STAGE][i], self->stage[0][i]);
        for (int l = 0; l < LANES; ++l) {
            if (!(accepted >> l & 1u)) continue;
            if (pace[l].is_last) {
                leave(self, l, instance[l], &problem[l], &pace[l], &out[l]);
                goes &= ~(1u << l);
            } else
                pace[l].t += pace[l].step;
        }
    }
}
