/* Calls every function that allocates, copies or computes, and some that must fail, for valgrind:
   tour <library> <guid> <first input> <first output> <variables> <states> */
#include "fmi2FunctionTypes.h"

#include <dlfcn.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Has libm loaded, as nearly every program has. */
static double (*volatile root)(double) = sqrt;

#define MOST 4000

static int complaints;

static void say(fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status,
                fmi2String category, fmi2String format, ...)
{
    char text[2000];
    va_list arguments;
    (void)environment, (void)name, (void)category;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    complaints += status == fmi2Error && strlen(text) > 0;
}

#define FIND(name)                                                                                 \
    fmi2##name##TYPE *name;                                                                        \
    {                                                                                              \
        void *found = dlsym(library, "fmi2" #name);                                                \
        if (!found) return fprintf(stderr, "no fmi2" #name "\n"), 2;                               \
        memcpy(&name, &found, sizeof found);                                                       \
    }
#define MUST(call)                                                                                 \
    if ((call) > fmi2Warning) return fprintf(stderr, "failed: %s\n", #call), 3
#define MUST_NOT(call)                                                                             \
    if ((call) != fmi2Error) return fprintf(stderr, "no error: %s\n", #call), 4

int main(int argc, char **argv)
{
    static fmi2ValueReference vr[MOST];
    static fmi2Integer order[MOST];
    static fmi2Real value[MOST], seed[MOST], x[MOST];
    fmi2CallbackFunctions callbacks = {say, calloc, free, NULL, NULL};
    fmi2FMUstate state = NULL, copy = NULL;
    fmi2EventInfo info;
    fmi2Boolean event, terminate;
    fmi2Component fmu;
    fmi2Byte *text;
    size_t input, output, n, states, size;
    void *library;
    if (argc != 7 || !(root(4.0) > 0.0)) return 1;
    library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) return fprintf(stderr, "%s\n", dlerror()), 2;
    input = strtoul(argv[3], NULL, 10);
    output = strtoul(argv[4], NULL, 10);
    n = strtoul(argv[5], NULL, 10);
    states = strtoul(argv[6], NULL, 10);
    if (n > MOST) return 1;
    FIND(Instantiate) FIND(FreeInstance) FIND(SetupExperiment) FIND(Reset) FIND(Terminate)
    FIND(EnterInitializationMode) FIND(ExitInitializationMode) FIND(GetReal) FIND(SetReal)
    FIND(DoStep) FIND(GetFMUstate) FIND(SetFMUstate) FIND(FreeFMUstate)
    FIND(SerializedFMUstateSize) FIND(SerializeFMUstate) FIND(DeSerializeFMUstate)
    FIND(GetDirectionalDerivative) FIND(SetRealInputDerivatives) FIND(GetRealOutputDerivatives)
    FIND(SetTime) FIND(NewDiscreteStates) FIND(EnterContinuousTimeMode) FIND(EnterEventMode)
    FIND(CompletedIntegratorStep) FIND(GetContinuousStates) FIND(SetContinuousStates)
    FIND(GetDerivatives)
    for (size_t i = 0; i < n; ++i) {
        vr[i] = (fmi2ValueReference)i;
        order[i] = 1;
        seed[i] = 1.0;
    }

    /* What is refused before there is an instance leaves nothing behind. */
    if (Instantiate("one", fmi2CoSimulation, "wrong", "", &callbacks, fmi2False, fmi2True)) return 4;

    fmu = Instantiate("one", fmi2CoSimulation, argv[2], NULL, &callbacks, fmi2False, fmi2True);
    if (!fmu) return 3;
    for (int life = 0; life < 2; ++life) {
        MUST(SetupExperiment(fmu, fmi2True, 1e-7, 0.0, fmi2True, 1.0));
        MUST(EnterInitializationMode(fmu));
        MUST(GetReal(fmu, vr, n, value));
        MUST(GetDirectionalDerivative(fmu, vr + output, n - output, vr, output, seed, value));
        MUST(ExitInitializationMode(fmu));
        MUST(SetRealInputDerivatives(fmu, vr + input, output - input, order, seed));
        MUST(DoStep(fmu, 0.0, 0.01, fmi2False));
        MUST(GetFMUstate(fmu, &state));
        MUST(DoStep(fmu, 0.01, 0.01, fmi2True));
        MUST_NOT(DoStep(fmu, 0.01, NAN, fmi2True));
        MUST_NOT(DoStep(fmu, 5.0, 0.01, fmi2True));
        vr[0] = 999999;
        MUST_NOT(GetReal(fmu, vr, n, value));
        vr[0] = 0;
        MUST(GetReal(fmu, vr, n, value));
        MUST(GetRealOutputDerivatives(fmu, vr + output, n - output - 2 * states, order, value));
        MUST(GetDirectionalDerivative(fmu, vr + output, n - output - 2 * states, vr + input,
                                      output - input, seed, value));
        MUST(SerializedFMUstateSize(fmu, state, &size));
        text = malloc(size);
        if (!text) return 5;
        MUST(SerializeFMUstate(fmu, state, text, size));
        MUST(DeSerializeFMUstate(fmu, text, size, &copy));
        text[size / 2] = (fmi2Byte)(text[size / 2] ^ 1);
        MUST_NOT(DeSerializeFMUstate(fmu, text, size, &copy));
        free(text);
        MUST(SetFMUstate(fmu, copy));
        MUST(GetFMUstate(fmu, &state)); /* used again */
        MUST(DoStep(fmu, 0.01, 0.01, fmi2True));
        MUST(FreeFMUstate(fmu, &copy));
        MUST(FreeFMUstate(fmu, &state));
        MUST(Terminate(fmu));
        MUST(Reset(fmu));
    }
    FreeInstance(fmu);

    fmu = Instantiate("two", fmi2ModelExchange, argv[2], "file:///nowhere", &callbacks, fmi2False,
                      fmi2False);
    if (!fmu) return 3;
    MUST(SetupExperiment(fmu, fmi2False, 0.0, 0.0, fmi2False, 0.0));
    MUST(EnterInitializationMode(fmu));
    MUST(ExitInitializationMode(fmu));
    MUST(NewDiscreteStates(fmu, &info));
    MUST(EnterContinuousTimeMode(fmu));
    for (int k = 0; k < 5; ++k) { /* Euler's method will do */
        MUST(SetTime(fmu, 0.001 * k));
        MUST(GetContinuousStates(fmu, x, states));
        MUST(GetDerivatives(fmu, value, states));
        for (size_t i = 0; i < states; ++i) x[i] += 0.001 * value[i];
        MUST(SetContinuousStates(fmu, x, states));
        MUST(CompletedIntegratorStep(fmu, fmi2True, &event, &terminate));
    }
    MUST(SetReal(fmu, vr + n - 2 * states, states, x));
    MUST(GetDirectionalDerivative(fmu, vr + n - states, states, vr + n - 2 * states, states, seed, value));
    MUST(EnterEventMode(fmu));
    MUST(NewDiscreteStates(fmu, &info));
    MUST(GetReal(fmu, vr, n, value));
    FreeInstance(fmu);
    printf("%d\n", complaints);
    dlclose(library);
    return 0;
}
