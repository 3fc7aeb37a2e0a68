/* What this processor can do. */
#ifndef PROCESSOR_H
#define PROCESSOR_H

#include "functions.h"

#if defined(_WIN32)
#define EXPORTED __declspec(dllexport)
#else
#define EXPORTED __attribute__((visibility("default")))
#endif

BEGIN_HIDDEN

/* Doubles in the widest vectors that code may be compiled for, as real.h has them; 1: none that pay. */
EXPORTED int processor_lanes(void);

END_HIDDEN

#endif
