#include "inputs.h"

#include <string.h>

int turns(int track) { return track >= N_SIGNALS; }

int place_of_jerk(int track)
{
    return turns(track) ? N_SIGNALS + 3 * (track - N_SIGNALS) : track;
}

void pick(int track, const int *at, const double *from, Levels *levels)
{
    int n = turns(track) ? 3 : 1;
    memset(levels, 0, sizeof *levels);
    memcpy(levels->q, from + at[0], sizeof(double) * (turns(track) ? 4 : 1));
    memcpy(levels->v, from + at[1], sizeof(double) * n);
    memcpy(levels->a, from + at[2], sizeof(double) * n);
}

void inputs_at(const Problem *problem, double t, double *w)
{
    memcpy(w, problem->w, sizeof(double) * N_W);
    if (!problem->course) return;
    for (int i = 0; i < N_U; ++i) w[model_acting[i]] += problem->du[i] * t;
    for (int k = 0; k < N_TRACKS; ++k) {
        const int *at = model_track[k].w;
        int n = turns(k) ? 3 : 1;
        Levels now;
        follow_course(&problem->course[k], turns(k), t, &now);
        memcpy(w + at[0], now.q, sizeof(double) * (turns(k) ? 4 : 1));
        memcpy(w + at[1], now.v, sizeof(double) * n);
        memcpy(w + at[2], now.a, sizeof(double) * n);
    }
}

/* Rates of a track that has these levels. */
static void rates_of_track(int k, const Levels *now, double *rate)
{
    const int *at = model_track[k].w;
    int n = turns(k) ? 3 : 1;
    if (turns(k))
        half_product(now->v, now->q, rate + at[0]);
    else
        rate[at[0]] = now->v[0];
    memcpy(rate + at[1], now->a, sizeof(double) * n);
    memcpy(rate + at[2], now->jerk, sizeof(double) * n);
}

void input_rates_at(const Problem *problem, double t, double *rate)
{
    memset(rate, 0, sizeof(double) * N_W);
    for (int i = 0; i < N_U; ++i) rate[model_acting[i]] = problem->du[i];
    for (int k = 0; k < N_TRACKS; ++k) {
        Levels now;
        if (problem->course) {
            follow_course(&problem->course[k], turns(k), t, &now);
        } else {
            /* the next step is not known yet: as the last one ended, or as it is told */
            int n = turns(k) ? 3 : 1, is_full = model_track[k].told == TOLD_FULL;
            pick(k, model_track[k].w, problem->w, &now);
            memcpy(now.jerk, is_full ? problem->du + model_track[k].u[2] : problem->jerk + place_of_jerk(k),
                   sizeof(double) * n);
        }
        rates_of_track(k, &now, rate);
    }
}
