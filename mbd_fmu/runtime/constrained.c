#include "constrained.h"

#include "vectors.h"

#include <math.h>

/* Golub & Van Loan, Matrix Computations (2013), sec. 5.1, 5.4, 5.5 and 6.2: Householder reflections
   with column pivoting, complete orthogonal decomposition, null-space method. */

/* Make a reflection of v[0..n) that leaves only its first entry; that becomes `*diagonal`. */
static double reflection(int n, double *v, double length, double *diagonal)
{
    double tail = 0.0;
    *diagonal = v[0] > 0.0 ? -length : length;
    v[0] -= *diagonal;
    for (int i = 0; i < n; ++i) tail += v[i] * v[i];
    return tail > 0.0 ? 2.0 / tail : 0.0;
}

static double length_of(int n, const double *v)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) sum += v[i] * v[i];
    return sqrt(sum);
}

static void reflect(int n, const double *restrict v, double beta, double *restrict x)
{
    double along = 0.0;
    for (int i = 0; i < n; ++i) along += v[i] * x[i];
    along *= beta;
    for (int i = 0; i < n; ++i) x[i] -= along * v[i];
}

/* The same; return the length of what is behind the first entry then. */
static double reflect_and_measure(int n, const double *restrict v, double beta, double *restrict x)
{
    double along = 0.0, sum = 0.0;
    for (int i = 0; i < n; ++i) along += v[i] * x[i];
    along *= beta;
    x[0] -= along * v[0];
    for (int i = 1; i < n; ++i) {
        double rest = x[i] - along * v[i];
        x[i] = rest;
        sum += rest * rest;
    }
    return sqrt(sum);
}

/* x = Q x, or Q^T x when backward: the reflections of the velocities. */
static void turn_velocities(const ConstrainedProblem *p, const Factors *f, int backward, double *x)
{
    int n = p->n, rank = f->rank;
    for (int s = 0; s < rank; ++s) {
        int k = backward ? s : rank - 1 - s;
        reflect(n - k, f->A + k * n + k, f->beta[k], x + k);
    }
}

/* The same for the rows; column k of T below the diagonal is strided. */
static void turn_rows(const ConstrainedProblem *p, const Factors *f, int backward, double *restrict x)
{
    int n = p->n, m = p->m, rank = f->rank;
    const double *T = f->T;
    for (int s = 0; s < rank; ++s) {
        int k = backward ? s : rank - 1 - s;
        double along = 0.0;
        for (int j = k; j < m; ++j) along += T[j * n + k] * x[j];
        along *= f->T_beta[k];
        for (int j = k; j < m; ++j) x[j] -= along * T[j * n + k];
    }
}

static void swap_rows(Factors *f, int n, int k, int best)
{
    double *a = f->A + k * n, *b = f->A + best * n, length = f->length[k];
    int row = f->row[k];
    f->row[k] = f->row[best];
    f->row[best] = row;
    f->length[k] = f->length[best];
    f->length[best] = length;
    for (int i = 0; i < n; ++i) {
        double swap = a[i];
        a[i] = b[i];
        b[i] = swap;
    }
}

/* Reflect until the rows are a triangle, the largest one left first; count those that matter. */
static void triangulate_rows(const ConstrainedProblem *p, Factors *f)
{
    double first = 0.0; /* never less than what a velocity does at the characteristic length */
    int n = p->n, m = p->m, most = n < m ? n : m;
    double *A = f->A, *length = f->length;
    if (p->generic_rank < most) most = p->generic_rank;
    for (int j = 0; j < m; ++j) length[j] = length_of(n, A + j * n);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j)
            if (A[j * n + i] != 0.0) {
                first = fmax(first, p->length * f->scale[i]);
                break;
            }
    for (f->rank = 0; f->rank < most; ++f->rank) {
        int k = f->rank, best = k;
        double longest = -1.0;
        for (int j = k; j < m; ++j)
            if (length[j] > longest) {
                longest = length[j];
                best = j;
            }
        first = fmax(first, longest);
        if (!(longest > p->rank_tolerance * first)) break;
        if (best != k) swap_rows(f, n, k, best);
        f->beta[k] = reflection(n - k, A + k * n + k, longest, &f->diagonal[k]);
        for (int j = k + 1; j < m; ++j)
            length[j] = reflect_and_measure(n - k, A + k * n + k, f->beta[k], A + j * n + k);
    }
    f->first = first;
}

/* Where rows are left over, reflect them, too, so that all are heard alike. */
static void triangulate_rest(const ConstrainedProblem *p, Factors *f)
{
    int n = p->n, m = p->m, rank = f->rank;
    double *restrict column = f->column, *restrict T = f->T;
    if (rank == m) return;
    for (int j = 0; j < m; ++j)
        for (int k = 0; k < rank; ++k)
            T[j * n + k] = j < k ? 0.0 : j == k ? f->diagonal[k] : f->A[j * n + k];
    for (int k = 0; k < rank; ++k) {
        for (int j = k; j < m; ++j) column[j] = T[j * n + k];
        f->T_beta[k] = reflection(m - k, column + k, length_of(m - k, column + k), &f->T_diagonal[k]);
        for (int l = k + 1; l < rank; ++l) {
            double along = 0.0;
            for (int j = k; j < m; ++j) along += column[j] * T[j * n + l];
            along *= f->T_beta[k];
            for (int j = k; j < m; ++j) T[j * n + l] -= along * column[j];
        }
        for (int j = k; j < m; ++j) T[j * n + k] = column[j];
    }
}

/* The motion, in turned coordinates, that the rows ask for: T z = g. */
static void required_motion(const ConstrainedProblem *p, Factors *f, double *restrict z)
{
    double *g = f->right;
    int n = p->n, m = p->m, rank = f->rank;
    for (int j = 0; j < m; ++j) g[j] = p->weight[f->row[j]] * p->g[f->row[j]];
    if (rank == m) {
        for (int k = 0; k < rank; ++k) {
            double sum = g[k];
            for (int i = 0; i < k; ++i) sum -= f->A[k * n + i] * z[i];
            z[k] = sum / f->diagonal[k];
        }
        return;
    }
    turn_rows(p, f, 1, g);
    for (int k = rank - 1; k >= 0; --k) {
        double sum = g[k];
        for (int i = k + 1; i < rank; ++i) sum -= f->T[k * n + i] * z[i];
        z[k] = sum / f->T_diagonal[k];
    }
}

/* Sum over n of the scaled inertia times v, beginning with `sum`. */
static double momentum(int n, const double *inertia, const double *v, double sum)
{
    for (int j = 0; j < n; ++j) sum += inertia[j] * v[j];
    return sum;
}

/* Mv = M v - f, scaled. */
static void missing_force(const ConstrainedProblem *p, Factors *f)
{
    int n = p->n;
    for (int i = 0; i < n; ++i)
        f->Mv[i] = momentum(n, f->M + i * n, f->v, p->f ? -f->scale[i] * p->f[i] : 0.0);
}

/* Free motions and their inertia, N M N^T = L L^T. */
static int factorise_free(const ConstrainedProblem *p, Factors *f)
{
    int n = p->n, rank = f->rank, free = n - rank;
    double *G = f->G;
    clear(free * n, f->N);
    for (int a = 0; a < free; ++a) f->N[a * n + rank + a] = 1.0;
    for (int k = rank - 1; k >= 0; --k) /* all motions by one reflection, then by the next */
        for (int a = 0; a < free; ++a) reflect(n - k, f->A + k * n + k, f->beta[k], f->N + a * n + k);
    for (int a = 0; a < free; ++a) {
        const double *N = f->N + a * n;
        double *MN = f->MN + a * n;
        for (int i = 0; i < n; ++i) MN[i] = momentum(n, f->M + i * n, N, 0.0);
        for (int b = 0; b <= a; ++b) {
            double sum = 0.0;
            for (int i = 0; i < n; ++i) sum += MN[i] * f->N[b * n + i];
            G[a * n + b] = sum;
        }
    }
    for (int a = 0; a < free; ++a)
        for (int b = 0; b <= a; ++b) {
            double sum = G[a * n + b];
            for (int c = 0; c < b; ++c) sum -= G[a * n + c] * G[b * n + c];
            if (a == b) {
                if (!(sum > 0.0)) return 0;
                G[a * n + a] = sqrt(sum);
            } else
                G[a * n + b] = sum / G[b * n + b];
        }
    return 1;
}

void solve_factored(int n, int width, const double *restrict L, double *restrict w)
{
    for (int a = 0; a < n; ++a) {
        double sum = w[a];
        for (int b = 0; b < a; ++b) sum -= L[a * width + b] * w[b];
        w[a] = sum / L[a * width + a];
    }
    for (int a = n - 1; a >= 0; --a) {
        double sum = w[a];
        for (int b = a + 1; b < n; ++b) sum -= L[b * width + a] * w[b];
        w[a] = sum / L[a * width + a];
    }
}

/* Take out of v what its free part should not have. */
static void add_free_motion(const ConstrainedProblem *p, Factors *f)
{
    int n = p->n, free = n - f->rank;
    double *w = f->free, *v = f->v;
    missing_force(p, f);
    for (int a = 0; a < free; ++a) {
        double sum = 0.0;
        for (int i = 0; i < n; ++i) sum -= f->N[a * n + i] * f->Mv[i];
        w[a] = sum;
    }
    solve_factored(free, n, f->G, w);
    for (int a = 0; a < free; ++a)
        for (int i = 0; i < n; ++i) v[i] += w[a] * f->N[a * n + i];
}

double pivot_share(const ConstrainedProblem *p, const Factors *f)
{
    double share = 1.0;
    if (f->rank < p->generic_rank) return 0.0;
    for (int k = 0; k < f->rank; ++k) share = fmin(share, fabs(f->diagonal[k]) / f->first);
    return share;
}

void keep_tangent_space(const ConstrainedProblem *p, const Factors *f, double share, TangentSpace *space)
{
    int n = p->n, free = n - f->rank;
    space->share = share;
    space->n = n;
    space->n_free = free;
    copy(n, f->scale, space->scale);
    copy(n * free, f->N, space->N);
    copy(n * free, f->MN, space->MN);
    copy(n * free, f->G, space->G);
}

void project_on_tangent_space(const TangentSpace *space, double *restrict v)
{
    int n = space->n;
    double *restrict w = space->free;
    for (int a = 0; a < space->n_free; ++a) {
        double sum = 0.0;
        for (int i = 0; i < n; ++i) sum += space->MN[a * n + i] * v[i] / space->scale[i];
        w[a] = sum;
    }
    solve_factored(space->n_free, n, space->G, w);
    for (int i = 0; i < n; ++i) {
        double sum = 0.0;
        for (int a = 0; a < space->n_free; ++a) sum += w[a] * space->N[a * n + i];
        v[i] = sum * space->scale[i];
    }
}

int solve_constrained(const ConstrainedProblem *p, Factors *f, double *v)
{
    int n = p->n, m = p->m;
    for (int i = 0; i < n; ++i) {
        double inertia = p->M[i * n + i];
        f->scale[i] = inertia > 0.0 ? 1.0 / sqrt(inertia) : 1.0;
    }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) f->M[i * n + j] = f->scale[i] * p->M[i * n + j] * f->scale[j];
    for (int j = 0; j < m; ++j) {
        f->row[j] = j;
        for (int i = 0; i < n; ++i) f->A[j * n + i] = p->weight[j] * p->J[j * n + i] * f->scale[i];
    }
    triangulate_rows(p, f);
    triangulate_rest(p, f);
    if (!factorise_free(p, f)) return 0;
    solve_again(p, f, v);
    return 1;
}

void solve_again(const ConstrainedProblem *p, Factors *f, double *v)
{
    clear(p->n, f->v);
    required_motion(p, f, f->v);
    turn_velocities(p, f, 0, f->v);
    add_free_motion(p, f);
    for (int i = 0; i < p->n; ++i) v[i] = f->scale[i] * f->v[i];
}

static void untangle(const ConstrainedProblem *p, const Factors *f, const double *scaled, double *lam)
{
    for (int j = 0; j < p->m; ++j) lam[f->row[j]] = p->weight[f->row[j]] * scaled[j];
}

void multipliers(const ConstrainedProblem *p, Factors *f, double *lam)
{
    double *restrict l = f->right;
    int n = p->n, rank = f->rank;
    missing_force(p, f);
    turn_velocities(p, f, 1, f->Mv);
    clear(p->m, l);
    if (rank == p->m) {
        for (int k = rank - 1; k >= 0; --k) {
            double sum = f->Mv[k];
            for (int j = k + 1; j < rank; ++j) sum -= f->A[j * n + k] * l[j];
            l[k] = sum / f->diagonal[k];
        }
    } else {
        for (int k = 0; k < rank; ++k) {
            double sum = f->Mv[k];
            for (int i = 0; i < k; ++i) sum -= f->T[i * n + k] * l[i];
            l[k] = sum / f->T_diagonal[k];
        }
        turn_rows(p, f, 0, l);
    }
    untangle(p, f, l, lam);
}

void null_multipliers(const ConstrainedProblem *p, Factors *f, int k, double *lam)
{
    clear(p->m, f->right);
    f->right[f->rank + k] = 1.0;
    turn_rows(p, f, 0, f->right);
    untangle(p, f, f->right, lam);
}
