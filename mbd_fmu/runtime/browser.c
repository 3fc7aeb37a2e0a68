#include "browser.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SAID = 4096 };

struct Live {
    Instance *instance;
    double *value;
    unsigned *index;
    Byte *state;
    size_t n_said;
    char said[MOST_SAID], told[MOST_SAID]; /* since it was asked; what was handed over */
};

/* What does not fit is cut off: the first messages say what was the matter. */
static void hear(void *environment, Status status, Category category, const char *text)
{
    Live *self = environment;
    size_t room = MOST_SAID - self->n_said;
    int n = snprintf(self->said + self->n_said, room, "%s: %s\n", category_name[category], text);
    (void)status;
    if (n > 0) self->n_said += (size_t)n < room ? (size_t)n : room - 1;
}

void live_free(Live *self)
{
    if (!self) return;
    if (self->instance) instance_free(self->instance);
    free(self->value);
    free(self->index);
    free(self->state);
    free(self);
}

Live *live_new(void)
{
    size_t n = n_variables(&this_model);
    Live *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    self->instance = instance_new(&this_model, 0, hear, self);
    self->value = calloc(n, sizeof *self->value);
    self->index = calloc(n, sizeof *self->index);
    self->state = self->instance ? calloc(1, state_size(self->instance)) : NULL;
    if (!self->instance || !self->value || !self->index || !self->state) {
        live_free(self);
        return NULL;
    }
    for (size_t i = 0; i < n; ++i) self->index[i] = (unsigned)i;
    return self;
}

double *live_values(Live *self) { return self->value; }

static int is_in_table(Live *self, const char *where, unsigned first, unsigned n)
{
    unsigned end = n_variables(&this_model);
    if (first <= end && n <= end - first) return 1;
    fail(self->instance, "%s: variables %u to %u of %u", where, first, first + n, end);
    return 0;
}

int live_get(Live *self, unsigned first, unsigned n)
{
    return is_in_table(self, "get", first, n) &&
           get_values(self->instance, "get", self->index + first, n, self->value + first) == STATUS_OK;
}

int live_set(Live *self, unsigned first, unsigned n)
{
    return is_in_table(self, "set", first, n) &&
           set_values(self->instance, "set", self->index + first, n, self->value + first) == STATUS_OK;
}

void live_reset(Live *self) { make_fresh(self->instance); }

int live_begin(Live *self, double time)
{
    Instance *it = self->instance;
    if (set_up(it, "start", NULL, time, NULL) != STATUS_OK) return 0;
    it->mode = INITIALIZATION;
    return end_initialization(it, "start") == STATUS_OK;
}

int live_step(Live *self, double time, double length)
{
    return do_step(self->instance, "step", time, length) == STATUS_OK;
}

double live_time(const Live *self) { return self->instance->now.time; }

unsigned char *live_state(Live *self) { return self->state; }

unsigned live_state_size(const Live *self) { return (unsigned)state_size(self->instance); }

void live_save(Live *self) { write_state(self->instance, self->state); }

int live_restore(Live *self)
{
    Instance *it = self->instance;
    return is_state(it, "restore", self->state, state_size(it)) && makes_sense(it, "restore", self->state) &&
           take_state(it, "restore", self->state) == STATUS_OK;
}

const char *live_messages(Live *self)
{
    memcpy(self->told, self->said, self->n_said + 1);
    self->said[0] = '\0';
    self->n_said = 0;
    return self->told;
}
