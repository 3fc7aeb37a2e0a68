/* States that are kept, written down and taken up again. FMI 2.0 sec. 2.1.8.

   In memory a state has the form it is written down in, the same on every platform: little-endian
   words of eight bytes. Magic, version, length, checksum, model; then the numbers. */
#include "instance.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned char Byte;

/* All that is kept; only doubles. */
typedef struct {
    State now;
    double mode;
    double stop_time;
    double exchanges;
} Kept;

#define MAGIC "mbd-fmu!"
#define VERSION 1
enum {
    WORD = 8,
    AT_VERSION = WORD,
    AT_LENGTH = 2 * WORD,
    AT_CHECKSUM = 3 * WORD,
    AT_MODEL = 4 * WORD,
    AT_NUMBERS = AT_MODEL + sizeof MODEL_GUID,
    N_NUMBERS = sizeof(Kept) / sizeof(double),
    LENGTH_OF_STATE = AT_NUMBERS + N_NUMBERS * WORD
};

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
static uint64_t checksum(const Byte *bytes)
{
    uint64_t sum = 14695981039346656037u;
    for (size_t i = 0; i < LENGTH_OF_STATE; ++i)
        if (i < AT_CHECKSUM || i >= AT_MODEL) sum = (sum ^ bytes[i]) * 1099511628211u;
    return sum;
}

static void write_state(const Instance *self, Byte *bytes)
{
    Kept kept = {self->now, self->mode, self->stop_time, self->exchanges};
    double number[N_NUMBERS];
    memcpy(number, &kept, sizeof number);
    memcpy(bytes, MAGIC, WORD);
    put(bytes + AT_VERSION, VERSION);
    put(bytes + AT_LENGTH, LENGTH_OF_STATE);
    memcpy(bytes + AT_MODEL, MODEL_GUID, sizeof MODEL_GUID);
    for (int i = 0; i < N_NUMBERS; ++i) {
        uint64_t word;
        memcpy(&word, &number[i], sizeof word);
        put(bytes + AT_NUMBERS + i * WORD, word);
    }
    put(bytes + AT_CHECKSUM, checksum(bytes));
}

static Kept numbers_of(const Byte *bytes)
{
    Kept kept;
    double number[N_NUMBERS];
    for (int i = 0; i < N_NUMBERS; ++i) {
        uint64_t word = taken(bytes + AT_NUMBERS + i * WORD);
        memcpy(&number[i], &word, sizeof word);
    }
    memcpy(&kept, number, sizeof kept);
    return kept;
}

/* ---- No instance was ever in some states, whatever their checksum says. ---- */

static int is_whole(double value, double low, double high)
{
    return value >= low && value <= high && value == floor(value);
}

static int all_finite(const double *value, int n, int *bad)
{
    for (*bad = 0; *bad < n && isfinite(value[*bad]); ++*bad) continue;
    return *bad == n;
}

static int is_mode(double mode, int exchanges)
{
    int both = INSTANTIATED | INITIALIZATION | TERMINATED, own = exchanges ? EVENT | CONTINUOUS : STEPPING;
    for (int bit = INSTANTIATED; bit <= CONTINUOUS; bit *= 2)
        if (mode == bit) return bit & (both | own);
    return 0;
}

#if N_ROWS
static int has_ranks(const State *s)
{
    return is_whole(s->ceiling[0], 0, N_HOLONOMIC) && is_whole(s->ceiling[1], 0, N_ROWS) &&
           is_whole(s->rank, 0, N_ROWS);
}
#else
static int has_ranks(const State *s)
{
    (void)s;
    return 1;
}
#endif

/* Parameters are held to their limits when initialization ends. */
static int within_limits(const Kept *kept, int *bad)
{
    const double *p = kept->now.p;
    int is_settled = kept->mode != INSTANTIATED && kept->mode != INITIALIZATION;
    for (*bad = 0; *bad < N_P; ++*bad)
        if (is_settled && !(p[*bad] >= model_p_min[*bad] && p[*bad] <= model_p_max[*bad])) return 0;
    return 1;
}

/* What acts, and what motions remember: numbers all, in the place where they stand. */
static int motions_make_sense(const State *s)
{
    int bad;
    return all_finite(s->w, N_W, &bad) && s->w[N_W] == 0.0 && s->step >= 0.0 && isfinite(s->step)
           && s->span >= 0.0 && isfinite(s->span) && all_finite(s->jerk, N_COMPONENTS + 1, &bad)
           && all_finite(s->led, N_TRACKS + 1, &bad) && all_finite(s->distrusted, N_TRACKS + 1, &bad)
           && all_finite((const double *)&s->watch, (int)(sizeof s->watch / sizeof(double)), &bad);
}

static int makes_sense(Instance *self, const char *function, const Kept *kept)
{
    const State *s = &kept->now;
    const char *what = NULL;
    int bad;
    if (!is_whole(kept->exchanges, 0, 1))
        what = "the kind of FMU";
    else if (!is_mode(kept->mode, (int)kept->exchanges))
        what = "the mode";
    else if (!(kept->stop_time > -INFINITY))
        what = "the stop time";
    else if (!isfinite(s->time))
        what = "the time";
    else if (!(s->h >= 0.0 && isfinite(s->h)))
        what = "the step size";
    else if (!is_whole(s->strain[0], -1, STIFF_STEPS) || !is_whole(s->strain[1], 0, 1e15))
        what = "the count of stiff steps";
    else if (!is_whole(s->behind, 0, 1))
        what = "the mark of parameters that changed";
    else if (!has_ranks(s))
        what = "the rank of the constraints";
    else if (!all_finite(s->x, N_X, &bad))
        what = model_state_name[bad];
    else if (!all_finite(s->p, N_P, &bad) || !within_limits(kept, &bad))
        what = model_name[bad];
    else if (!all_finite(s->u, N_U, &bad) || !all_finite(s->du, N_U, &bad))
        what = model_name[FIRST_INPUT + bad];
    else if (s->u[N_U] != 0.0 || s->du[N_U] != 0.0)
        what = "a place that is empty";
    else if (!motions_make_sense(s))
        what = "what motions remember";
    if (!what) return 1;
    fail(self, "%s: no instance was ever in this state: it is made up, or damaged, in %s", function, what);
    return 0;
}

static fmi2Status take_state(Instance *self, const Byte *bytes)
{
    Kept kept = numbers_of(bytes);
    if (!makes_sense(self, "fmi2SetFMUstate", &kept)) return fmi2Error;
    if ((int)kept.exchanges != self->exchanges)
        return fail(self, "fmi2SetFMUstate: the state is of an instance for %s",
                    self->exchanges ? "co-simulation" : "model exchange");
    self->now = kept.now;
    self->mode = (Mode)kept.mode;
    self->stop_time = kept.stop_time;
    self->has_x = 0;
    forget(self);
    return fmi2OK;
}

/* Check a state before anything follows from it. What is of another model may be shorter than ours: no
   byte is read before those that tell. */
static int fits(Instance *self, const char *function, const Byte *bytes, size_t size)
{
    if (!bytes)
        fail(self, "%s: the state is NULL", function);
    else if (size < AT_NUMBERS)
        fail(self, "%s: %lu bytes are cut off from a state of %lu", function, (unsigned long)size,
             (unsigned long)LENGTH_OF_STATE);
    else if (memcmp(bytes, MAGIC, WORD))
        fail(self, "%s: this is no state of an FMU of this kind", function);
    else if (taken(bytes + AT_VERSION) != VERSION)
        fail(self, "%s: the state is of version %.0f, this FMU reads version %d", function,
             (double)taken(bytes + AT_VERSION), VERSION);
    else if (memcmp(bytes + AT_MODEL, MODEL_GUID, sizeof MODEL_GUID))
        fail(self, "%s: the state is of another model or build than " MODEL_GUID, function);
    else if (size != LENGTH_OF_STATE || taken(bytes + AT_LENGTH) != LENGTH_OF_STATE)
        fail(self, "%s: %lu bytes, but a state has %lu", function, (unsigned long)size,
             (unsigned long)LENGTH_OF_STATE);
    else if (taken(bytes + AT_CHECKSUM) != checksum(bytes))
        fail(self, "%s: the state is damaged, its checksum is wrong", function);
    else
        return 1;
    return 0;
}

/* A place for a state: the one that is there, or a new one. */
static Byte *place_of(Instance *self, const char *function, const fmi2FMUstate *state)
{
    Byte *place;
    if (!state) {
        fail(self, "%s: there is no place for the state", function);
        return NULL;
    }
    if (*state) return fits(self, function, *state, LENGTH_OF_STATE) ? *state : NULL;
    place = malloc(LENGTH_OF_STATE);
    if (!place) fail(self, "%s: out of memory", function);
    return place;
}

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *state)
{
    Instance *self = enter(c, "fmi2GetFMUstate", ANY_MODE);
    Byte *place = self ? place_of(self, "fmi2GetFMUstate", state) : NULL;
    if (!place) return fmi2Error;
    write_state(self, place);
    *state = place;
    return fmi2OK;
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state)
{
    Instance *self = enter(c, "fmi2SetFMUstate", ANY_MODE);
    if (!self || !fits(self, "fmi2SetFMUstate", state, LENGTH_OF_STATE)) return fmi2Error;
    return take_state(self, state);
}

/* Some importers (fmusim 0.0.39) hand over the state itself instead of its address. A pointer of eight
   bytes is read there in any case; if it spells our magic, it is no address: none of x86-64 or ARM has
   such high bits. */
static int is_a_state(const void *place)
{
    return sizeof(fmi2FMUstate) == WORD && !memcmp(place, MAGIC, WORD);
}

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *state)
{
    Instance *self = enter(c, "fmi2FreeFMUstate", ANY_MODE);
    if (!self) return fmi2Error;
    if (!state || !*state) return fmi2OK; /* the standard: "the call is ignored" */
    if (is_a_state(state)) {
        if (!fits(self, "fmi2FreeFMUstate", (const Byte *)state, LENGTH_OF_STATE)) return fmi2Error;
        free(state);
        return report(self, fmi2OK, LOG_WARNING,
                      "fmi2FreeFMUstate: it was handed the state itself instead of its address, "
                      "and has freed it");
    }
    if (!fits(self, "fmi2FreeFMUstate", *state, LENGTH_OF_STATE)) return fmi2Error;
    free(*state);
    *state = NULL;
    return fmi2OK;
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t *size)
{
    Instance *self = enter(c, "fmi2SerializedFMUstateSize", ANY_MODE);
    if (!self || !fits(self, "fmi2SerializedFMUstateSize", state, LENGTH_OF_STATE)) return fmi2Error;
    if (!size) return fail(self, "fmi2SerializedFMUstateSize: size is NULL");
    *size = LENGTH_OF_STATE;
    return fmi2OK;
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size)
{
    Instance *self = enter(c, "fmi2SerializeFMUstate", ANY_MODE);
    if (!self || !fits(self, "fmi2SerializeFMUstate", state, LENGTH_OF_STATE)) return fmi2Error;
    if (!bytes) return fail(self, "fmi2SerializeFMUstate: bytes is NULL");
    if (size != LENGTH_OF_STATE)
        return fail(self, "fmi2SerializeFMUstate: %lu bytes, but a state has %lu", (unsigned long)size,
                    (unsigned long)LENGTH_OF_STATE);
    memcpy(bytes, state, LENGTH_OF_STATE);
    return fmi2OK;
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size,
                                   fmi2FMUstate *state)
{
    Instance *self = enter(c, "fmi2DeSerializeFMUstate", ANY_MODE);
    Byte *place;
    Kept kept;
    if (!self || !fits(self, "fmi2DeSerializeFMUstate", (const Byte *)bytes, size)) return fmi2Error;
    kept = numbers_of((const Byte *)bytes);
    if (!makes_sense(self, "fmi2DeSerializeFMUstate", &kept)) return fmi2Error;
    place = place_of(self, "fmi2DeSerializeFMUstate", state);
    if (!place) return fmi2Error;
    memcpy(place, bytes, LENGTH_OF_STATE);
    *state = place;
    return fmi2OK;
}
