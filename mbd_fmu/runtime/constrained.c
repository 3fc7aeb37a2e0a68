#include "constrained.h"

#if N_ROWS

#include <math.h>
#include <string.h>

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

static void reflect(int n, const double *v, double beta, double *x)
{
    double along = 0.0;
    for (int i = 0; i < n; ++i) along += v[i] * x[i];
    along *= beta;
    for (int i = 0; i < n; ++i) x[i] -= along * v[i];
}

/* x = Q x, or Q^T x when backward: the reflections of the velocities. */
static void turn_velocities(const Least *p, const Factors *f, int backward, double *x)
{
    for (int s = 0; s < f->rank; ++s) {
        int k = backward ? s : f->rank - 1 - s;
        reflect(p->n - k, f->A[k] + k, f->beta[k], x + k);
    }
}

/* The same for the rows; column k of T below the diagonal is strided. */
static void turn_rows(const Least *p, const Factors *f, int backward, double *x)
{
    for (int s = 0; s < f->rank; ++s) {
        int k = backward ? s : f->rank - 1 - s;
        double along = 0.0;
        for (int j = k; j < p->m; ++j) along += f->T[j][k] * x[j];
        along *= f->T_beta[k];
        for (int j = k; j < p->m; ++j) x[j] -= along * f->T[j][k];
    }
}

/* Reflect until the rows are a triangle, the largest one left first; count those that matter. */
static void triangulate_rows(const Least *p, Factors *f)
{
    double first = 0.0; /* never less than what a velocity does at the characteristic length */
    int most = p->n < p->m ? p->n : p->m;
    if (p->ceiling < most) most = p->ceiling;
    for (int j = 0; j < p->m; ++j)
        for (int i = 0; i < p->n; ++i)
            if (f->A[j][i] != 0.0) first = fmax(first, LENGTH * f->scale[i]);
    for (f->rank = 0; f->rank < most; ++f->rank) {
        int k = f->rank, best = k;
        double longest = -1.0;
        for (int j = k; j < p->m; ++j) {
            double length = length_of(p->n - k, f->A[j] + k);
            if (length > longest) {
                longest = length;
                best = j;
            }
        }
        first = fmax(first, longest);
        if (!(longest > p->rank_tolerance * first)) break;
        if (best != k) {
            int row = f->row[k];
            double swap[N_V];
            f->row[k] = f->row[best];
            f->row[best] = row;
            memcpy(swap, f->A[k], sizeof swap);
            memcpy(f->A[k], f->A[best], sizeof swap);
            memcpy(f->A[best], swap, sizeof swap);
        }
        f->beta[k] = reflection(p->n - k, f->A[k] + k, longest, &f->diagonal[k]);
        for (int j = k + 1; j < p->m; ++j) reflect(p->n - k, f->A[k] + k, f->beta[k], f->A[j] + k);
    }
    f->first = first;
}

/* Where rows are left over, reflect them, too, so that all are heard alike. */
static void triangulate_rest(const Least *p, Factors *f)
{
    if (f->rank == p->m) return;
    for (int j = 0; j < p->m; ++j)
        for (int k = 0; k < f->rank; ++k)
            f->T[j][k] = j < k ? 0.0 : j == k ? f->diagonal[k] : f->A[j][k];
    for (int k = 0; k < f->rank; ++k) {
        double column[N_ROWS];
        for (int j = k; j < p->m; ++j) column[j] = f->T[j][k];
        f->T_beta[k] = reflection(p->m - k, column + k, length_of(p->m - k, column + k),
                                  &f->T_diagonal[k]);
        for (int l = k + 1; l < f->rank; ++l) {
            double along = 0.0;
            for (int j = k; j < p->m; ++j) along += column[j] * f->T[j][l];
            along *= f->T_beta[k];
            for (int j = k; j < p->m; ++j) f->T[j][l] -= along * column[j];
        }
        for (int j = k; j < p->m; ++j) f->T[j][k] = column[j];
    }
}

/* The motion, in turned coordinates, that the rows ask for: T z = g. */
static void told_motion(const Least *p, Factors *f, double *z)
{
    double *g = f->right;
    for (int j = 0; j < p->m; ++j) g[j] = p->weight[f->row[j]] * p->g[f->row[j]];
    if (f->rank == p->m) {
        for (int k = 0; k < f->rank; ++k) {
            z[k] = g[k];
            for (int i = 0; i < k; ++i) z[k] -= f->A[k][i] * z[i];
            z[k] /= f->diagonal[k];
        }
        return;
    }
    turn_rows(p, f, 1, g);
    for (int k = f->rank - 1; k >= 0; --k) {
        z[k] = g[k];
        for (int i = k + 1; i < f->rank; ++i) z[k] -= f->T[k][i] * z[i];
        z[k] /= f->T_diagonal[k];
    }
}

static double scaled_inertia(const Least *p, const Factors *f, int i, int j)
{
    return f->scale[i] * p->M[i * p->n + j] * f->scale[j];
}

/* Mv = M v - f, scaled. */
static void missing_force(const Least *p, Factors *f)
{
    for (int i = 0; i < p->n; ++i) {
        f->Mv[i] = p->f ? -f->scale[i] * p->f[i] : 0.0;
        for (int j = 0; j < p->n; ++j) f->Mv[i] += scaled_inertia(p, f, i, j) * f->v[j];
    }
}

/* Free motions and their inertia, N M N^T = L L^T. */
static int factorise_free(const Least *p, Factors *f)
{
    int n = p->n, free = n - f->rank;
    for (int a = 0; a < free; ++a) {
        double *MN = f->MN[a];
        memset(f->N[a], 0, sizeof f->N[a]);
        f->N[a][f->rank + a] = 1.0;
        turn_velocities(p, f, 0, f->N[a]);
        for (int i = 0; i < n; ++i) {
            MN[i] = 0.0;
            for (int j = 0; j < n; ++j) MN[i] += scaled_inertia(p, f, i, j) * f->N[a][j];
        }
        for (int b = 0; b <= a; ++b) {
            f->G[a][b] = 0.0;
            for (int i = 0; i < n; ++i) f->G[a][b] += MN[i] * f->N[b][i];
        }
    }
    for (int a = 0; a < free; ++a)
        for (int b = 0; b <= a; ++b) {
            double sum = f->G[a][b];
            for (int c = 0; c < b; ++c) sum -= f->G[a][c] * f->G[b][c];
            if (a == b) {
                if (!(sum > 0.0)) return 0;
                f->G[a][a] = sqrt(sum);
            } else
                f->G[a][b] = sum / f->G[b][b];
        }
    return 1;
}

void solve_factored(int n, int width, const double *L, double *w)
{
    for (int a = 0; a < n; ++a) {
        for (int b = 0; b < a; ++b) w[a] -= L[a * width + b] * w[b];
        w[a] /= L[a * width + a];
    }
    for (int a = n - 1; a >= 0; --a) {
        for (int b = a + 1; b < n; ++b) w[a] -= L[b * width + a] * w[b];
        w[a] /= L[a * width + a];
    }
}

/* Take out of v what its free part should not have. */
static void add_free_motion(const Least *p, Factors *f)
{
    int n = p->n, free = n - f->rank;
    double w[N_V];
    missing_force(p, f);
    for (int a = 0; a < free; ++a) {
        w[a] = 0.0;
        for (int i = 0; i < n; ++i) w[a] -= f->N[a][i] * f->Mv[i];
    }
    solve_factored(free, N_V, f->G[0], w);
    for (int a = 0; a < free; ++a)
        for (int i = 0; i < n; ++i) f->v[i] += w[a] * f->N[a][i];
}

double pivot_share(const Least *p, const Factors *f)
{
    double share = 1.0;
    if (f->rank < p->ceiling) return 0.0;
    for (int k = 0; k < f->rank; ++k) share = fmin(share, fabs(f->diagonal[k]) / f->first);
    return share;
}

void keep_tangent(const Least *p, const Factors *f, double share, Tangent *t)
{
    size_t size;
    t->share = share;
    t->free = p->n - f->rank;
    size = sizeof(double) * N_V * (size_t)t->free;
    memcpy(t->scale, f->scale, sizeof t->scale);
    memcpy(t->N, f->N, size);
    memcpy(t->MN, f->MN, size);
    memcpy(t->G, f->G, size);
}

void leave_free(const Tangent *t, double *v)
{
    double w[N_V];
    for (int a = 0; a < t->free; ++a) {
        w[a] = 0.0;
        for (int i = 0; i < N_V; ++i) w[a] += t->MN[a][i] * v[i] / t->scale[i];
    }
    solve_factored(t->free, N_V, t->G[0], w);
    for (int i = 0; i < N_V; ++i) {
        v[i] = 0.0;
        for (int a = 0; a < t->free; ++a) v[i] += w[a] * t->N[a][i];
        v[i] *= t->scale[i];
    }
}

int least(const Least *p, Factors *f, double *v)
{
    for (int i = 0; i < p->n; ++i) {
        double inertia = p->M[i * p->n + i];
        f->scale[i] = inertia > 0.0 ? 1.0 / sqrt(inertia) : 1.0;
    }
    for (int j = 0; j < p->m; ++j) {
        f->row[j] = j;
        for (int i = 0; i < p->n; ++i) f->A[j][i] = p->weight[j] * p->J[j * p->n + i] * f->scale[i];
    }
    triangulate_rows(p, f);
    triangulate_rest(p, f);
    if (!factorise_free(p, f)) return 0;
    least_again(p, f, v);
    return 1;
}

void least_again(const Least *p, Factors *f, double *v)
{
    memset(f->v, 0, sizeof f->v);
    told_motion(p, f, f->v);
    turn_velocities(p, f, 0, f->v);
    add_free_motion(p, f);
    for (int i = 0; i < p->n; ++i) v[i] = f->scale[i] * f->v[i];
}

static void untangle(const Least *p, const Factors *f, const double *scaled, double *lam)
{
    for (int j = 0; j < p->m; ++j) lam[f->row[j]] = p->weight[f->row[j]] * scaled[j];
}

void multipliers(const Least *p, Factors *f, double *lam)
{
    double *l = f->right;
    missing_force(p, f);
    turn_velocities(p, f, 1, f->Mv);
    memset(l, 0, sizeof f->right);
    if (f->rank == p->m) {
        for (int k = f->rank - 1; k >= 0; --k) {
            l[k] = f->Mv[k];
            for (int j = k + 1; j < f->rank; ++j) l[k] -= f->A[j][k] * l[j];
            l[k] /= f->diagonal[k];
        }
    } else {
        for (int k = 0; k < f->rank; ++k) {
            l[k] = f->Mv[k];
            for (int i = 0; i < k; ++i) l[k] -= f->T[i][k] * l[i];
            l[k] /= f->T_diagonal[k];
        }
        turn_rows(p, f, 0, l);
    }
    untangle(p, f, l, lam);
}

void idle(const Least *p, Factors *f, int k, double *lam)
{
    memset(f->right, 0, sizeof f->right);
    f->right[f->rank + k] = 1.0;
    turn_rows(p, f, 0, f->right);
    untangle(p, f, f->right, lam);
}

#endif
