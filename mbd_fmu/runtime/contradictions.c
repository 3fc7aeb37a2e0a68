/* Motions given in a way that can hardly be meant. The law: reference/contradictions.py, the twin of this. */
#include "motions.h"

#include "vectors.h"

#include <math.h>
#include <stdio.h>

#define REACH 50.0 /* steps in which rates that change may account for the rest */
#define MOVED 1e-9 /* of 1 and the value: what moves less does not move */
#define CLEARLY 1e-6 /* what moves so far beside rates that are zero is said at once */
#define STEPS 3.0 /* so many steps with movement tell enough */
#define SHARE 0.5 /* of the way */
#define STAIRS 3.0 /* so many of them make a staircase */

static double between(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/* What was given of a track at the start of a step. */
static void recall(const Model *model, int track, const double *u, Levels *given)
{
    pick(model, track, model->track[track].u, u, given);
    if (turns(model, track)) to_unit(given->q);
}

/* What was given of one level of a track at both ends of a step: the way made, rates, and how fast those
   may change. */
typedef struct {
    double moved[3], rate0[3], rate1[3], above[3], size;
} Span;

/* Whether rates at both ends contradict the way that was made. */
static int contradicts(const Model *model, Watch *watch, int level, int track, double h, const Span *it)
{
    int n = rate_size(model, track), first = place_of_jerk(model, track), is_dead = 1;
    double way = 0.0, most = 0.0;
    for (int i = 0; i < n; ++i) way += fabs(it->moved[i]);
    for (int i = 0; i < n; ++i) {
        double low = h * fmin(it->rate0[i], it->rate1[i]), high = h * fmax(it->rate0[i], it->rate1[i]);
        double beside = REACH * h * (fabs(it->rate1[i] - it->rate0[i]) + h * it->above[i]);
        double *excess = &watch->excess[level][first + i];
        *excess += it->moved[i] - between(it->moved[i], low - beside, high + beside);
        most = fmax(most, fabs(*excess));
        if (it->rate0[i] != 0.0 || it->rate1[i] != 0.0 || it->above[i] != 0.0) is_dead = 0;
    }
    if (!(way > MOVED * it->size)) return 0;
    watch->way[level][track] += way;
    watch->steps[level][track] += 1.0;
    return (is_dead && way > CLEARLY * it->size)
           || (watch->steps[level][track] >= STEPS && most > SHARE * watch->way[level][track]);
}

static int level_in_doubt(const Model *model, Watch *watch, int track, double h, const Levels *before,
                          const Levels *given)
{
    int n = rate_size(model, track), found[2];
    Span position = {{0.0}, {0.0}, {0.0}, {0.0}, 0.0}, velocity = position;
    lead_between(turns(model, track), given->q, before->q, position.moved);
    position.size = 1.0 + largest(position_size(model, track), given->q);
    velocity.size = 1.0 + largest(n, given->v);
    for (int i = 0; i < n; ++i) {
        position.rate0[i] = before->v[i];
        position.rate1[i] = given->v[i];
        position.above[i] = fmax(fabs(before->a[i]), fabs(given->a[i]));
        velocity.moved[i] = given->v[i] - before->v[i];
        velocity.rate0[i] = before->a[i];
        velocity.rate1[i] = given->a[i];
    }
    found[0] = contradicts(model, watch, 0, track, h, &position);
    found[1] = contradicts(model, watch, 1, track, h, &velocity);
    return found[0] ? 0 : found[1] ? 1 : -1;
}

static void say(Instance *self, int track, int level)
{
    static const char *const of_turn[3] = {"orientation", "angular velocity", "angular acceleration"};
    const Model *model = self->model;
    const Track *it = &model->track[track];
    char what[256], rate[256];
    if (turns(model, track)) {
        snprintf(what, sizeof what, "the %s of %s", of_turn[level], it->motion);
        snprintf(rate, sizeof rate, "the %s of %s", of_turn[level + 1], it->motion);
    } else {
        snprintf(what, sizeof what, "%s", model->name[first_input(model) + (unsigned)it->u[level]]);
        snprintf(rate, sizeof rate, "%s", model->name[first_input(model) + (unsigned)it->u[level + 1]]);
    }
    report(self, STATUS_OK, LOG_WARNING,
           "t = %.17g: the motion told contradicts itself: %s moves, but not at the rate that %s tells; "
           "connect %s, or build the FMU with motion = \"position\" and give positions alone",
           self->now.time, what, rate, rate);
}

/* Once is enough for a joint, whatever may come of the step. */
static void have_said(Instance *self, State *state, int track)
{
    const Model *model = self->model;
    for (int k = 0; k < n_tracks(model); ++k)
        if (same_motion(model, k, track)) self->now.watch.said[k] = state->watch.said[k] = 1.0;
}

/* Whether what leads a motion has stood still and jumped for the third time: it is held over steps. */
static int climbs_stairs(const Model *model, Watch *watch, int track, const State *state)
{
    int level = model->track[track].by == PRESCRIBED_POSITION ? 0 : 1, first = model->track[track].u[level];
    int n = level == 0 ? position_size(model, track) : rate_size(model, track), moves = 0;
    double *number = &watch->steps[0][track], *is_still = &watch->steps[1][track];
    for (int i = first; i < first + n; ++i) moves |= state->u[i] != watch->before[i];
    if (state->led[track] != 0.0) {
        *number = *is_still = 0.0;
        return 0;
    }
    if (moves) *number = *is_still != 0.0 ? *number + 1.0 : 0.0;
    *is_still = !moves;
    return *number >= STAIRS;
}

static void watch_lead(Instance *self, State *state, int track)
{
    const Track *it = &self->model->track[track];
    if (!climbs_stairs(self->model, &state->watch, track, state) || state->watch.said[track] != 0.0) return;
    report(self, STATUS_OK, LOG_WARNING,
           "t = %.17g: the %s told of \"%s\" stands still and jumps in turn, as if it were held over several "
           "steps; tell it anew at each step, or with its derivative",
           self->now.time, it->by == PRESCRIBED_POSITION ? "position" : "velocity", it->motion);
    have_said(self, state, track);
}

void look_for_contradictions(Instance *self, State *state)
{
    const Model *model = self->model;
    Watch *watch = &state->watch;
    for (int k = 0; k < n_tracks(model); ++k) {
        Levels before, given;
        int level;
        if (state->step == 0.0) continue;
        if (model->track[k].by != PRESCRIBED_FULL) {
            watch_lead(self, state, k);
            continue;
        }
        recall(model, k, watch->before, &before);
        recall(model, k, state->u, &given);
        level = level_in_doubt(model, watch, k, state->step, &before, &given);
        if (level < 0 || watch->said[k] != 0.0) continue;
        say(self, k, level);
        have_said(self, state, k);
    }
    copy(model->n_u, state->u, watch->before);
}
