#include "inputs.h"
#include "method.h"

#if SOLVER_STIFF

#include <math.h>
#include <string.h>

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

double root(double norm) { return sqrt(sqrt(norm)); }

void review(const Problem *problem, const Workspace *work) { (void)problem, (void)work; }

/* ---- Jacobian ---- */

void prepare(const Problem *problem, Workspace *work, double t, const double *x, Outcome *out)
{
    inputs_at(problem, t, work->u);
    input_rates_at(problem, t, work->du);
    ++out->jacobians;
#if N_ROWS
    Manifold it = {work->u, problem->p, problem->ceiling, &work->scratch};
    ++out->evaluations;
    if (!constrained_jacobian(&it, x, work->du, work->stage[0], work->jacobian[0]))
        work->jacobian[0][0] = NAN;
#else
    model_jacobian(x, work->u, work->du, problem->p, work->jacobian[0]);
#endif
}

/* ---- Linear equations ---- */

/* Golub & Van Loan, Matrix Computations (2013), sec. 3.4: P (shift - df/dx) = L U. */
static void factorise(Workspace *work, double shift)
{
    double(*a)[N_X] = work->lu;
    for (int i = 0; i < N_X; ++i)
        for (int j = 0; j < N_X; ++j) a[i][j] = (i == j ? shift : 0.0) - work->jacobian[i][j];
    for (int k = 0; k < N_X; ++k) {
        int best = k;
        for (int i = k + 1; i < N_X; ++i)
            if (fabs(a[i][k]) > fabs(a[best][k])) best = i;
        work->pivot[k] = best;
        if (best != k) {
            double swap[N_X];
            memcpy(swap, a[k], sizeof swap);
            memcpy(a[k], a[best], sizeof swap);
            memcpy(a[best], swap, sizeof swap);
        }
        for (int i = k + 1; i < N_X; ++i) {
            if (a[i][k] == 0.0) continue;
            a[i][k] /= a[k][k];
            for (int j = k + 1; j < N_X; ++j) a[i][j] -= a[i][k] * a[k][j];
        }
    }
}

/* b becomes the solution. */
static void solve(const Workspace *work, double *b)
{
    const double(*a)[N_X] = work->lu;
    for (int k = 0; k < N_X; ++k) {
        double top = b[work->pivot[k]];
        b[work->pivot[k]] = b[k];
        b[k] = top;
    }
    for (int i = 1; i < N_X; ++i)
        for (int j = 0; j < i; ++j) b[i] -= a[i][j] * b[j];
    for (int i = N_X - 1; i >= 0; --i) {
        for (int j = i + 1; j < N_X; ++j) b[i] -= a[i][j] * b[j];
        b[i] /= a[i][i];
    }
}

/* ---- The step ---- */

void attempt(const Problem *problem, Workspace *work, double t, double h, const double *x,
             Outcome *out)
{
    double(*u)[N_X] = work->stage + 1;
    factorise(work, 1.0 / (h * GAMMA));
    memcpy(u[0], work->stage[0], sizeof u[0]);
#if N_ROWS
    work->scratch.few_rows = 1;
#endif
    for (int s = 0; s < STAGES; ++s) {
        for (int i = 0; i < N_X; ++i) {
            work->x_trial[i] = x[i];
            for (int j = 0; j < s; ++j) work->x_trial[i] += A[s][j] * u[j][i];
        }
        if (s > 0) evaluate(problem, work, t + AT[s] * h, work->x_trial, u[s]);
        for (int i = 0; i < N_X; ++i) {
            double sum = 0.0;
            for (int j = 0; j < s; ++j) sum += C[s][j] * u[j][i];
            u[s][i] += sum / h + D[s] * h * work->jacobian[i][N_X];
        }
        solve(work, u[s]);
    }
#if N_ROWS
    work->scratch.few_rows = 0;
#endif
    out->evaluations += STAGES - 1;
    for (int i = 0; i < N_X; ++i) {
        work->error[i] = u[STAGES - 1][i];
        work->x_trial[i] += work->error[i];
    }
}

#endif
