/* Inputs within a communication step. */
#ifndef MOTIONS_H
#define MOTIONS_H

#include "solver.h"

BEGIN_HIDDEN

/* Inputs a time t into the step. Forces are held or move on at their rates. The position of a
   prescribed motion follows its velocity, that follows the acceleration, and that moves on at its
   rate: the three stay one motion. */
void inputs_at(const Problem *problem, double t, double *u);

/* Their rates then; and at the start of the step the second rates of prescribed turn k. */
void input_rates_at(const Problem *problem, double t, double *rate);
void second_turn_rate(const Problem *problem, int k, double *ddu);

END_HIDDEN

#endif
