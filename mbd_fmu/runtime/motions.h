/* Prescribed motions from step to step. */
#ifndef MOTIONS_H
#define MOTIONS_H

#include "inputs.h"
#include "instance.h"

BEGIN_HIDDEN

/* Let act what is told now. In co-simulation, once a step was taken, positions and velocities of
   prescribed motions wait: they lead the next step. */
void take_told(Instance *self);
int acts_at_once(const Instance *self, int input);

/* Lay the courses of all motions over a step of this length, and remember for the next in `state`. */
void set_out(Instance *self, State *state, double length);

/* Take over what was reached at the end of that step: what acts, and inputs that have moved on. */
void arrive(Instance *self, State *state, const double *w);

/* Whether two tracks are of one joint. */
int same_motion(int track, int other);

/* Say once what was told and can hardly be meant. */
void look_for_contradictions(Instance *self, State *state);

/* Second rates, at a communication point, of what acts. */
void second_rates(const Instance *self, const double *rate, double *ddw);

END_HIDDEN

#endif
