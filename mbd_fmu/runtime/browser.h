/* One mechanism in a page, bound to the core: what steps here has the bits of co-simulation.

   The page sees the memory of the module, so values, states and messages are handed over by address. */
#ifndef BROWSER_H
#define BROWSER_H

#include "instance.h"

#define FOR_PAGE(name) __attribute__((visibility("default"), export_name(#name))) name

BEGIN_HIDDEN

typedef struct Live Live;

/* An instance of the model; NULL: out of memory. */
Live *FOR_PAGE(live_new)(void);
void FOR_PAGE(live_free)(Live *self);

/* All variables, in the order of their table: get writes them here, set takes some from here. */
double *FOR_PAGE(live_values)(Live *self);
int FOR_PAGE(live_get)(Live *self, unsigned first, unsigned n);
int FOR_PAGE(live_set)(Live *self, unsigned first, unsigned n);

/* As new, but for its messages; then a motion from `time` on, and its steps. 1: done, 0: a message says why
   not, and the state is what it was. */
void FOR_PAGE(live_reset)(Live *self);
int FOR_PAGE(live_begin)(Live *self, double time);
int FOR_PAGE(live_step)(Live *self, double time, double length);
double FOR_PAGE(live_time)(const Live *self);

/* The state written down: its place and size. Save writes it there, restore goes on from what stands there. */
unsigned char *FOR_PAGE(live_state)(Live *self);
unsigned FOR_PAGE(live_state_size)(const Live *self);
void FOR_PAGE(live_save)(Live *self);
int FOR_PAGE(live_restore)(Live *self);

/* What was said since it was asked last, line by line, each with its category before it. */
const char *FOR_PAGE(live_messages)(Live *self);

END_HIDDEN

#endif
