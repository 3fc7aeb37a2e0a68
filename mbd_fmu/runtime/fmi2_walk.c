#include "fmi2_walk.h"

static int is_refused(fmi2Status status) { return status != fmi2OK && status != fmi2Warning; }

Place walk_through(const Functions *call, fmi2Component slave, const Points *points, size_t n_outputs,
                   const fmi2ValueReference *output, fmi2Real *kept, fmi2Status *status)
{
    size_t n = points->n_columns;
    for (size_t k = 0; k < points->n; ++k) {
        int what = points->what[k];
        const double *rates = points->rates + k * n;
        if (what & GIVES_VALUES) {
            *status = call->set(slave, points->column, n, points->values + k * n);
            if (is_refused(*status)) return AT_SET;
        }
        if (k == 0 && is_refused(*status = call->exit_initialization(slave))) return AT_EXIT;
        for (size_t i = 0; what & GIVES_RATES && i < n; ++i) {
            const fmi2Integer order = 1;
            *status = call->set_rates(slave, points->column + i, 1, &order, rates + i);
            if (is_refused(*status)) return AT_RATES;
        }
        if (what & IS_ASKED) {
            *status = call->get(slave, output, n_outputs, kept);
            if (is_refused(*status)) return AT_GET;
            kept += n_outputs;
        }
        if (points->length[k] > 0.0) {
            *status = call->step(slave, points->time[k], points->length[k], fmi2True);
            if (is_refused(*status)) return AT_STEP;
        }
    }
    return NOWHERE;
}
