/* The functions of FMI 2.0 for states that are kept and written down, sec. 2.1.8. In memory a state has the
   form it is written down in. */
#include "fmi2.h"

#include <stdlib.h>
#include <string.h>

/* Is this a state that we have handed out? */
static int is_ours(Instance *self, const char *where, const void *state)
{
    return is_state(self, where, state, state_size(self));
}

/* A place for a state: the one that is there, or a new one. */
static Byte *place_of(Instance *self, const char *where, const fmi2FMUstate *state)
{
    Byte *place;
    if (!state) {
        fail(self, "%s: there is no place for the state", where);
        return NULL;
    }
    if (*state) return is_ours(self, where, *state) ? *state : NULL;
    place = malloc(state_size(self));
    if (!place) fail(self, "%s: out of memory", where);
    return place;
}

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *state)
{
    BEGIN(fmi2GetFMUstate);
    Byte *place = place_of(self, where, state);
    if (!place) return fmi2Error;
    write_state(self, place);
    *state = place;
    return fmi2OK;
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state)
{
    BEGIN(fmi2SetFMUstate);
    return is_ours(self, where, state) ? status_of(take_state(self, where, state)) : fmi2Error;
}

/* Some importers (fmusim 0.0.39) hand over the state itself instead of its address. A pointer of eight
   bytes is read there in any case; if it spells our magic, it is no address: none of x86-64 or ARM has
   such high bits. */
static int is_the_state_itself(const void *place)
{
    return sizeof(fmi2FMUstate) == sizeof state_magic && !memcmp(place, state_magic, sizeof state_magic);
}

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *state)
{
    BEGIN(fmi2FreeFMUstate);
    if (!state || !*state) return fmi2OK; /* the standard: "the call is ignored" */
    if (is_the_state_itself(state)) {
        if (!is_ours(self, where, state)) return fmi2Error;
        free(state);
        return status_of(report(self, STATUS_OK, LOG_WARNING,
                                "%s: it was handed the state itself instead of its address, and has freed it",
                                where));
    }
    if (!is_ours(self, where, *state)) return fmi2Error;
    free(*state);
    *state = NULL;
    return fmi2OK;
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t *size)
{
    BEGIN(fmi2SerializedFMUstateSize);
    if (!is_ours(self, where, state)) return fmi2Error;
    if (!size) return status_of(fail(self, "%s: size is NULL", where));
    *size = state_size(self);
    return fmi2OK;
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size)
{
    BEGIN(fmi2SerializeFMUstate);
    if (!is_ours(self, where, state)) return fmi2Error;
    if (!bytes) return status_of(fail(self, "%s: bytes is NULL", where));
    if (!has_size_of_state(self, where, size)) return fmi2Error;
    memcpy(bytes, state, size);
    return fmi2OK;
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size,
                                   fmi2FMUstate *state)
{
    BEGIN(fmi2DeSerializeFMUstate);
    const Byte *written = (const Byte *)bytes;
    Byte *place;
    if (!is_state(self, where, written, size) || !makes_sense(self, where, written)) return fmi2Error;
    place = place_of(self, where, state);
    if (!place) return fmi2Error;
    memcpy(place, bytes, size);
    *state = place;
    return fmi2OK;
}
