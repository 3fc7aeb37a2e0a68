#include "batch.h"

#include "together.h"

#include <math.h>
#include <stdlib.h>

/* An instance at work on a case. */
typedef struct {
    Instance *instance;
    Hear *hear;
    size_t at; /* number of the case */
    const double *setting;
    double *kept;
    size_t n_kept;
    const double **place; /* where each output stands */
} Member;

struct Batch {
    const Plan *plan;
    Lanes *lanes;   /* NULL: cases run one by one */
    int *asks;      /* of each stage: is one of its outputs asked for? */
    int asks_rates; /* are states, or their derivatives? */
    double *row;    /* n_outputs */
    int n_members;
    Member member[MOST_TOGETHER];
    Instance *alive[MOST_TOGETHER]; /* those of members that have not failed; NULL: the others */
};

int batch_width(void)
{
    return this_together && this_together->width <= processor_lanes() ? this_together->width : 1;
}

/* ---- Memory ---- */

static void hear_of(void *environment, Status status, Category category, const char *text)
{
    const Member *member = environment;
    (void)category;
    member->hear(member->at, status == STATUS_ERROR, text);
}

static void mark_stages(Batch *self)
{
    unsigned first = first_output(&this_model), end = first_state(&this_model);
    for (size_t k = 0; k < self->plan->n_outputs; ++k) {
        unsigned i = self->plan->output[k];
        if (i >= first && i < end) self->asks[this_model.stage_of[i - first]] = 1;
        if (i >= end) self->asks_rates = 1;
    }
}

Batch *batch_new(const Plan *plan, Hear *hear, int at_once)
{
    Batch *self = calloc(1, sizeof *self);
    int ok = self != NULL;
    if (!ok) return NULL;
    self->plan = plan;
    self->n_members = at_once ? batch_width() : 1;
    self->asks = calloc((size_t)this_model.n_stages + 1, sizeof *self->asks);
    self->row = calloc(plan->n_outputs + 1, sizeof *self->row);
    ok = self->asks && self->row;
    for (int m = 0; ok && m < self->n_members; ++m) {
        self->member[m].hear = hear;
        self->member[m].instance = instance_new(&this_model, 0, hear_of, &self->member[m]);
        self->member[m].place = calloc(plan->n_outputs + 1, sizeof *self->member[m].place);
        ok = self->member[m].instance && self->member[m].place;
        for (size_t k = 0; ok && k < plan->n_outputs; ++k)
            self->member[m].place[k] = place_of_value(self->member[m].instance, plan->output[k]);
    }
    if (ok && self->n_members > 1) ok = (self->lanes = this_together->make(&this_model)) != NULL;
    if (ok) {
        mark_stages(self);
        return self;
    }
    batch_free(self);
    return NULL;
}

void batch_free(Batch *self)
{
    if (!self) return;
    for (int m = 0; m < self->n_members; ++m) {
        instance_free(self->member[m].instance);
        free(self->member[m].place);
    }
    if (self->lanes) this_together->drop(self->lanes);
    free(self->asks);
    free(self->row);
    free(self);
}

/* ---- A case ---- */

static void keep_extremes(size_t n, const double *row, int is_first, double *least, double *greatest)
{
    for (size_t i = 0; i < n; ++i) {
        least[i] = is_first || row[i] < least[i] ? row[i] : least[i];
        greatest[i] = is_first || row[i] > greatest[i] ? row[i] : greatest[i];
    }
}

/* The outputs, most often all at once; who is not finite, the slow way tells. */
static Status get_outputs(const Batch *self, const Member *member, double *row)
{
    Instance *it = member->instance;
    size_t n = self->plan->n_outputs;
    int off = 0, ok = !self->asks_rates || provide_xd(it);
    for (int k = 0; ok && k < this_model.n_stages; ++k) ok = !self->asks[k] || provide_stage(it, k);
    if (!ok) return STATUS_ERROR;
    for (size_t k = 0; k < n; ++k) {
        row[k] = *member->place[k];
        off |= row[k] - row[k] != 0.0;
    }
    return !off ? STATUS_OK : get_values(it, "outputs", self->plan->output, n, row);
}

static Status keep_outputs(const Batch *self, Member *member)
{
    const Plan *plan = self->plan;
    size_t n = plan->n_outputs;
    double *place = plan->keep == KEEP_ALL ? member->kept + member->n_kept * n
                    : plan->keep == KEEP_LAST ? member->kept
                                              : self->row;
    if (get_outputs(self, member, place) != STATUS_OK) return STATUS_ERROR;
    if (plan->keep == KEEP_EXTREMES)
        keep_extremes(n, self->row, member->n_kept == 0, member->kept, member->kept + n);
    ++member->n_kept;
    return STATUS_OK;
}

static Status begin_case(const Plan *plan, Member *member)
{
    Instance *it = member->instance;
    make_fresh(it);
    if (set_up(it, "start", NULL, plan->points.time[0], NULL) != STATUS_OK) return STATUS_ERROR;
    if (set_values(it, "settings", plan->setting, plan->n_settings, member->setting) != STATUS_OK)
        return STATUS_ERROR;
    it->mode = INITIALIZATION;
    return STATUS_OK;
}

static Status give_inputs(const Points *points, size_t k, Instance *it)
{
    size_t n = points->n_columns, first = k * n;
    int what = points->what[k];
    if (what & GIVES_VALUES &&
        set_values(it, "inputs", points->column, n, points->values + first) != STATUS_OK)
        return STATUS_ERROR;
    if (it->mode == INITIALIZATION && end_initialization(it, "start") != STATUS_OK) return STATUS_ERROR;
    if (!(what & GIVES_RATES)) return STATUS_OK;
    for (size_t i = 0; i < n; ++i) {
        int order = 1;
        const double *rate = points->rates + first + i;
        if (set_input_rates(it, "inputs", points->column + i, 1, &order, rate) != STATUS_OK) return STATUS_ERROR;
    }
    return STATUS_OK;
}

/* ---- Members side by side ---- */

/* What a member has failed at, it does not go on with. */
static void bury(Batch *self, int m, Status status)
{
    if (status != STATUS_OK) self->alive[m] = NULL;
}

static void take_steps(Batch *self, size_t k)
{
    const Points *points = &self->plan->points;
    double time = points->time[k], length = points->length[k];
    Status status[MOST_TOGETHER] = {STATUS_OK};
    if (self->lanes)
        this_together->step(self->lanes, self->alive, "step", time, length, status);
    else
        status[0] = do_step(self->alive[0], "step", time, length);
    for (int m = 0; m < self->n_members; ++m) bury(self, m, status[m]);
}

static int walk(Batch *self, size_t k)
{
    const Points *points = &self->plan->points;
    int n_alive = 0;
    for (int m = 0; m < self->n_members; ++m)
        if (self->alive[m]) bury(self, m, give_inputs(points, k, self->alive[m]));
    if (self->lanes && k == 0) this_together->seat(self->lanes, self->alive);
    if (self->lanes)
        this_together->provide(self->lanes, self->alive, points->what[k] & IS_ASKED ? self->asks : NULL);
    for (int m = 0; m < self->n_members; ++m)
        if (self->alive[m] && points->what[k] & IS_ASKED)
            bury(self, m, keep_outputs(self, &self->member[m]));
    for (int m = 0; m < self->n_members; ++m) n_alive += self->alive[m] != NULL;
    if (n_alive > 0 && points->length[k] > 0.0) take_steps(self, k);
    return n_alive;
}

/* Run the cases from `first` on, as many as there are members. Of one that fails, rows up to there stay. */
static void run_members(Batch *self, const Cases *cases, size_t first)
{
    const Plan *plan = self->plan;
    size_t size = plan->n_rows * plan->n_outputs;
    for (int m = 0; m < self->n_members; ++m) {
        Member *member = &self->member[m];
        size_t i = first + (size_t)m;
        self->alive[m] = NULL;
        if (i >= cases->n) continue;
        member->at = cases->first + i;
        member->setting = cases->setting + i * plan->n_settings;
        member->kept = cases->kept + i * size;
        member->n_kept = 0;
        self->alive[m] = member->instance;
        bury(self, m, begin_case(plan, member));
    }
    for (size_t k = 0; k < plan->points.n && walk(self, k) > 0; ++k) continue;
    for (int m = 0; m < self->n_members && first + (size_t)m < cases->n; ++m) {
        Member *member = &self->member[m];
        size_t from = plan->keep == KEEP_ALL ? member->n_kept * plan->n_outputs : 0;
        cases->failed[first + (size_t)m] = !self->alive[m];
        if (self->alive[m]) continue;
        for (size_t i = from; i < size; ++i) member->kept[i] = NAN;
    }
}

void batch_run(Batch *self, const Cases *cases)
{
    for (size_t i = 0; i < cases->n; i += (size_t)self->n_members) run_members(self, cases, i);
}
