/* Counts the allocations without which a library makes no instance, and what it allocates between
   initialization and termination:
   allocations <library> <guid> <variables> <first input> <inputs> */
#include "fmi2FunctionTypes.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* These stand before those of the C library, for the FMU, too. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *place, size_t size);
static volatile int counts, found;
static volatile int left = -1; /* so many succeed before one fails; below 0: all do */
static int is_refused(void) { return left >= 0 && left-- == 0; }
#pragma GCC visibility push(default)
void *malloc(size_t size) { return found += counts, __libc_malloc(size); }
void *calloc(size_t n, size_t size)
{
    found += counts;
    return is_refused() ? NULL : __libc_calloc(n, size);
}
void *realloc(void *place, size_t size) { return found += counts, __libc_realloc(place, size); }
#pragma GCC visibility pop

/* Has libm loaded, as nearly every program has. */
static double (*volatile root)(double) = sqrt;

#define MOST 4000
#define STEPS 70 /* of 0.01 s */
#define FIND(name)                                                                                 \
    fmi2##name##TYPE *name;                                                                        \
    {                                                                                              \
        void *address = dlsym(library, "fmi2" #name);                                              \
        if (!address) return fprintf(stderr, "no fmi2" #name "\n"), 2;                             \
        memcpy(&name, &address, sizeof address);                                                   \
    }
#define MUST(call)                                                                                 \
    if ((call) > fmi2Warning) return fprintf(stderr, "failed: %s\n", #call), 3

int main(int argc, char **argv)
{
    static fmi2ValueReference vr[MOST];
    static fmi2Real value[MOST], given[MOST];
    fmi2CallbackFunctions callbacks = {NULL, NULL, NULL, NULL, NULL};
    fmi2FMUstate state = NULL;
    fmi2Component fmu;
    size_t n, first, inputs;
    void *library;
    int steps, states, refused;
    if (argc != 6 || !(root(4.0) > 0.0)) return 1;
    library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) return fprintf(stderr, "%s\n", dlerror()), 2;
    n = strtoul(argv[3], NULL, 10);
    first = strtoul(argv[4], NULL, 10);
    inputs = strtoul(argv[5], NULL, 10);
    if (n > MOST) return 1;
    FIND(Instantiate) FIND(SetupExperiment) FIND(EnterInitializationMode) FIND(ExitInitializationMode)
    FIND(GetReal) FIND(SetReal) FIND(DoStep) FIND(GetFMUstate) FIND(SetFMUstate) FIND(FreeFMUstate)
    FIND(Terminate) FIND(FreeInstance)
    for (size_t i = 0; i < n; ++i) vr[i] = (fmi2ValueReference)i;

    for (refused = 0;; ++refused) { /* by the first allocation that fails, by the second, ... */
        left = refused;
        fmu = Instantiate("one", fmi2CoSimulation, argv[2], "", &callbacks, fmi2False, fmi2False);
        if (left >= 0) break;
        if (fmu) return 3;
    }
    left = -1;
    if (!fmu) return 3;
    MUST(SetupExperiment(fmu, fmi2False, 0.0, 0.0, fmi2False, 0.0));
    counts = 1;
    MUST(EnterInitializationMode(fmu));
    MUST(GetReal(fmu, vr, n, value));
    MUST(ExitInitializationMode(fmu));
    MUST(GetReal(fmu, vr + first, inputs, given)); /* quaternions among them must not vanish */
    for (int k = 0; k < STEPS; ++k) {
        for (size_t i = 0; i < inputs; ++i) value[i] = given[i] + 0.01 * (double)(k % 5);
        MUST(SetReal(fmu, vr + first, inputs, value));
        MUST(DoStep(fmu, k * 0.01, 0.01, fmi2True));
        MUST(GetReal(fmu, vr, n, value));
    }
    steps = found;
    MUST(GetFMUstate(fmu, &state));
    states = found - steps;
    MUST(GetFMUstate(fmu, &state)); /* what is there is used again */
    MUST(SetFMUstate(fmu, state));
    counts = 0;
    printf("%d %d %d %d\n", refused, steps, states, found - steps - states);
    MUST(FreeFMUstate(fmu, &state));
    MUST(Terminate(fmu));
    FreeInstance(fmu);
    return 0;
}
