/* What acts on the equations: inputs, and prescribed motions on their courses. */
#ifndef INPUTS_H
#define INPUTS_H

#include "solver.h"

BEGIN_HIDDEN

/* All that acts a time t into the step, and its rates. Forces are held or move on at their rates;
   motions follow their courses. Outside a step, at a communication point, t does not count. */
void inputs_at(const Problem *problem, double t, double *w);
void input_rates_at(const Problem *problem, double t, double *rate);

/* Tracks are scalars first, then turns. */
int turns(int track);

/* Where the rate of its acceleration is kept. */
int place_of_jerk(int track);

/* Position, velocity, acceleration of a track, from where they stand. */
void pick(int track, const int *at, const double *from, Levels *levels);

END_HIDDEN

#endif
