/* Trees side by side in the lanes of a vector, each with what it has alone. For files that define IN_LANES. */
#ifndef LANES_H
#define LANES_H

#include "real.h"
#include "together.h"

BEGIN_HIDDEN

/* What acts on each lane, and what a step works with; names as in Problem and Workspace. */
struct Lanes {
    const Model *model;
    Real *w, *du, *p, tolerance;
    int is_inside; /* a step, so that inputs move on */
    Real *stage[STAGES_KEPT], *x_trial, *error, *x_before, reach;
    Real *u;
    Real *x, *xd, *z, *y;
    Real *memory; /* of the equations */
    void *block;
};

/* The equations in lanes, and how they are integrated: model_lanes.c, generated, fills one. */
typedef struct {
    void (*derivatives)(const Real *x, const Real *u, const Real *p, Real *xd, Real *memory);
    void (*const *stage)(const Real *x, const Real *u, const Real *z, const Real *p, Real *y, Real *memory);

    /* Method.advance of several instances, from and to their trial.x and xd; work.u, too, is theirs. */
    void (*advance)(Lanes *self, Instance *const *instance, const Problem *problem, double length,
                    Outcome *out);
} LaneEquations;
extern const LaneEquations lane_equations;
extern const Together lanes_together;

void advance_dopri5_in_lanes(Lanes *self, Instance *const *instance, const Problem *problem, double length,
                             Outcome *out);
void advance_rk4_in_lanes(Lanes *self, Instance *const *instance, const Problem *problem, double length,
                          Outcome *out);

/* Derivatives of x, each lane a time t into its step; and quaternions of length 1 where it is so. */
void evaluate_lanes(const Lanes *problem, Lanes *work, Real t, const Real *x, Real *xd);
void settle_lanes(const Lanes *self, Truth is_so, Real *x);

/* A column of numbers in a lane, and back. */
static inline void put_lane(int n, const double *from, int lane, Real *to)
{
    double *place = (double *)to + lane;
    for (int i = 0; i < n; ++i) place[i * LANES] = from[i];
}

static inline void take_lane(int n, const Real *from, int lane, double *to)
{
    const double *place = (const double *)from + lane;
    for (int i = 0; i < n; ++i) to[i] = place[i * LANES];
}

END_HIDDEN

#endif
