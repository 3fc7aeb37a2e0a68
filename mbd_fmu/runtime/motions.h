/* Prescribed motions: over a step, and from step to step. */
#ifndef MOTIONS_H
#define MOTIONS_H

#include "course.h"
#include "instance.h"

BEGIN_HIDDEN

/* Where there are some, a Model names this table; motions.c holds it. */
struct Motions {
    /* Take memory for their courses. */
    void (*lay_out)(Block *block, const Model *model, Workspace *work);

    /* Let them act a time t into the step; their rates, also outside one. */
    void (*act)(const Problem *problem, double t, double *w);
    void (*rates)(const Problem *problem, double t, double *rate);

    /* Second rates, at a communication point, of what acts. */
    void (*second_rates)(const Instance *self, const double *rate, double *ddw);

    /* Lay the courses of all motions over a step of this length, and remember for the next in `state`. */
    void (*set_out)(Instance *self, State *state, double length);

    /* Take over what was reached at the end of that step. */
    void (*arrive)(Instance *self, State *state, const double *w);
};

/* ---- For contradictions.c ---- */

/* Tracks are scalars first, then turns. */
static inline int turns(const Model *model, int track) { return track >= model->n_signals; }

/* Numbers that say a position, and a rate of it. */
static inline int position_size(const Model *model, int track) { return turns(model, track) ? 4 : 1; }
static inline int rate_size(const Model *model, int track) { return turns(model, track) ? 3 : 1; }

/* Where the rate of its acceleration is kept. */
int place_of_jerk(const Model *model, int track);

/* Position, velocity, acceleration of a track, from where they stand. */
void pick(const Model *model, int track, const int *at, const double *from, Levels *levels);

/* Whether two tracks are of one joint. */
int same_motion(const Model *model, int track, int other);

/* Say once what was given and can hardly be meant. */
void look_for_contradictions(Instance *self, State *state);

END_HIDDEN

#endif
