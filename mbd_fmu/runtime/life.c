/* An instance from its first to its last step. */
#include "inputs.h"
#include "motions.h"
#include "vectors.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Memory ---- */

static void lay_out_state(Block *block, const Model *model, State *s)
{
    int parts = n_components(model), tracks = n_tracks(model);
    const struct {
        double **place;
        int n;
    } row[] = {
        {&s->x, model->n_x},          {&s->u, model->n_u},           {&s->w, model->n_w},
        {&s->jerk, parts},            {&s->led, tracks},             {&s->distrusted, tracks},
        {&s->watch.before, model->n_u}, {&s->watch.excess[0], parts}, {&s->watch.excess[1], parts},
        {&s->watch.way[0], tracks},   {&s->watch.way[1], tracks},    {&s->watch.steps[0], tracks},
        {&s->watch.steps[1], tracks}, {&s->watch.said, tracks},      {&s->du, model->n_u},
        {&s->p, model->n_p},
    };
    double *next;
    s->n_numbers = 0;
    for (size_t k = 0; k < sizeof row / sizeof row[0]; ++k) s->n_numbers += row[k].n;
    s->numbers = next = take_doubles(block, s->n_numbers);
    for (size_t k = 0; next && k < sizeof row / sizeof row[0]; next += row[k++].n) *row[k].place = next;
}

static void lay_out_direction(Block *block, const Model *model, Direction *along)
{
    along->dx = take_doubles(block, model->n_x);
    along->du = take_doubles(block, model->n_w);
    along->dp = take_doubles(block, model->n_p);
    along->dxd = take_doubles(block, model->n_x);
    along->dz = take_doubles(block, model->n_z);
    along->dy = take_doubles(block, model->n_y);
    along->has_dy = take_ints(block, model->n_stages);
}

/* Take the instance and all it needs from a block, or measure how large the block must be. */
static Instance *lay_out(Block *block, const Model *model)
{
    Instance measured, *place = take(block, sizeof *place), *self = place ? place : &measured;
    lay_out_state(block, model, &self->now);
    lay_out_state(block, model, &self->trial);
    self->has_stage = take_ints(block, model->n_stages);
    self->x = take_doubles(block, model->n_x);
    self->xd = take_doubles(block, model->n_x);
    self->z = take_doubles(block, model->n_z);
    self->y = take_doubles(block, model->n_y);
    lay_out_workspace(block, model, &self->work);
    lay_out_direction(block, model, &self->along);
    self->ddq = take_doubles(block, model->n_x);
    self->ddu = take_doubles(block, model->n_w);
    self->second = take_doubles(block, model->n_y);
    self->beyond = take_doubles(block, model->n_positive);
    self->reached = take_doubles(block, model->n_w);
    return place;
}

Instance *instance_new(const Model *model, int exchanges, Log *log, void *environment)
{
    Block block = {NULL, 0};
    Instance *self;
    lay_out(&block, model);
    block.base = calloc(1, block.used);
    if (!block.base) return NULL;
    block.used = 0;
    self = lay_out(&block, model);
    self->model = model;
    self->exchanges = exchanges;
    self->log = log;
    self->environment = environment;
    self->logged[LOG_ERROR] = self->logged[LOG_WARNING] = 1;
    make_fresh(self);
    return self;
}

void instance_free(Instance *self) { free(self); }

/* ---- Initialization ---- */

void make_fresh(Instance *self)
{
    State *now = &self->now;
    memset(now, 0, sizeof(double) * STATE_SCALARS);
    clear(now->n_numbers, now->numbers);
    copy(self->model->n_p, self->model->p_start, now->p);
    copy(self->model->n_u, self->model->u_start, now->u);
    let_act(self);
    self->mode = INSTANTIATED;
    self->knows_singular = self->knows_dense = 0;
    self->work.n_dense = 0;
    self->stop_time = INFINITY;
    self->has_x = 0;
    forget(self);
}

Status set_up(Instance *self, const char *where, const double *tolerance, double start, const double *stop)
{
    int i = self->model->p_tolerance;
    double least = self->model->p_min[i], most = self->model->p_max[i];
    if (!isfinite(start)) return fail(self, "%s: start time %.17g", where, start);
    if (stop && !(*stop > start))
        return fail(self, "%s: stop time %.17g is not after start time %.17g", where, *stop, start);
    if (tolerance && !(*tolerance >= least && *tolerance <= most))
        return fail(self, "%s: tolerance %.17g is outside %g to %g", where, *tolerance, least, most);
    if (tolerance) self->now.p[i] = *tolerance;
    set_clock(self, start);
    self->stop_time = stop ? *stop : INFINITY;
    return STATUS_OK;
}

/* Said by their names, before what is made of them fits nowhere. */
static int derived_are_finite(Instance *self, const char *where)
{
    unsigned first = first_output(self->model);
    for (unsigned i = first; i < first + (unsigned)self->model->n_derived; ++i) {
        double value;
        if (get_values(self, where, &i, 1, &value) != STATUS_OK) return 0;
    }
    return 1;
}

Status end_initialization(Instance *self, const char *where)
{
    for (int i = 0; i < self->model->n_p; ++i)
        if (!within_limits(self, where, (unsigned)i, self->now.p[i])) return STATUS_ERROR;
    if (!derived_are_finite(self, where)) return STATUS_ERROR;
    if (!provide_xd(self)) return STATUS_ERROR;
    copy(self->model->n_x, self->x, self->now.x);
    self->mode = self->exchanges ? EVENT : STEPPING;
    return STATUS_OK;
}

/* ---- Stepping ---- */

/* How far clocks may be apart by rounding: a small share of the step, and some last digits. */
static double slack(double length, double time)
{
    return 1e-6 * length + (isfinite(time) ? 4.0 * DBL_EPSILON * fabs(time) : 0.0);
}

/* Can a step of this length be tried here and now? */
static Status admit_step(Instance *self, const char *where, double time, double length)
{
    int step = self->model->p_step;
    if (!(length > 0.0 && isfinite(length)))
        return fail(self, "%s: step size %.17g is not positive and finite", where, length);
    /* The importer's clock is the truth; it may differ from ours by its rounding, not by more. */
    if (!(fabs(time - self->now.time) <= slack(length, self->now.time)))
        return fail(self, "%s: communication point %.17g, but the last step ended at %.17g", where, time,
                    self->now.time);
    if (!isfinite(time + length))
        return fail(self, "%s: %.17g and %.17g add up to no time", where, time, length);
    if (!(time + length <= self->stop_time + slack(length, self->stop_time)))
        return fail(self, "%s: the step ends at %.17g, after the stop time %.17g", where, time + length,
                    self->stop_time);
    if (step >= 0 && !(length <= MOST_STEPS * self->now.p[step]))
        return fail(self, "%s: a step of %g s takes more than %ld of %s = %g s", where, length, MOST_STEPS,
                    self->model->name[step], self->now.p[step]);
    return STATUS_OK;
}

/* Say what was the matter with a step; the state is what it was. */
static Status not_followed(Instance *self, const char *where, const Outcome *outcome, double time,
                           double length)
{
    const Model *model = self->model;
    const char *name = model->state_name[outcome->state];
    double reached = time + outcome->time;
    if (model->p_step >= 0)
        return fail(self,
                    "%s: the motion of %s cannot be followed beyond t = %.17g with steps of %s = %g s; "
                    "the state is still that at t = %.17g",
                    where, name, reached, model->name[model->p_step], self->now.p[model->p_step],
                    self->now.time);
    if (outcome->ending == TOO_MANY_STEPS)
        return fail(self,
                    "%s: the motion of %s cannot be followed in reasonable time: after %ld internal "
                    "steps t = %.17g, and at this pace more than %ld are needed for %g s; is something very "
                    "stiff (solver = \"stiff\") or very fast? The state is still that at t = %.17g",
                    where, name, outcome->steps, reached, MOST_STEPS, length, self->now.time);
    return fail(self,
                "%s: the motion of %s cannot be followed beyond t = %.17g with tolerance %g and internal "
                "steps of %g s, the shortest in one of %g s; the state is still that at t = %.17g",
                where, name, reached, self->now.p[model->p_tolerance], SMALLEST_SHARE * length, length,
                self->now.time);
}

/* Say once that another solver or projection would do better, if the steps up to `state` say so. */
static void advise(Instance *self, const Outcome *outcome, State *state)
{
    if (outcome->near_singular && !self->knows_singular) {
        self->knows_singular = 1;
        report(self, STATUS_OK, LOG_WARNING,
               "t = %.17g: the next step passes a singular position, where the mechanism could go on another "
               "way; only stabilization = \"projection\" in [fmu] keeps it on its own",
               self->now.time);
    }
    tell_of_dense(self);
    if (!(state->strain[0] >= STIFF_STEPS)) return;
    report(self, STATUS_OK, LOG_WARNING,
           "t = %.17g: the motion is stiff: stability, not accuracy, keeps the steps of dopri5 short; "
           "build the FMU with solver = \"stiff\" in [fmu]",
           self->now.time);
    self->now.strain[0] = state->strain[0] = -1.0;
}

/* Take over what acts at the end of a step: inputs have moved on with it, and so has the time. */
static void arrive(Instance *self, const Problem *problem)
{
    const Model *model = self->model;
    State *trial = &self->trial;
    inputs_at(problem, trial->step, self->reached);
    copy(model->n_w, self->reached, trial->w);
    for (int i = 0; i < model->n_u; ++i) {
        trial->u[i] += trial->du[i] * trial->step;
        if (!model->waits[i]) trial->w[model->acting[i]] = trial->u[i]; /* to the last digit */
    }
    if (model->motions) model->motions->arrive(self, trial, self->reached);
}

Status begin_step(Instance *self, const char *where, double time, double length, Problem *problem)
{
    const Model *model = self->model;
    State *trial = &self->trial;
    if (admit_step(self, where, time, length) != STATUS_OK) return STATUS_ERROR;
    if (model->has_time) set_clock(self, time); /* the importer's, to the last digit */
    if (!orientations_are_told(self) || !provide_xd(self)) return STATUS_ERROR;

    copy_state(&self->now, trial);
    copy(model->n_x, self->x, trial->x);
    trial->behind = 0.0;
    if (model->motions) model->motions->set_out(self, trial, length);
    trial->step = length;
    *problem = problem_of(model, trial);
    problem->is_inside = 1;
    problem->course = self->work.course;
    return STATUS_OK;
}

Status end_step(Instance *self, const char *where, double time, double length, const Problem *problem,
                const Outcome *outcome)
{
    const Model *model = self->model;
    State *trial = &self->trial;
    forget(self);
    clear(model->n_u, self->now.du);
    advise(self, outcome, trial);
    if (outcome->ending != ARRIVED) return not_followed(self, where, outcome, time, length);

    arrive(self, problem);
    for (int i = 0; i < model->n_u; ++i)
        if (!is_finite(self, where, "at the end of the step ", first_input(model) + (unsigned)i, trial->u[i]))
            return STATUS_ERROR;
    /* The solver's last look may have been off by its own rounding; then it is not what anybody would
       compute from the state alone. */
    self->has_xd = !memcmp(trial->w, self->work.u, sizeof(double) * (size_t)model->n_w);
    clear(model->n_u, trial->du);
    trial->time = time + length;
    copy_state(trial, &self->now);
    copy(model->n_x, self->now.x, self->x);
    note(self, "step to t = %.17g: %ld internal steps, %ld evaluations, %ld Jacobians", self->now.time,
         outcome->steps, outcome->evaluations, outcome->jacobians);
    return STATUS_OK;
}

Status do_step(Instance *self, const char *where, double time, double length)
{
    Problem problem;
    Outcome outcome;
    if (begin_step(self, where, time, length, &problem) != STATUS_OK) return STATUS_ERROR;
    outcome = self->model->method->advance(&problem, &self->work, length, self->trial.x, self->xd);
    return end_step(self, where, time, length, &problem, &outcome);
}
