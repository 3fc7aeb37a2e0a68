#include "adaptive.h"
#include "inputs.h"
#include "mechanism.h"
#include "step_size.h"
#include "vectors.h"

/* RODASP of Steinebach (1995), Preprint 1741, TH Darmstadt: a Rosenbrock method of order 4 with an error
   estimate of order 3, L-stable, whose last stage is the end of the step; it keeps its order where
   stiff parts are driven. In the form of Hairer & Wanner, Solving ODEs II (1996), sec. IV.7:

       (1 / (h GAMMA) - df/dx) u_i = f(t + AT_i h, x + sum A_ij u_j) + sum C_ij u_j / h + D_i h df/dt

   The sixth stage adds to the fifth, the solution to the sixth: error = u_6. */
#define STAGES 6
#define GAMMA 0.25
static const double AT[STAGES] = {0.0, 0.75, 0.21, 0.63, 1.0, 1.0};
static const double D[STAGES] = {0.25, -0.5, -0.023504, -0.0362, 0.0, 0.0};
static const double A[STAGES][STAGES - 1] = {
    {0.0},
    {3.0},
    {1.8310367934867824, 0.4955183967433912},
    {2.304376582692642, -0.05249275245744427, -1.1767987618327664},
    {-7.1704549624234115, -4.7416366714819755, -16.31002631330972, -1.0620040441113987},
    {-7.1704549624234115, -4.7416366714819755, -16.31002631330972, -1.0620040441113987, 1.0},
};
static const double C[STAGES][STAGES - 1] = {
    {0.0},
    {-12.0},
    {-8.79179517394713, -2.207865586973565},
    {10.817930568572011, 6.780270611428505, 19.534859446424054},
    {34.19095006749801, 15.496711537260243, 54.74760875964145, 14.160053921485321},
    {34.62605830930664, 15.300849761145361, 56.999555786626864, 18.408070097930906, -5.71428571428571},
};

static double factor(double norm) { return step_factor(norm, sqrt(sqrt(norm))); }

static void review(const Problem *problem, const Workspace *work) { (void)problem, (void)work; }

static void lay_out(Block *block, const Model *model, Workspace *work)
{
    int n = model->n_x;
    work->jacobian = take_doubles(block, n * (n + 1));
    work->lu = take_doubles(block, n * n);
    work->pivot = take_ints(block, n);
    work->du = take_doubles(block, model->n_w);
    work->no_u = take_doubles(block, model->n_w);
    work->dx = take_doubles(block, n);
    work->dxd = take_doubles(block, n);
    work->no_p = take_doubles(block, model->n_p);
}

static void prepare(const Problem *problem, Workspace *work, double t, const double *x, Outcome *out)
{
    inputs_at(problem, t, work->u);
    input_rates_at(problem, t, work->du);
    ++out->jacobians;
    problem->model->mechanism->jacobian(problem, work, x, out);
}

/* ---- Linear equations ---- */

static void swap_rows(int n, double *restrict a, double *restrict b)
{
    for (int j = 0; j < n; ++j) {
        double swap = a[j];
        a[j] = b[j];
        b[j] = swap;
    }
}

/* Golub & Van Loan, Matrix Computations (2013), sec. 3.4: P (shift - df/dx) = L U. */
static void factorise(int n, Workspace *work, double shift)
{
    double *a = work->lu;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) a[i * n + j] = (i == j ? shift : 0.0) - work->jacobian[i * (n + 1) + j];
    for (int k = 0; k < n; ++k) {
        const double *top = a + k * n;
        int best = k;
        for (int i = k + 1; i < n; ++i)
            if (fabs(a[i * n + k]) > fabs(a[best * n + k])) best = i;
        work->pivot[k] = best;
        if (best != k) swap_rows(n, a + k * n, a + best * n);
        for (int i = k + 1; i < n; ++i) {
            double *row = a + i * n, factor;
            if (row[k] == 0.0) continue;
            factor = row[k] /= top[k];
            for (int j = k + 1; j < n; ++j) row[j] -= factor * top[j];
        }
    }
}

/* b becomes the solution. */
static void solve(int n, const Workspace *work, double *restrict b)
{
    const double *restrict a = work->lu;
    for (int k = 0; k < n; ++k) {
        double top = b[work->pivot[k]];
        b[work->pivot[k]] = b[k];
        b[k] = top;
    }
    for (int i = 1; i < n; ++i) {
        double sum = b[i];
        for (int j = 0; j < i; ++j) sum -= a[i * n + j] * b[j];
        b[i] = sum;
    }
    for (int i = n - 1; i >= 0; --i) {
        double sum = b[i];
        for (int j = i + 1; j < n; ++j) sum -= a[i * n + j] * b[j];
        b[i] = sum / a[i * n + i];
    }
}

/* ---- The step ---- */

static void attempt(const Problem *problem, Workspace *work, double t, double h, const double *x,
                    Outcome *out)
{
    const Mechanism *mechanism = problem->model->mechanism;
    double *const *u = work->stage + 1, *sum = work->error;
    int n = problem->model->n_x;
    factorise(n, work, 1.0 / (h * GAMMA));
    copy(n, work->stage[0], u[0]);
    mechanism->hold_rows(work, 1);
    for (int s = 0; s < STAGES; ++s) {
        sum_rows(n, x, s, A[s], u[0], work->x_trial);
        if (s > 0) evaluate(problem, work, t + AT[s] * h, work->x_trial, u[s]);
        sum_rows(n, NULL, s, C[s], u[0], sum);
        for (int i = 0; i < n; ++i) u[s][i] += sum[i] / h + D[s] * h * work->jacobian[i * (n + 1) + n];
        solve(n, work, u[s]);
    }
    mechanism->hold_rows(work, 0);
    out->evaluations += STAGES - 1;
    for (int i = 0; i < n; ++i) {
        work->error[i] = u[STAGES - 1][i];
        work->x_trial[i] += work->error[i];
    }
}

static const Adaptive rodasp = {prepare, attempt, factor, review, 0};

static Outcome advance(const Problem *problem, Workspace *work, double length, double *x, double *xd)
{
    return advance_adaptively(&rodasp, problem, work, length, x, xd);
}

const Method stiff_method = {lay_out, advance};
