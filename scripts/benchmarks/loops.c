/* Calls repeated without an interpreter in between. */

typedef int (*SetStates)(void *component, const double *x, unsigned long n);
typedef int (*GetRates)(void *component, double *xd, unsigned long n);
typedef int (*DoStep)(void *component, double time, double step, int no_way_back);
typedef void (*Forward)(const void *model, void *data);

/* States set and derivatives asked for: one evaluation of the motion. */
int repeat_rates(SetStates set, GetRates get, void *component, const double *x, double *xd,
                 unsigned long n_x, long times)
{
    int status = 0;
    for (long i = 0; i < times; ++i) {
        status |= set(component, x, n_x);
        status |= get(component, xd, n_x);
    }
    return status;
}

/* The i-th step begins at i steps, counted on from the first. */
int repeat_steps(DoStep step, void *component, long first, double length, long times)
{
    int status = 0;
    for (long i = first; i < first + times; ++i)
        status |= step(component, (double)i * length, length, 1);
    return status;
}

void repeat_forward(Forward forward, const void *model, void *data, long times)
{
    for (long i = 0; i < times; ++i) forward(model, data);
}
