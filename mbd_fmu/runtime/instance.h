/* One instance of the FMU. */
#ifndef INSTANCE_H
#define INSTANCE_H

#include "fmi2Functions.h"
#include "model.h"
#include "solver.h"

BEGIN_HIDDEN

/* Bits, so that a set of modes says where a call is legal. FMI 2.0 sec. 4.2.4. */
typedef enum {
    INSTANTIATED = 1,
    INITIALIZATION = 2,
    STEPPING = 4,
    TERMINATED = 8,
    EVENT = 16, /* of model exchange, as is the next */
    CONTINUOUS = 32
} Mode;
#define RUNNING (STEPPING | EVENT | CONTINUOUS)
#define ANY_MODE (INSTANTIATED | INITIALIZATION | RUNNING | TERMINATED)

/* Categories of messages, as modelDescription.xml declares them. */
typedef enum { LOG_ERROR, LOG_WARNING, LOG_START, LOG_EVALUATIONS, N_CATEGORIES } Category;
extern const char *const category_name[N_CATEGORIES];

/* What is told of motions, watched for contradictions. Only doubles. */
typedef struct {
    double before[N_U + 1]; /* inputs at the start of the last step */
    double excess[2][N_COMPONENTS + 1], way[2][N_TRACKS + 1], steps[2][N_TRACKS + 1];
    double said[N_TRACKS + 1];
} Watch;

/* Everything that matters for the future of a motion. Only doubles: it can be copied as it is, and
   state.c writes it down number by number. */
typedef struct {
    double time;
    double h; /* internal step size the solver will try next; 0: none yet */
    double strain[2]; /* steps at the edge of stability, -1 once that was told; and others since */
    double x[N_X];  /* when initialization or the last step ended */
    double behind;  /* 1: parameters or motions have changed since, and x must follow */
    double u[N_U + 1]; /* inputs as they are told */
    double w[N_W + 1]; /* all that acts */
    double step, span; /* length of the last step, 0: none yet; and how far motions look back */
    double jerk[N_COMPONENTS + 1]; /* of motions at its end */
    double led[N_TRACKS + 1];        /* 1: a derivative led this track in the last step */
    double distrusted[N_TRACKS + 1]; /* 1: one led it astray */
    Watch watch;
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
    int exchanges; /* made for model exchange: the importer integrates */
    int knows_singular; /* it was told that nothing keeps a motion on its way there */
    double stop_time; /* infinite if none was given */

    /* What follows from the state, computed when it is asked for. */
    int has_x;
    int has_xd;
    int has_z;
    int has_stage[N_STAGES];
    double x[N_X]; /* that of the state, on the constraints; while initializing: from parameters */
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

/* A value has changed: forget what it moves, x included if it does. */
typedef enum { OF_PARAMETER, OF_INPUT } Kind;
void value_changed(Instance *self, Kind kind);

/* Take states from the importer as they are. */
void take_states(Instance *self, const double x[]);

/* What a step from a state needs to know. */
Problem problem_of(State *state);

/* Check value references; 0 and a message if one is unknown or the values are NULL. */
int known(Instance *self, const char *function, const fmi2ValueReference vr[], size_t n,
          const void *value);

/* Check a value of variable i before it is handed out; 0 and a message if it is not finite. */
int is_finite(Instance *self, const char *function, const char *what, unsigned i, double value);

/* Compute x, xd and z from it; say 0 and log why if there is none. */
int provide_x(Instance *self);
int provide_xd(Instance *self);
int provide_z(Instance *self);

/* Compute the outputs of a stage, unless that has been done since the last change. */
int provide_stage(Instance *self, int stage);

/* Say once that another solver or projection would do better, if the steps up to `state` say so. */
void advise(Instance *self, const Outcome *outcome, State *state);

/* Write a message, and return the status it is about. */
fmi2Status report(Instance *self, fmi2Status status, Category category, const char *format, ...);
#define fail(self, ...) report(self, fmi2Error, LOG_ERROR, __VA_ARGS__)

END_HIDDEN

#endif
