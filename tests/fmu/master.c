/* Runs a library and prints the bits of all its variables, one instant a line:
   master <library> <guid> <variables> <first input> <inputs> <steps> <step size> */
#include "fmi2FunctionTypes.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#include <windows.h>
static HMODULE library;
static void load(const char *path) { library = LoadLibraryA(path); }
static void *address(const char *name) { return (void *)(uintptr_t)GetProcAddress(library, name); }
#else
#include <dlfcn.h>
static void *library;
static void load(const char *path)
{
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) fprintf(stderr, "%s\n", dlerror());
}
static void *address(const char *name) { return dlsym(library, name); }
#endif

/* Has libm loaded, as nearly every program has; libraries that fmpy compiles forget to ask for it. */
static double (*volatile root)(double) = sqrt;

#define MOST 4000

static void say(fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status,
                fmi2String category, fmi2String format, ...)
{
    va_list arguments;
    (void)environment, (void)name, (void)status, (void)category;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\n");
}

/* The function of the standard `fmi2<name>`; none of them is missing. */
#define FIND(name)                                                                       \
    fmi2##name##TYPE *name;                                                              \
    {                                                                                    \
        void *found = address("fmi2" #name);                                             \
        if (!found) return fprintf(stderr, "no fmi2" #name "\n"), 2;                     \
        memcpy(&name, &found, sizeof found);                                             \
    }
#define MUST(call)                                                                       \
    if ((call) > fmi2Warning) return fprintf(stderr, "failed: %s\n", #call), 3

int main(int argc, char **argv)
{
    static fmi2ValueReference vr[MOST];
    static fmi2Real value[MOST];
    fmi2CallbackFunctions callbacks = {say, calloc, free, NULL, NULL};
    fmi2Component fmu;
    size_t n, first, inputs;
    int steps;
    double h;
    if (argc != 8) return 1;
    load(argv[1]);
    if (!library) return fprintf(stderr, "cannot load %s\n", argv[1]), 2;
    n = strtoul(argv[3], NULL, 10);
    first = strtoul(argv[4], NULL, 10);
    inputs = strtoul(argv[5], NULL, 10);
    steps = atoi(argv[6]);
    h = strtod(argv[7], NULL);
    if (n > MOST || !(root(h) > 0.0)) return 1;
    FIND(Instantiate)
    FIND(SetupExperiment)
    FIND(EnterInitializationMode)
    FIND(ExitInitializationMode)
    FIND(GetReal)
    FIND(SetReal)
    FIND(DoStep)
    FIND(Terminate)
    FIND(FreeInstance)
    for (size_t i = 0; i < n; ++i) vr[i] = (fmi2ValueReference)i;

    fmu = Instantiate("one", fmi2CoSimulation, argv[2], "", &callbacks, fmi2False, fmi2False);
    if (!fmu) return 3;
    MUST(SetupExperiment(fmu, fmi2False, 0.0, 0.0, fmi2False, 0.0));
    MUST(EnterInitializationMode(fmu));
    MUST(ExitInitializationMode(fmu));
    for (int k = 0; k <= steps; ++k) {
        for (size_t i = 0; i < inputs; ++i) value[i] = 0.125 * (double)(i + 1) * (double)(k % 8);
        MUST(SetReal(fmu, vr + first, inputs, value));
        MUST(GetReal(fmu, vr, n, value));
        for (size_t i = 0; i < n; ++i) {
            uint64_t bits;
            memcpy(&bits, &value[i], sizeof bits);
            printf("%016" PRIx64 " ", bits);
        }
        printf("\n");
        if (k < steps) MUST(DoStep(fmu, k * h, h, fmi2True));
    }
    MUST(Terminate(fmu));
    FreeInstance(fmu);
    return 0;
}
