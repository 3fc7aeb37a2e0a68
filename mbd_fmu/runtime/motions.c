#include "motions.h"

#include "vectors.h"

#include <math.h>
#include <string.h>

/* Share of the way by which a value may miss what its derivative promised. */
#define PROMISE 1e-6
#define ROUNDING 1e-9

int place_of_jerk(const Model *model, int track)
{
    int first = model->n_signals;
    return turns(model, track) ? first + 3 * (track - first) : track;
}

void pick(const Model *model, int track, const int *at, const double *from, Levels *levels)
{
    int n = rate_size(model, track);
    memset(levels, 0, sizeof *levels);
    copy(position_size(model, track), from + at[0], levels->q);
    copy(n, from + at[1], levels->v);
    copy(n, from + at[2], levels->a);
}

/* ---- Over a step ---- */

static void lay_out(Block *block, const Model *model, Workspace *work)
{
    work->course = take(block, sizeof *work->course * (size_t)n_tracks(model));
}

static void act(const Problem *problem, double t, double *w)
{
    const Model *model = problem->model;
    for (int k = 0; k < n_tracks(model); ++k) {
        const int *at = model->track[k].w;
        int n = rate_size(model, k);
        Levels now;
        follow_course(&problem->course[k], turns(model, k), t, &now);
        copy(position_size(model, k), now.q, w + at[0]);
        copy(n, now.v, w + at[1]);
        copy(n, now.a, w + at[2]);
    }
}

static void rates(const Problem *problem, double t, double *rate)
{
    const Model *model = problem->model;
    for (int k = 0; k < n_tracks(model); ++k) {
        const Track *track = &model->track[k];
        const int *at = track->w;
        int n = rate_size(model, k);
        Levels now;
        if (problem->is_inside) {
            follow_course(&problem->course[k], turns(model, k), t, &now);
        } else {
            /* the next step is not known yet: as the last one ended, or as it is given */
            int is_full = track->by == PRESCRIBED_FULL;
            pick(model, k, at, problem->w, &now);
            copy(n, is_full ? problem->du + track->u[2] : problem->jerk + place_of_jerk(model, k), now.jerk);
        }
        if (turns(model, k))
            half_product(now.v, now.q, rate + at[0]);
        else
            rate[at[0]] = now.v[0];
        copy(n, now.a, rate + at[1]);
        copy(n, now.jerk, rate + at[2]);
    }
}

/* ---- From step to step ---- */

/* What is given of a track; what is not, as it acts. */
static void pick_given(const Model *model, int track, const State *state, const Levels *acting, Levels *given)
{
    const int *from = model->track[track].u;
    int n = rate_size(model, track);
    *given = *acting;
    if (from[0] >= 0) copy(position_size(model, track), state->u + from[0], given->q);
    if (from[1] >= 0) copy(n, state->u + from[1], given->v);
    if (from[2] >= 0) copy(n, state->u + from[2], given->a);
}

/* Whether the value given is not where its derivative led in the last step. */
static int is_astray(const Model *model, int track, const State *state, const Levels *reached,
                     const Levels *given)
{
    int n = rate_size(model, track), at_position = model->track[track].by == PRESCRIBED_POSITION;
    double missed[3], way, size;
    if (at_position)
        lead_between(turns(model, track), given->q, reached->q, missed);
    else
        for (int i = 0; i < n; ++i) missed[i] = given->v[i] - reached->v[i];
    way = state->step * largest(n, at_position ? reached->v : reached->a);
    size = 1.0 + (at_position ? largest(position_size(model, track), given->q) : largest(n, given->v));
    return largest(n, missed) > PROMISE * way + ROUNDING * size;
}

int same_motion(const Model *model, int track, int other)
{
    return !strcmp(model->track[track].motion, model->track[other].motion);
}

/* Whether a derivative of this joint led astray before. */
static int is_distrusted(const Model *model, const State *state, int track)
{
    int found = 0;
    for (int k = 0; k < n_tracks(model); ++k)
        found |= same_motion(model, k, track) && state->distrusted[k] != 0.0;
    return found;
}

/* The derivatives given of what leads, if they are to be used. */
static const double *rates_of(Instance *self, State *state, int track, const Levels *reached,
                              const Levels *given)
{
    const Model *model = self->model;
    const Track *it = &model->track[track];
    int level = it->by == PRESCRIBED_POSITION ? 0 : it->by == PRESCRIBED_VELOCITY ? 1 : 2;
    int n = level == 0 ? position_size(model, track) : rate_size(model, track);
    int was_led = state->led[track] != 0.0;
    const double *rates = state->du + it->u[level];
    if (it->by == PRESCRIBED_FULL) return rates;
    if (was_led && state->distrusted[track] == 0.0 && is_astray(model, track, state, reached, given)) {
        if (!is_distrusted(model, state, track))
            report(self, STATUS_OK, LOG_WARNING,
                   "t = %.17g: the derivative told of the %s of \"%s\" did not lead to the value told "
                   "next: it is left out from now on",
                   self->now.time, level == 0 ? "position" : "velocity", it->motion);
        self->now.distrusted[track] = state->distrusted[track] = 1.0;
    }
    state->led[track] = (was_led || largest(n, rates) > 0.0) && state->distrusted[track] == 0.0;
    return state->led[track] != 0.0 ? rates : NULL;
}

static void set_out(Instance *self, State *state, double length)
{
    const Model *model = self->model;
    double span = fmax(fmax(length, state->step), state->span - state->step / 2.0);
    look_for_contradictions(self, state);
    for (int k = 0; k < n_tracks(model); ++k) {
        const Track *track = &model->track[k];
        Levels reached, given;
        const double *rates;
        pick(model, k, track->w, state->w, &reached);
        pick_given(model, k, state, &reached, &given);
        if (turns(model, k)) {
            to_unit(reached.q);
            to_unit(given.q);
        }
        rates = rates_of(self, state, k, &reached, &given);
        lay_course(&self->work.course[k], track->by, turns(model, k), &reached, &given, rates, length, span);
    }
    state->span = span;
}

static void arrive(Instance *self, State *state, const double *w)
{
    const Model *model = self->model;
    for (int k = 0; k < n_tracks(model); ++k) {
        const Track *track = &model->track[k];
        int n = rate_size(model, k);
        Levels end;
        follow_course(&self->work.course[k], turns(model, k), state->step, &end);
        copy(n, end.jerk, state->jerk + place_of_jerk(model, k));
        if (track->by != PRESCRIBED_FULL) continue;
        copy(position_size(model, k), w + track->w[0], state->u + track->u[0]);
        copy(n, w + track->w[1], state->u + track->u[1]);
    }
}

static void second_rates(const Instance *self, const double *rate, double *ddw)
{
    const Model *model = self->model;
    for (int k = 0; k < n_tracks(model); ++k) {
        const int *at = model->track[k].w;
        if (turns(model, k)) { /* dq = w q / 2, ddq = (alpha q + w dq) / 2 */
            double part[4];
            half_product(self->now.w + at[1], rate + at[0], ddw + at[0]);
            half_product(rate + at[1], self->now.w + at[0], part);
            for (int i = 0; i < 4; ++i) ddw[at[0] + i] += part[i];
        } else {
            ddw[at[0]] = rate[at[1]];
        }
        copy(rate_size(model, k), rate + at[2], ddw + at[1]);
    }
}

const Motions prescribed_motions = {lay_out, act, rates, second_rates, set_out, arrive};
