#include "motions.h"

#include <math.h>
#include <string.h>

/* Share of the way by which a value may miss what its derivative promised. */
#define PROMISE 1e-6
#define ROUNDING 1e-9

int acts_at_once(const Instance *self, int input)
{
    return !model_waits[input] || self->exchanges || self->now.step == 0.0;
}

void take_told(Instance *self)
{
    for (int i = 0; i < N_U; ++i)
        if (acts_at_once(self, i)) self->now.w[model_acting[i]] = self->now.u[i];
    if (self->now.step != 0.0) return;
    for (int k = 0; k < N_MADE; ++k) {
        int p = model_made[k].parameter;
        self->now.w[model_made[k].w] = p < 0 ? 0.0 : self->now.p[p];
    }
}

/* What is told of a track; what is not, as it acts. */
static void pick_told(int track, const State *state, const Levels *acting, Levels *told)
{
    const int *from = model_track[track].u;
    int n = turns(track) ? 3 : 1;
    *told = *acting;
    if (from[0] >= 0) memcpy(told->q, state->u + from[0], sizeof(double) * (turns(track) ? 4 : 1));
    if (from[1] >= 0) memcpy(told->v, state->u + from[1], sizeof(double) * n);
    if (from[2] >= 0) memcpy(told->a, state->u + from[2], sizeof(double) * n);
}

static double most_of(int n, const double *x)
{
    double most = 0.0;
    for (int i = 0; i < n; ++i) most = fmax(most, fabs(x[i]));
    return most;
}

/* Whether the value told is not where its derivative led in the last step. */
static int is_astray(int track, const State *state, const Levels *reached, const Levels *told)
{
    int n = turns(track) ? 3 : 1, at_position = model_track[track].told == TOLD_POSITION;
    double missed[3], way, size;
    if (at_position)
        lead_between(turns(track), told->q, reached->q, missed);
    else
        for (int i = 0; i < n; ++i) missed[i] = told->v[i] - reached->v[i];
    way = state->step * most_of(n, at_position ? reached->v : reached->a);
    size = 1.0 + (at_position ? most_of(turns(track) ? 4 : 1, told->q) : most_of(n, told->v));
    return most_of(n, missed) > PROMISE * way + ROUNDING * size;
}

int same_motion(int track, int other)
{
    return !strcmp(model_track[track].motion, model_track[other].motion);
}

/* Whether a derivative of this joint led astray before. */
static int is_distrusted(const State *state, int track)
{
    int found = 0;
    for (int k = 0; k < N_TRACKS; ++k) found |= same_motion(k, track) && state->distrusted[k] != 0.0;
    return found;
}

/* The derivatives told of what leads, if they are to be used. */
static const double *rates_of(Instance *self, State *state, int track, const Levels *reached,
                              const Levels *told)
{
    const Track *it = &model_track[track];
    int level = it->told == TOLD_POSITION ? 0 : it->told == TOLD_VELOCITY ? 1 : 2;
    int n = !turns(track) ? 1 : level == 0 ? 4 : 3, was_led = state->led[track] != 0.0;
    const double *rates = state->du + it->u[level];
    if (it->told == TOLD_FULL) return rates;
    if (was_led && state->distrusted[track] == 0.0 && is_astray(track, state, reached, told)) {
        if (!is_distrusted(state, track))
            report(self, fmi2OK, LOG_WARNING,
                   "t = %.17g: the derivative told of the %s of \"%s\" did not lead to the value told "
                   "next: it is left out from now on",
                   self->now.time, level == 0 ? "position" : "velocity", it->motion);
        self->now.distrusted[track] = state->distrusted[track] = 1.0;
    }
    state->led[track] = (was_led || most_of(n, rates) > 0.0) && state->distrusted[track] == 0.0;
    return state->led[track] != 0.0 ? rates : NULL;
}

void set_out(Instance *self, State *state, double length)
{
    double span = fmax(fmax(length, state->step), state->span - state->step / 2.0);
    for (int k = 0; k < N_TRACKS; ++k) {
        Levels reached, told;
        const double *rates;
        pick(k, model_track[k].w, state->w, &reached);
        pick_told(k, state, &reached, &told);
        if (turns(k)) {
            to_unit(reached.q);
            to_unit(told.q);
        }
        rates = rates_of(self, state, k, &reached, &told);
        lay_course(&self->work.course[k], model_track[k].told, turns(k), &reached, &told, rates, length,
                   span);
    }
    state->step = length;
    state->span = span;
}

void arrive(Instance *self, State *state, const double *w)
{
    memcpy(state->w, w, sizeof(double) * N_W);
    for (int i = 0; i < N_U; ++i) {
        state->u[i] += state->du[i] * state->step;
        if (!model_waits[i]) state->w[model_acting[i]] = state->u[i]; /* to the last digit */
    }
    for (int k = 0; k < N_TRACKS; ++k) {
        int n = turns(k) ? 3 : 1;
        Levels end;
        follow_course(&self->work.course[k], turns(k), state->step, &end);
        memcpy(state->jerk + place_of_jerk(k), end.jerk, sizeof(double) * n);
        if (model_track[k].told != TOLD_FULL) continue;
        memcpy(state->u + model_track[k].u[0], w + model_track[k].w[0],
               sizeof(double) * (turns(k) ? 4 : 1));
        memcpy(state->u + model_track[k].u[1], w + model_track[k].w[1], sizeof(double) * n);
    }
}

void second_rates(const Instance *self, const double *rate, double *ddw)
{
    memset(ddw, 0, sizeof(double) * (N_W + 1));
    for (int k = 0; k < N_TRACKS; ++k) {
        const int *at = model_track[k].w;
        int n = turns(k) ? 3 : 1;
        if (turns(k)) { /* dq = w q / 2, ddq = (alpha q + w dq) / 2 */
            double part[4];
            half_product(self->now.w + at[1], rate + at[0], ddw + at[0]);
            half_product(rate + at[1], self->now.w + at[0], part);
            for (int i = 0; i < 4; ++i) ddw[at[0] + i] += part[i];
        } else {
            ddw[at[0]] = rate[at[1]];
        }
        memcpy(ddw + at[1], rate + at[2], sizeof(double) * n);
    }
}
