/* Instances of one mechanism side by side: what costs time is computed for several at once, each with the bits
   that it has alone; all else they do one by one. lanes.c does so in the vectors of the processor. */
#ifndef TOGETHER_H
#define TOGETHER_H

#include "instance.h"

BEGIN_HIDDEN

#define MOST_TOGETHER 8

typedef struct Lanes Lanes; /* what they work with: see lanes.c */

/* How. Of several instances, those that are NULL take no part. */
typedef struct {
    int width; /* so many at once, where the processor has as many lanes */

    Lanes *(*make)(const Model *model); /* NULL: out of memory */
    void (*drop)(Lanes *self);

    /* They have their parameters, which stay as they are until the next call. */
    void (*seat)(Lanes *self, Instance *const *instance);

    /* Derivatives where they are not known, and the outputs of stages that are asked for (NULL: none). What
       does not work out is left to each alone. */
    void (*provide)(Lanes *self, Instance *const *instance, const int *asks);

    /* do_step of each. */
    void (*step)(Lanes *self, Instance *const *instance, const char *where, double time, double length,
                 Status *status);
} Together;

/* Of this library; NULL: one by one is all there is for this mechanism. */
extern const Together *const this_together;

END_HIDDEN

#endif
