/* Motions told in full that contradict themselves. The law: reference/contradictions.py, the twin of this. */
#include "motions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define REACH 50.0 /* steps in which rates that change may account for the rest */
#define MOVED 1e-9 /* of 1 and the value: what moves less does not move */
#define CLEARLY 1e-6 /* what moves so far beside rates that are zero is said at once */
#define STEPS 3.0 /* so many steps with movement tell enough */
#define SHARE 0.5 /* of the way */

static double between(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/* What was told of a track at the start of a step. */
static void recall(int track, const double *u, Levels *told)
{
    const int *from = model_track[track].u;
    int n = turns(track) ? 3 : 1;
    memset(told, 0, sizeof *told);
    memcpy(told->q, u + from[0], sizeof(double) * (turns(track) ? 4 : 1));
    memcpy(told->v, u + from[1], sizeof(double) * n);
    memcpy(told->a, u + from[2], sizeof(double) * n);
    if (turns(track)) to_unit(told->q);
}

/* One component over a step of length h: whether its rates, at both ends, contradict the way it made. */
static int contradicts(Watch *watch, int level, int i, double h, double moved, double size, double rate0,
                       double rate1, double above)
{
    double beside = REACH * h * (fabs(rate1 - rate0) + h * above);
    int moves = fabs(moved) > MOVED * size;
    int is_dead = rate0 == 0.0 && rate1 == 0.0 && above == 0.0 && fabs(moved) > CLEARLY * size;
    watch->way[level][i] += fabs(moved);
    if (!moves) return 0;
    watch->steps[level][i] += 1.0;
    watch->excess[level][i] +=
        moved - between(moved, h * fmin(rate0, rate1) - beside, h * fmax(rate0, rate1) + beside);
    return is_dead || (watch->steps[level][i] >= STEPS
                       && fabs(watch->excess[level][i]) > SHARE * watch->way[level][i]);
}

static int level_in_doubt(Watch *watch, int track, double h, const Levels *before, const Levels *told)
{
    int n = turns(track) ? 3 : 1, first = place_of_jerk(track), found[2] = {0, 0};
    double moved[2][3], size[2] = {1.0, 1.0}, most = 0.0;
    lead_between(turns(track), told->q, before->q, moved[0]);
    for (int i = 0; i < (turns(track) ? 4 : 1); ++i) most = fmax(most, fabs(told->q[i]));
    size[0] += most;
    most = 0.0;
    for (int i = 0; i < n; ++i) {
        moved[1][i] = told->v[i] - before->v[i];
        most = fmax(most, fabs(told->v[i]));
    }
    size[1] += most;
    for (int i = 0; i < n; ++i) {
        double above = fmax(fabs(before->a[i]), fabs(told->a[i]));
        found[0] |= contradicts(watch, 0, first + i, h, moved[0][i], size[0], before->v[i], told->v[i], above);
        found[1] |= contradicts(watch, 1, first + i, h, moved[1][i], size[1], before->a[i], told->a[i], 0.0);
    }
    return found[0] ? 0 : found[1] ? 1 : -1;
}

static void say(Instance *self, int track, int level)
{
    static const char *const of_turn[3] = {"orientation", "angular velocity", "angular acceleration"};
    const Track *it = &model_track[track];
    char what[256], rate[256];
    if (turns(track)) {
        snprintf(what, sizeof what, "the %s of %s", of_turn[level], it->motion);
        snprintf(rate, sizeof rate, "the %s of %s", of_turn[level + 1], it->motion);
    } else {
        snprintf(what, sizeof what, "%s", model_name[FIRST_INPUT + (unsigned)it->u[level]]);
        snprintf(rate, sizeof rate, "%s", model_name[FIRST_INPUT + (unsigned)it->u[level + 1]]);
    }
    report(self, fmi2OK, LOG_WARNING,
           "t = %.17g: the motion told contradicts itself: %s moves, but not at the rate that %s tells; "
           "connect %s, or build the FMU with motion = \"position\" and give positions alone",
           self->now.time, what, rate, rate);
}

void look_for_contradictions(Instance *self, State *state)
{
    Watch *watch = &state->watch;
    for (int k = 0; k < N_TRACKS; ++k) {
        Levels before, told;
        int level;
        if (model_track[k].told != TOLD_FULL || state->step == 0.0) continue;
        recall(k, watch->before, &before);
        recall(k, state->u, &told);
        level = level_in_doubt(watch, k, state->step, &before, &told);
        if (level < 0 || watch->said[k] != 0.0) continue;
        say(self, k, level);
        self->now.watch.said[k] = watch->said[k] = 1.0;
    }
    memcpy(watch->before, state->u, sizeof watch->before);
}
