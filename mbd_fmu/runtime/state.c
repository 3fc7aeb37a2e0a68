/* States that are kept, written down and taken up again. FMI 2.0 sec. 2.1.8.

   In memory a state has the form it is written down in, the same on every platform: little-endian
   words of eight bytes. Magic, version, length, checksum, model; then the numbers. */
#include "instance.h"

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

static fmi2Status take_state(Instance *self, const Byte *bytes)
{
    Kept kept;
    double number[N_NUMBERS];
    for (int i = 0; i < N_NUMBERS; ++i) {
        uint64_t word = taken(bytes + AT_NUMBERS + i * WORD);
        memcpy(&number[i], &word, sizeof word);
    }
    memcpy(&kept, number, sizeof kept);
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

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *state)
{
    Instance *self = enter(c, "fmi2FreeFMUstate", ANY_MODE);
    if (!self) return fmi2Error;
    if (!state || !*state) return fmi2OK; /* the standard: "the call is ignored" */
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
    if (!self || !fits(self, "fmi2DeSerializeFMUstate", (const Byte *)bytes, size)) return fmi2Error;
    place = place_of(self, "fmi2DeSerializeFMUstate", state);
    if (!place) return fmi2Error;
    memcpy(place, bytes, LENGTH_OF_STATE);
    *state = place;
    return fmi2OK;
}
