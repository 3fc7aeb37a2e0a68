/* One instance of the FMU. */
#ifndef INSTANCE_H
#define INSTANCE_H

#include "fmi2Functions.h"
#include "model.h"
#include "solver.h"

/* Bits, so that a set of modes says where a call is legal. FMI 2.0 sec. 4.2.4. */
typedef enum {
    INSTANTIATED = 1,
    INITIALIZATION = 2,
    STEPPING = 4,
    TERMINATED = 8
} Mode;
#define ANY_MODE (INSTANTIATED | INITIALIZATION | STEPPING | TERMINATED)

/* Categories of messages, as modelDescription.xml declares them. */
typedef enum { LOG_ERROR, LOG_WARNING, LOG_EVALUATIONS, N_CATEGORIES } Category;
extern const char *const category_name[N_CATEGORIES];

/* Everything that matters for the future. Only doubles: it can be copied as it is. */
typedef struct {
    double time;
    double h; /* internal step size the solver will try next; 0: none yet */
    double strain[2]; /* steps at the edge of stability, -1 once that was told; and others since */
    double x[N_X];
    double u[N_U + 1];
    double du[N_U + 1]; /* rates of the inputs, for the next step only, whether it succeeds or not */
    double p[N_P];
#if N_ROWS
    double ceiling[2]; /* rank of the constraints in general position: of those on positions, of all */
    double rank;       /* as it was told last */
#endif
} State;

typedef struct {
    State now;
    Mode mode;
    double start_time;
    double stop_time; /* infinite if none was given */

    /* What follows from the state, computed when it is asked for. */
    int has_x;  /* x is that of the parameters; always so once stepping */
    int has_xd;
    int has_z;
    int has_stage[N_STAGES];
    double xd[N_X];
    double z[N_Z]; /* as xd; with constraints: without feedback, and with multipliers and quality */
    double y[N_Y + 1];

    State trial; /* a step works here; a failed one leaves `now` untouched */
    Workspace work;

    char *name;
    fmi2CallbackFunctions callbacks; /* a copy: the caller's struct may die with the call */
    int logged[N_CATEGORIES];
} Instance;

/* Check that a call is legal now; NULL and a message if not. */
Instance *enter(fmi2Component c, const char *function, int legal);

/* Set parameters, inputs and state to what a new instance has. */
void make_fresh(Instance *self);

/* Forget what followed from a state, inputs or parameters that changed. */
void forget(Instance *self);

/* Compute x from the parameters, xd from x; say 0 and log why if a value is not finite. */
int provide_x(Instance *self);

/* What a step from a state needs to know. */
Problem problem_of(State *state);
int provide_xd(Instance *self);

/* Compute the outputs of a stage, unless that has been done since the last change. */
int provide_stage(Instance *self, int stage);

/* Say once that another solver would do better, if the steps up to `state` say so. */
void advise(Instance *self, State *state);

/* Write a message, and return the status it is about. */
fmi2Status report(Instance *self, fmi2Status status, Category category, const char *format, ...);
#define fail(self, ...) report(self, fmi2Error, LOG_ERROR, __VA_ARGS__)

#endif
