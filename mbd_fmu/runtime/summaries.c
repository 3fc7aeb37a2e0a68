#include "summaries.h"

#include <math.h>

static void summarise_case(size_t n_times, size_t n, const double *time, const double *weight, const double *value,
                           double *kept, double *peak)
{
    double *least = kept + LEAST * n, *greatest = kept + GREATEST * n, *last = kept + LAST * n;
    double *square = kept + MEAN_SQUARE_ROOT * n, *peak_time = kept + PEAK_TIME * n;
    for (size_t i = 0; i < n; ++i) {
        least[i] = greatest[i] = value[i];
        square[i] = 0.0;
        peak[i] = fabs(value[i]);
        peak_time[i] = time[0];
    }
    for (size_t k = 0; k < n_times; ++k, value += n) {
        for (size_t i = 0; i < n; ++i) {
            double v = value[i], size = fabs(v);
            least[i] = v < least[i] ? v : least[i];
            greatest[i] = v > greatest[i] ? v : greatest[i];
            square[i] += weight[k] * v * v;
            peak_time[i] = size > peak[i] ? time[k] : peak_time[i];
            peak[i] = size > peak[i] ? size : peak[i];
        }
    }
    value -= n;
    for (size_t i = 0; i < n; ++i) {
        last[i] = value[i];
        square[i] = sqrt(square[i]);
        if (isnan(square[i])) least[i] = greatest[i] = last[i] = peak_time[i] = NAN;
    }
}

void summarise(size_t n_cases, size_t n_times, size_t n_outputs, const double *time, const double *weight,
               const double *value, double *kept, double *peak)
{
    for (size_t k = 0; k < n_cases; ++k) {
        summarise_case(n_times, n_outputs, time, weight, value, kept, peak);
        value += n_times * n_outputs;
        kept += N_SUMMARIES * n_outputs;
    }
}
