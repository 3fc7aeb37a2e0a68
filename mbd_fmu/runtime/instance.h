/* One instance of the model, whatever standard or program asks for it: fmi2.c binds it to FMI 2.0.

   Functions that can fail say why by a message that begins with `where`, the call they answer. */
#ifndef INSTANCE_H
#define INSTANCE_H

#include "mechanism.h"

#include <stddef.h>

BEGIN_HIDDEN

typedef enum { STATUS_OK, STATUS_ERROR } Status;

/* Categories of messages, as modelDescription.xml declares them. */
typedef enum { LOG_ERROR, LOG_WARNING, LOG_START, LOG_EVALUATIONS, N_CATEGORIES } Category;
extern const char *const category_name[N_CATEGORIES];

/* Who hears messages. */
typedef void Log(void *environment, Status status, Category category, const char *text);

/* Bits, so that a set of modes says where a call is legal. */
typedef enum {
    INSTANTIATED = 1,
    INITIALIZATION = 2,
    STEPPING = 4,
    TERMINATED = 8,
    EVENT = 16, /* where the importer integrates, as is the next */
    CONTINUOUS = 32
} Mode;
#define RUNNING (STEPPING | EVENT | CONTINUOUS)
#define ANY_MODE (INSTANTIATED | INITIALIZATION | RUNNING | TERMINATED)

/* What is given of motions, watched for contradictions. Levels of n_components and of n_tracks. */
typedef struct {
    double *before; /* inputs at the start of the last step */
    double *excess[2], *way[2], *steps[2];
    double *said;
} Watch;

/* Everything that matters for the future of a motion. Only doubles: those before `numbers`, and n_numbers
   in a row there, which the pointers behind it lead into. So it can be copied and written down as it is. */
typedef struct {
    double time;
    double h;               /* internal step size the solver will try next; 0: none yet */
    double strain[2];       /* steps at the edge of stability, -1 once that was said; and others since */
    double behind;          /* 1: parameters or motions have changed since, and x must follow */
    double step, span;      /* length of the last step, 0: none yet; and how far motions look back */
    double generic_rank[2]; /* of the constraints on positions, of all */
    double is_closed;       /* all of them were met at the start */
    double rank;            /* as it was said last */
    double *numbers;
    int n_numbers;
    double *x;          /* when initialization or the last step ended */
    double *u;          /* inputs as they are given */
    double *w;          /* all that acts */
    double *jerk;       /* of motions at the end of the last step */
    double *led;        /* 1: a derivative led this track in the last step */
    double *distrusted; /* 1: one led it astray */
    Watch watch;
    double *du;         /* rates of the inputs, for the next step only, whether it succeeds or not */
    double *p;
} State;
#define STATE_SCALARS (offsetof(State, numbers) / sizeof(double))
void copy_state(const State *from, State *to);

struct Instance {
    const Model *model;
    State now;
    Mode mode;
    int exchanges;      /* the importer integrates */
    int knows_singular; /* it was said that nothing keeps a motion on its way there */
    int knows_dense;    /* it was said that the fast way does not always do */
    double stop_time;   /* infinite if none was given */

    /* What follows from the state, computed when it is asked for. */
    int has_x;
    int has_xd;
    int has_z;
    int *has_stage;
    double *x; /* that of the state, on the constraints; while initializing: from parameters */
    double *xd;
    double *z; /* as xd; with constraints: without feedback, and with multipliers and quality */
    double *y;

    State trial; /* a step works here; a failed one leaves `now` untouched */
    Workspace work;
    Direction along;          /* asked for last */
    double *ddq, *ddu, *second; /* second derivatives in time: of coordinates, of what acts, of outputs */
    double *beyond, *reached; /* by how much quantities are not negative; what acts at the end of a step */

    Log *log;
    void *environment;
    int logged[N_CATEGORIES];
};

/* ---- Life: life.c ---- */

Instance *instance_new(const Model *model, int exchanges, Log *log, void *environment);
void instance_free(Instance *self);

/* Set parameters, inputs and state to what a new instance has. */
void make_fresh(Instance *self);

Status set_up(Instance *self, const char *where, const double *tolerance, double start, const double *stop);
Status end_initialization(Instance *self, const char *where);
Status do_step(Instance *self, const char *where, double time, double length);

/* The same in parts: between them somebody advances self->trial.x and self->xd. */
Status begin_step(Instance *self, const char *where, double time, double length, Problem *problem);
Status end_step(Instance *self, const char *where, double time, double length, const Problem *problem,
                const Outcome *outcome);

/* ---- Values and derivatives, by index into one table of variables: values.c, derivatives.c ---- */

Status get_values(Instance *self, const char *where, const unsigned index[], size_t n, double value[]);
Status set_values(Instance *self, const char *where, const unsigned index[], size_t n, const double value[]);

/* Where a value stands as long as the instance lives, for who sees to it that it is known. */
const double *place_of_value(const Instance *self, unsigned i);

Status set_input_rates(Instance *self, const char *where, const unsigned index[], size_t n, const int order[],
                       const double value[]);
Status get_directional_derivative(Instance *self, const char *where, const unsigned unknown[], size_t n,
                                  const unsigned known[], size_t m, const double seed[], double value[]);
Status get_output_rates(Instance *self, const char *where, const unsigned index[], size_t n,
                        const int order[], double value[]);

/* ---- The importer integrates: exchange.c ---- */

Status set_time(Instance *self, const char *where, double time);
Status set_states(Instance *self, const char *where, const double x[], size_t n);
Status get_states(Instance *self, const char *where, double x[], size_t n);
Status get_rates(Instance *self, const char *where, double xd[], size_t n);
Status get_nominals(Instance *self, const char *where, double nominal[], size_t n);

/* Have the states come so far from where they belong that it is worth an event? Bring them back. */
Status ask_for_event(Instance *self, int *is_worth_it);
Status bring_back(Instance *self, const char *where, int *has_moved);

/* ---- States written down, the same on every platform: state.c ---- */

typedef unsigned char Byte;
extern const char state_magic[8]; /* they begin with it */
size_t state_size(const Instance *self);
void write_state(Instance *self, Byte *bytes);

/* Is this a state of this model, whole? Was ever an instance in it? Go on from it. */
int is_state(Instance *self, const char *where, const Byte *bytes, size_t size);
int has_size_of_state(Instance *self, const char *where, size_t size);
int makes_sense(Instance *self, const char *where, const Byte *bytes);
Status take_state(Instance *self, const char *where, const Byte *bytes);

/* ---- For the parts of this core: instance.c, inputs.c ---- */

/* Forget what followed from a state, inputs or parameters that changed. */
void forget(Instance *self);

/* A value has changed: forget what it moves, x included if it does. */
typedef enum { OF_PARAMETER, OF_INPUT } Kind;
void value_changed(Instance *self, Kind kind);

/* Let act what is given now. In co-simulation, once a step was taken, positions and velocities of
   prescribed motions wait: they lead the next step. */
void let_act(Instance *self);
int acts_at_once(const Instance *self, int input);

/* Has every quaternion given a length? */
int orientations_are_told(Instance *self);

/* It is so late; forget what hangs on the time. */
void set_clock(Instance *self, double time);

/* What a step from a state needs to know. */
Problem problem_of(const Model *model, State *state);

/* Compute x, xd and z from it; say 0 and log why if there is none. */
int provide_x(Instance *self);
int provide_xd(Instance *self);
int provide_z(Instance *self);

/* Say once that evaluations have left the fast way of constraints. */
void tell_of_dense(Instance *self);

/* Compute the outputs of a stage, unless that has been done since the last change. */
int provide_stage(Instance *self, int stage);

/* Are derivatives finite? */
int is_sane(Instance *self, const double *xd);

/* Check indices of variables; 0 and a message if one is unknown or the values are NULL. */
int are_known(Instance *self, const char *where, const unsigned index[], size_t n, const void *value);

/* Check a value of variable i before it is handed out; 0 and a message if it is not finite. */
int is_finite(Instance *self, const char *where, const char *what, unsigned i, double value);

/* Check a parameter against its limits. */
int within_limits(Instance *self, const char *where, unsigned i, double value);

/* Take states from the importer as they are. */
void take_states(Instance *self, const double x[]);

/* Write a message, and return the status it is about. */
Status report(Instance *self, Status status, Category category, const char *format, ...);
#define fail(self, ...) report(self, STATUS_ERROR, LOG_ERROR, __VA_ARGS__)

/* Write down what is computed, if somebody wants to hear it: several times a step, so it is asked first. */
#define note(self, ...)                                                                                      \
    ((self)->logged[LOG_EVALUATIONS] ? report(self, STATUS_OK, LOG_EVALUATIONS, __VA_ARGS__) : STATUS_OK)

END_HIDDEN

#endif
