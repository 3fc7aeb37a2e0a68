/* States written down and taken up again.

   The form is the same on every platform: little-endian words of eight bytes. Magic, version, length,
   checksum, model; then the numbers of the state, mode, stop time, and whether the importer integrates. */
#include "instance.h"

#include "vectors.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define VERSION 1
enum {
    WORD = 8,
    AT_VERSION = WORD,
    AT_LENGTH = 2 * WORD,
    AT_CHECKSUM = 3 * WORD,
    AT_MODEL = 4 * WORD
};
const char state_magic[WORD] = {'m', 'b', 'd', '-', 'f', 'm', 'u', '!'};

/* What is kept beside the state. */
typedef struct {
    double mode, stop_time, exchanges;
} Circumstances;
#define N_CIRCUMSTANCES (sizeof(Circumstances) / sizeof(double))

static size_t guid_size(const Instance *self) { return strlen(self->model->guid) + 1; }

static size_t at_numbers(const Instance *self) { return AT_MODEL + guid_size(self); }

size_t state_size(const Instance *self)
{
    return at_numbers(self) + (STATE_SCALARS + (size_t)self->now.n_numbers + N_CIRCUMSTANCES) * WORD;
}

static void put(Byte *to, uint64_t word)
{
    for (int i = 0; i < WORD; ++i) to[i] = (Byte)(word >> 8 * i);
}

static uint64_t taken(const Byte *from)
{
    uint64_t word = 0;
    for (int i = 0; i < WORD; ++i) word |= (uint64_t)from[i] << 8 * i;
    return word;
}

/* FNV-1a of 64 bits over all but itself. No two texts that differ in one byte only have the same. */
static uint64_t checksum(const Byte *bytes, size_t size)
{
    uint64_t sum = 14695981039346656037u;
    for (size_t i = 0; i < size; ++i)
        if (i < AT_CHECKSUM || i >= AT_MODEL) sum = (sum ^ bytes[i]) * 1099511628211u;
    return sum;
}

/* Write n doubles, which begin at any struct of doubles, and say where they end; or read them. */
static Byte *put_numbers(Byte *to, const void *from, size_t n)
{
    for (size_t i = 0; i < n; ++i, to += WORD) {
        uint64_t word;
        memcpy(&word, (const char *)from + i * sizeof word, sizeof word);
        put(to, word);
    }
    return to;
}

static const Byte *take_numbers(const Byte *from, void *to, size_t n)
{
    for (size_t i = 0; i < n; ++i, from += WORD) {
        uint64_t word = taken(from);
        memcpy((char *)to + i * sizeof word, &word, sizeof word);
    }
    return from;
}

void write_state(Instance *self, Byte *bytes)
{
    Circumstances beside = {self->mode, self->stop_time, self->exchanges};
    size_t size = state_size(self);
    Byte *next = bytes + at_numbers(self);
    memcpy(bytes, state_magic, WORD);
    put(bytes + AT_VERSION, VERSION);
    put(bytes + AT_LENGTH, size);
    memcpy(bytes + AT_MODEL, self->model->guid, guid_size(self));
    next = put_numbers(next, &self->now, STATE_SCALARS);
    next = put_numbers(next, self->now.numbers, (size_t)self->now.n_numbers);
    put_numbers(next, &beside, N_CIRCUMSTANCES);
    put(bytes + AT_CHECKSUM, checksum(bytes, size));
}

/* Read the numbers to where steps are tried: nothing there is of use between them. */
static Circumstances read_numbers(Instance *self, const Byte *bytes)
{
    Circumstances beside;
    const Byte *next = bytes + at_numbers(self);
    next = take_numbers(next, &self->trial, STATE_SCALARS);
    next = take_numbers(next, self->trial.numbers, (size_t)self->trial.n_numbers);
    take_numbers(next, &beside, N_CIRCUMSTANCES);
    return beside;
}

/* ---- No instance was ever in some states, whatever their checksum says. ---- */

static int is_whole(double value, double low, double high)
{
    return value >= low && value <= high && value == floor(value);
}

static int all_finite(const double *value, int n, int *bad)
{
    *bad = first_not_finite(n, value);
    return *bad == n;
}

static int is_mode(double mode, int exchanges)
{
    int both = INSTANTIATED | INITIALIZATION | TERMINATED, own = exchanges ? EVENT | CONTINUOUS : STEPPING;
    for (int bit = INSTANTIATED; bit <= CONTINUOUS; bit *= 2)
        if (mode == bit) return bit & (both | own);
    return 0;
}

static int has_ranks(const Model *model, const State *s)
{
    return is_whole(s->generic_rank[0], 0, model->n_holonomic)
           && is_whole(s->generic_rank[1], 0, model->n_rows) && is_whole(s->rank, 0, model->n_rows)
           && is_whole(s->is_closed, 0, 1);
}

/* Parameters are held to their limits when initialization ends. */
static int are_within_limits(const Model *model, const double *p, double mode, int *bad)
{
    int is_settled = mode != INSTANTIATED && mode != INITIALIZATION;
    for (*bad = 0; *bad < model->n_p; ++*bad)
        if (is_settled && !(p[*bad] >= model->p_min[*bad] && p[*bad] <= model->p_max[*bad])) return 0;
    return 1;
}

static int has_motions(const State *s)
{
    return s->step >= 0.0 && isfinite(s->step) && s->span >= 0.0 && isfinite(s->span);
}

/* What is wrong with a state; NULL: nothing. */
static const char *fault_of(const Model *model, const State *s, const Circumstances *beside)
{
    const char *const *input = model->name + first_input(model);
    int bad;
    if (!is_whole(beside->exchanges, 0, 1)) return "the kind of FMU";
    if (!is_mode(beside->mode, (int)beside->exchanges)) return "the mode";
    if (!(beside->stop_time > -INFINITY)) return "the stop time";
    if (!isfinite(s->time)) return "the time";
    if (!(s->h >= 0.0 && isfinite(s->h))) return "the step size";
    if (!is_whole(s->strain[0], -1, STIFF_STEPS) || !is_whole(s->strain[1], 0, 1e15))
        return "the count of stiff steps";
    if (!is_whole(s->behind, 0, 1)) return "the mark of parameters that changed";
    if (!has_ranks(model, s)) return "the rank of the constraints";
    if (!all_finite(s->x, model->n_x, &bad)) return model->state_name[bad];
    if (!all_finite(s->p, model->n_p, &bad)) return model->name[bad];
    if (!are_within_limits(model, s->p, beside->mode, &bad)) return model->name[bad];
    if (!all_finite(s->u, model->n_u, &bad) || !all_finite(s->du, model->n_u, &bad)) return input[bad];
    if (!has_motions(s) || !all_finite(s->numbers, s->n_numbers, &bad)) return "what motions remember";
    return NULL;
}

int makes_sense(Instance *self, const char *where, const Byte *bytes)
{
    Circumstances beside = read_numbers(self, bytes);
    const char *fault = fault_of(self->model, &self->trial, &beside);
    if (!fault) return 1;
    fail(self, "%s: no instance was ever in this state: it is made up, or damaged, in %s", where, fault);
    return 0;
}

Status take_state(Instance *self, const char *where, const Byte *bytes)
{
    Circumstances beside;
    if (!makes_sense(self, where, bytes)) return STATUS_ERROR;
    beside = read_numbers(self, bytes);
    if ((int)beside.exchanges != self->exchanges)
        return fail(self, "%s: the state is of an instance for %s", where,
                    self->exchanges ? "co-simulation" : "model exchange");
    copy_state(&self->trial, &self->now);
    self->mode = (Mode)beside.mode;
    self->stop_time = beside.stop_time;
    self->has_x = 0;
    forget(self);
    return STATUS_OK;
}

int has_size_of_state(Instance *self, const char *where, size_t size)
{
    size_t own = state_size(self);
    if (size == own) return 1;
    fail(self, "%s: %lu bytes, but a state has %lu", where, (unsigned long)size, (unsigned long)own);
    return 0;
}

/* What is of another model may be shorter than ours: no byte is read before those that tell. */
int is_state(Instance *self, const char *where, const Byte *bytes, size_t size)
{
    const char *guid = self->model->guid;
    size_t own = state_size(self);
    if (!bytes)
        fail(self, "%s: the state is NULL", where);
    else if (size < at_numbers(self))
        fail(self, "%s: %lu bytes are cut off from a state of %lu", where, (unsigned long)size,
             (unsigned long)own);
    else if (memcmp(bytes, state_magic, WORD))
        fail(self, "%s: this is no state of an FMU of this kind", where);
    else if (taken(bytes + AT_VERSION) != VERSION)
        fail(self, "%s: the state is of version %.0f, this FMU reads version %d", where,
             (double)taken(bytes + AT_VERSION), VERSION);
    else if (memcmp(bytes + AT_MODEL, guid, guid_size(self)))
        fail(self, "%s: the state is of another model or build than %s", where, guid);
    else if (!has_size_of_state(self, where, size)
             || !has_size_of_state(self, where, (size_t)taken(bytes + AT_LENGTH)))
        return 0;
    else if (taken(bytes + AT_CHECKSUM) != checksum(bytes, own))
        fail(self, "%s: the state is damaged, its checksum is wrong", where);
    else
        return 1;
    return 0;
}
