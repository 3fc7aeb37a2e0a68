#include "adaptive.h"
#include "mechanism.h"

typedef Problem StepProblem;
typedef Workspace StepWork;
#define evaluate_step evaluate
#include "dopri5_step.h"

/* Stability ends at h |lambda| = 3.3, near the imaginary axis sooner; steps that accuracy keeps short are
   well below 2. So many calm steps in a row, and what was before is forgotten. */
#define BOUNDARY 2.5
#define CALM_STEPS 6.0

static void prepare(const Problem *problem, Workspace *work, double t, const double *x, Outcome *out)
{
    (void)problem, (void)work, (void)t, (void)x, (void)out;
}

static void attempt(const Problem *problem, Workspace *work, double t, double h, const double *x,
                    Outcome *out)
{
    dopri5_attempt(problem, work, t, h, x);
    out->evaluations += STAGES - 1;
}

void review_reach(double *strain, double reach)
{
    double *hits = strain, *calm = strain + 1;
    if (*hits < 0.0 || *hits >= STIFF_STEPS) return; /* known by now */
    if (reach > BOUNDARY) {
        *hits += 1.0;
        *calm = 0.0;
    } else if (++*calm >= CALM_STEPS)
        *hits = 0.0;
}

static void review(const Problem *problem, const Workspace *work)
{
    review_reach(problem->strain, work->reach);
}

static const Adaptive dopri5 = {prepare, attempt, dopri5_factor, review, LAST_STAGE};

static Outcome advance(const Problem *problem, Workspace *work, double length, double *x, double *xd)
{
    return advance_adaptively(&dopri5, problem, work, length, x, xd);
}

const Method dopri5_method = {NULL, advance};
