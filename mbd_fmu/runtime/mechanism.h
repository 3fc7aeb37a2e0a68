/* What a tree and a mechanism with constraints do each in their own way: tree.c, loops.c. */
#ifndef MECHANISM_H
#define MECHANISM_H

#include "solver.h"

BEGIN_HIDDEN

typedef struct Instance Instance;

/* A direction, and the changes along it that were asked for. */
typedef struct {
    double *dx, *du, *dp;
    double *dxd; /* of the derivatives that an integrator sees */
    double *dz;  /* of the solution that outputs are made of */
    double *dy;
    int has_dxd, has_dz, *has_dy;
} Direction;

struct Mechanism {
    /* Take what it works with. */
    void (*lay_out)(Block *block, const Model *model, Workspace *work);

    /* Derivatives of x a time t into the step; not finite where there are none. */
    void (*evaluate)(const Problem *problem, Workspace *work, double t, const double *x, double *xd);

    /* Bring x back to where it belongs: quaternions to length 1, coordinates to the constraints. */
    int (*settle)(const Problem *problem, Workspace *work, double t, double *x);

    /* Before and after a step from x is tried: of its error leave what stays when it has settled. */
    void (*look_ahead)(Workspace *work);
    void (*look_back)(const Problem *problem, Workspace *work, const double *x, Outcome *out);

    /* For the stiff method: work->jacobian by the inputs and rates that are in `work`. Where rows say the
       same, some are chosen; as long as these are held, derivatives follow from them and nowhere jump. */
    void (*jacobian)(const Problem *problem, Workspace *work, const double *x, Outcome *out);
    void (*hold_rows)(Workspace *work, int is_held);

    /* ---- Of an instance; 0 and a message where it fails ---- */

    /* Bring start values, in self->x, to the constraints. */
    int (*assemble)(Instance *self);

    /* What holds the mechanism together has moved since the last step: the rest follows, from where it was
       then, whatever was asked for in between. */
    int (*follow)(Instance *self);

    /* Compute z from x, unless that has been done. */
    int (*provide_z)(Instance *self);

    /* Largest miss of the rows, in shares of the characteristic length and of the pace there; 0 where
       nothing would bring them back. */
    double (*astray)(Instance *self);

    /* Changes along a direction: of assembled start values, of derivatives, of the solution. */
    int (*start_tangent)(Instance *self, Direction *along);
    int (*rates_tangent)(Instance *self, Direction *along);
    int (*solution_tangent)(Instance *self, Direction *along);
};

static inline void evaluate(const Problem *problem, Workspace *work, double t, const double *x, double *xd)
{
    problem->model->mechanism->evaluate(problem, work, t, x, xd);
}

static inline int settle(const Problem *problem, Workspace *work, double t, double *x)
{
    return problem->model->mechanism->settle(problem, work, t, x);
}

void normalize_quaternions(const Model *model, double *x);

END_HIDDEN

#endif
