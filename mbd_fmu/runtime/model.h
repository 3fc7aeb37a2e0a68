/* One mechanism as data: sizes, tables and equations.

   model.c is generated and fills one Model; with it come model_part_1.c and others where a mechanism
   is large. Everything else in this folder is written by hand and the same for every mechanism; which of it
   a mechanism needs, its Model says by naming a Mechanism, a Method and Motions. */
#ifndef MODEL_H
#define MODEL_H

#include "functions.h"

BEGIN_HIDDEN

/* What is computed together: parameters that follow from others, then outputs, stage by stage. The solution
   z holds the derivatives of x, and of a mechanism with constraints the multipliers and their quality. */
typedef enum { NEEDS_P, NEEDS_X, NEEDS_Z } Needs; /* each with those before it */
typedef struct {
    const char *name;
    void (*compute)(const double *x, const double *u, const double *z, const double *p, double *y, double *memory);
    /* their change when x, u, p and z change by dx, du, dp and dz */
    void (*tangent)(const double *x, const double *u, const double *z, const double *p, const double *dx,
                    const double *du, const double *dp, const double *dz, double *dy, double *memory);
    int first; /* index of its first output */
    int count;
    Needs needs;
} Stage;

/* What acts and is no input: it starts with the value of a parameter, or at zero (-1). */
typedef struct {
    int w, parameter;
} Made;

/* Prescribed motions: where position, velocity and acceleration of one scalar act; or, after those,
   where a quaternion, an angular velocity and an angular acceleration begin. And among the inputs
   (-1: none). */
typedef enum { PRESCRIBED_FULL, PRESCRIBED_POSITION, PRESCRIBED_VELOCITY } Prescribed;
typedef struct {
    const char *motion; /* name of the joint */
    Prescribed by;
    int w[3], u[3];
} Track;

/* Start values of the coordinates or velocities of a free velocity: 2 fixed, 1 given in the model, 0 may
   move; and which parameters hold them, from where on and how many. */
typedef struct {
    int held, parameter, count;
} Start;

/* A row of the constraints. */
typedef struct {
    const char *element; /* that it belongs to */
    int turns;           /* measured in radians, not in metres */
} Row;

typedef enum { STABILIZATION_NONE, STABILIZATION_PROJECTION, STABILIZATION_BAUMGARTE } Stabilization;

typedef struct Mechanism Mechanism; /* of a tree or of loops: see mechanism.h */
typedef struct Method Method;       /* of integration: see solver.h */
typedef struct Motions Motions;     /* that are prescribed: see motions.h */
extern const Mechanism tree_mechanism, loop_mechanism;
extern const Motions prescribed_motions;
extern const Method dopri5_method, rk4_method, stiff_method;

typedef struct {
    const char *guid;
    const Mechanism *mechanism;
    const Method *method;
    const Motions *motions; /* NULL: none */
    Stabilization stabilization;
    double length;       /* characteristic of the mechanism */
    const char *stepped; /* a joint whose motion is made from step to step, or NULL */

    /* Sizes. Variables are counted as parameters, inputs, outputs, states, derivatives of states. The first
       of the outputs are parameters that follow from others. x holds n_q coordinates, those of cut joints
       last among them, n_v velocities, and the work that is counted. */
    int n_p, n_u, n_y, n_derived, n_x, n_q, n_v;
    int n_z;                 /* of the solution that outputs are made of */
    int n_w;                 /* of all that acts on the equations, their u: inputs, what is made of them, */
    int has_time;            /* and the time, which acts last, if anything hangs on it */
    int n_rows, n_holonomic; /* of the constraints: all, and those on positions, which come first */
    int has_rows_on_cuts;    /* some compare coordinates of cut joints */
    int n_loads, n_branches, n_quaternions, n_positive, n_made, n_stages;
    int n_signals, n_turns;  /* tracks of prescribed motions: scalars, then turns */
    int n_chosen, n_factor;  /* of the fast way: rows that it takes, numbers of its factor, */
    double least_share;      /* and the share of their pivots down to which it is trusted */
    int n_memory;            /* that each of the functions below is lent; what is in it counts for nothing */

    /* Parameters with a meaning: the tolerance; the step of a method with equal ones, or -1; and the gains
       of Baumgarte's feedback, two in a row. */
    int p_tolerance, p_step, p_gains;

    const char *const *name; /* of every variable */
    const double *p_start, *p_min, *p_max;
    const int *p_tunable; /* may change between steps */
    const double *u_start;
    const int *acting; /* where each input acts, */
    const int *waits;  /* and whether it waits for the next step in co-simulation: it leads a motion */
    const Made *made;
    const Track *track;
    const char *const *state_name; /* for messages */
    const double *nominal;         /* size of the states */
    const int *quaternion;         /* where in x a unit quaternion begins */
    const char *const *quaternion_joint;
    const char *const *positive_name;
    const char *const *branch_joint; /* joints that can be closed the wrong way round */
    const Row *row;
    const double *row_weight; /* makes rows comparable */
    const Start *start_q, *start_v; /* of each free velocity */
    const int *chosen;     /* rows that the fast way takes */
    const Stage *stage;
    const int *stage_of; /* output -> stage */
    int positions;       /* the stage of outputs that are positions; -1: none */

    /* Start values as they are given; and the change of those with quaternions of length 1. */
    void (*start)(const double *p, double *x, double *memory);
    void (*start_tangent)(const double *p, const double *dp, double *dx, double *memory);

    /* Of quantities that must not be negative, and that limits of single parameters do not keep so, by how
       much they are not. */
    void (*positive)(const double *p, double *beyond, double *memory);

    /* Second derivatives in time, from first and second ones of the inputs: of the coordinates, and with those
       of outputs that are positions. */
    void (*coordinates_second)(const double *x, const double *u, const double *z, const double *p,
                               const double *du, double *ddq, double *memory);
    void (*positions_second)(const double *x, const double *u, const double *z, const double *p,
                             const double *du, const double *ddq, const double *ddu, double *ddy,
                             double *memory);

    /* ---- Of a tree ---- */

    void (*derivatives)(const double *x, const double *u, const double *p, double *xd, double *memory);
    void (*derivatives_tangent)(const double *x, const double *u, const double *p, const double *dx,
                                const double *du, const double *dp, double *dxd, double *memory);

    /* For the stiff method. Rows of n_x + 1: in x, and in the inputs along du. */
    void (*jacobian)(const double *x, const double *u, const double *du, const double *p, double *jacobian, double *memory);

    /* ---- Of a mechanism with constraints: M dv/dt = f + J^T lam, J dv/dt = gamma ---- */

    /* phi is what rows on positions miss, sigma what all rows miss on velocities; phi cannot be known better
       than to its rounding, given in shares of DBL_EPSILON. */
    void (*equations)(const double *x, const double *u, const double *p, double *M, double *f, double *J,
                      double *gamma, double *sigma, double *phi, double *rounding, double *memory);
    void (*closure)(const double *x, const double *u, const double *p, double *J, double *sigma, double *phi,
                    double *rounding, double *memory);

    /* The fast way, NULL: there is none. Derivatives, with Baumgarte's feedback where it is chosen, multipliers
       of the chosen rows, the factor, and how far it is in doubt, for the rows and for what velocities lose of their
       digits; the v of M v = force + J^T lam, J v = row for the chosen rows, by that factor; and what the rows
       miss, without J. */
    void (*motion)(const double *x, const double *u, const double *p, double *xd, double *lam, double *factor,
                   double *doubt, double *memory);
    void (*solution)(const double *factor, const double *force, const double *row, double *v, double *memory);
    void (*gaps)(const double *x, const double *u, const double *p, double *sigma, double *phi,
                 double *rounding, double *memory);

    /* Derivatives of x when the velocities change at vd. */
    void (*rates)(const double *x, const double *u, const double *vd, const double *p, double *xd, double *memory);

    /* x displaced by d, and the d that displaces x so that it changes by dx; x with the coordinates of cut
       joints as the bodies say. */
    void (*retract)(const double *x, const double *u, const double *d, const double *p, double *moved, double *memory);
    void (*displacement)(const double *x, const double *u, const double *dx, const double *p, double *d, double *memory);
    void (*cut_coordinates)(const double *x, const double *u, const double *p, double *moved, double *memory);

    /* Cosines that are negative where a joint is closed the wrong way round. */
    void (*branch_cosines)(const double *x, const double *u, const double *p, double *cosines, double *memory);

    /* Forces and torques per length that the multipliers load the joints with. */
    void (*loads)(const double *x, const double *u, const double *vd, const double *lam, const double *p,
                  double *loads, double *memory);

    /* Gradient of w . loads + mu . J^T lam in lam, and its change. */
    void (*load_gradient)(const double *x, const double *u, const double *p, const double *w,
                          const double *mu, double *gradient, double *memory);
    void (*load_gradient_tangent)(const double *x, const double *u, const double *p, const double *w,
                                  const double *mu, const double *dx, const double *du, const double *dp,
                                  double *dgradient, double *memory);

    /* Tangents: the change of the residuals f - M vd + J^T lam and gamma - J vd, of rates and of loads; of
       sigma and phi; and of what retract and cut_coordinates make of x. */
    void (*residual_tangent)(const double *x, const double *u, const double *vd, const double *lam,
                             const double *p, const double *dx, const double *du, const double *dp,
                             double *dforce, double *drow, double *memory);
    void (*rates_tangent)(const double *x, const double *u, const double *vd, const double *p,
                          const double *dx, const double *du, const double *dp, const double *dvd,
                          double *dxd, double *memory);
    void (*loads_tangent)(const double *x, const double *u, const double *vd, const double *lam,
                          const double *p, const double *dx, const double *du, const double *dp,
                          const double *dvd, const double *dlam, double *dloads, double *memory);
    void (*closure_tangent)(const double *x, const double *u, const double *p, const double *dx,
                            const double *du, const double *dp, double *dsigma, double *dphi, double *memory);
    void (*retract_tangent)(const double *x, const double *u, const double *d, const double *p,
                            const double *dx, const double *du, const double *dp, const double *dd,
                            double *dmoved, double *memory);
    void (*cut_coordinates_tangent)(const double *x, const double *u, const double *p, const double *dx,
                                    const double *du, const double *dp, double *dmoved, double *memory);

    /* For the stiff method. Derivatives in x and, last column, in the inputs along du: of the residuals, of
       that of the rows with the feedback that is chosen, and of the rates; of these in vd, too. */
    void (*residual_jacobian)(const double *x, const double *u, const double *du, const double *vd,
                              const double *lam, const double *p, double *force, double *row, double *rates,
                              double *memory);
    void (*rates_by_vd)(const double *x, const double *u, const double *vd, const double *p, double *by_vd,
                        double *memory);
} Model;

/* The mechanism of this library. */
extern const Model this_model;

static inline unsigned first_input(const Model *model) { return (unsigned)model->n_p; }
static inline unsigned first_output(const Model *model) { return (unsigned)(model->n_p + model->n_u); }
static inline unsigned first_state(const Model *model)
{
    return (unsigned)(model->n_p + model->n_u + model->n_y);
}
static inline unsigned first_derivative(const Model *model)
{
    return first_state(model) + (unsigned)model->n_x;
}
static inline unsigned n_variables(const Model *model)
{
    return first_derivative(model) + (unsigned)model->n_x;
}

static inline int n_tracks(const Model *model) { return model->n_signals + model->n_turns; }
static inline int n_components(const Model *model) { return model->n_signals + 3 * model->n_turns; }

END_HIDDEN

#endif
