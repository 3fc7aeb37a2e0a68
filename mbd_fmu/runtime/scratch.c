/* Where what a mechanism with constraints works with lies in the block of its instance. */
#include "manifold.h"

static void lay_out_factors(Block *block, int n, int m, Factors *f)
{
    f->row = take_ints(block, m);
    f->scale = take_doubles(block, n);
    f->M = take_doubles(block, n * n);
    f->length = take_doubles(block, m);
    f->A = take_doubles(block, m * n);
    f->diagonal = take_doubles(block, n);
    f->beta = take_doubles(block, n);
    f->T = take_doubles(block, m * n);
    f->T_diagonal = take_doubles(block, n);
    f->T_beta = take_doubles(block, n);
    f->N = take_doubles(block, n * n);
    f->MN = take_doubles(block, n * n);
    f->G = take_doubles(block, n * n);
    f->Mv = take_doubles(block, n);
    f->v = take_doubles(block, n);
    f->free = take_doubles(block, n);
    f->right = take_doubles(block, m);
    f->column = take_doubles(block, m);
}

static void lay_out_tangent_space(Block *block, int n, TangentSpace *space)
{
    space->scale = take_doubles(block, n);
    space->N = take_doubles(block, n * n);
    space->MN = take_doubles(block, n * n);
    space->G = take_doubles(block, n * n);
    space->free = take_doubles(block, n);
}

static Residual take_residual(Block *block, const Model *model, int width)
{
    Residual taken = {take_doubles(block, model->n_v * width), take_doubles(block, model->n_rows * width)};
    return taken;
}

static void lay_out_assembling(Block *block, const Model *model, Assembling *a)
{
    double **of_x[] = {&a->given,  &a->before, &a->from,   &a->finer, &a->beside,
                       &a->change, &a->start,  &a->dstart, &a->next,  &a->part};
    double **of_v[] = {&a->whole, &a->lead, &a->rest, &a->push, &a->d, &a->dd};
    double **of_p[] = {&a->p, &a->dp_rest, &a->dp_own};
    Residual *residual[] = {&a->with_M, &a->no_M, &a->with_d, &a->with_lam, &a->neither};
    for (size_t k = 0; k < sizeof of_x / sizeof of_x[0]; ++k) *of_x[k] = take_doubles(block, model->n_x);
    for (size_t k = 0; k < sizeof of_v / sizeof of_v[0]; ++k) *of_v[k] = take_doubles(block, model->n_v);
    for (size_t k = 0; k < sizeof of_p / sizeof of_p[0]; ++k) *of_p[k] = take_doubles(block, model->n_p);
    for (size_t k = 0; k < sizeof residual / sizeof residual[0]; ++k)
        *residual[k] = take_residual(block, model, 1);
    a->asked = take_doubles(block, model->n_rows);
    a->cosines = take_doubles(block, model->n_branches);
    a->held = take_ints(block, model->n_v);
    for (int k = 0; k < 4; ++k) a->held_along[k / 2][k % 2] = take_ints(block, model->n_v);
}

static void lay_out_sparse(Block *block, const Model *model, Sparse *sparse)
{
    if (!model->motion) return;
    sparse->x = take_doubles(block, model->n_x);
    sparse->u = take_doubles(block, model->n_w);
    sparse->lam = take_doubles(block, model->n_chosen);
    sparse->factor = take_doubles(block, model->n_factor);
}

void lay_out_manifold(Block *block, const Model *model, Workspace *work)
{
    Scratch measured, *s = take(block, sizeof *s);
    int n = model->n_v, m = model->n_rows, h = model->n_holonomic;
    work->scratch = s;
    if (!s) s = &measured;
    double **of_v[] = {&s->d, &s->part, &s->vd, &s->dvd, &s->force, &s->mu, &s->no_v, &s->at.f};
    double **of_rows[] = {&s->right, &s->weight,   &s->lam,   &s->few,     &s->raised,   &s->extra,
                          &s->row,   &s->dlam,     &s->share, &s->no_rows, &s->gradient, &s->dsigma,
                          &s->at.gamma, &s->at.sigma, &s->closure.sigma};
    double **of_holonomic[] = {&s->at.phi, &s->at.rounding, &s->closure.phi, &s->closure.rounding, &s->dphi};
    for (size_t k = 0; k < sizeof of_v / sizeof of_v[0]; ++k) *of_v[k] = take_doubles(block, n);
    for (size_t k = 0; k < sizeof of_rows / sizeof of_rows[0]; ++k) *of_rows[k] = take_doubles(block, m);
    for (size_t k = 0; k < sizeof of_holonomic / sizeof of_holonomic[0]; ++k)
        *of_holonomic[k] = take_doubles(block, h);
    lay_out_sparse(block, model, &s->sparse);
    lay_out_factors(block, n, m, &s->factors);
    lay_out_tangent_space(block, n, &s->regular);
    lay_out_tangent_space(block, n, &s->weakest);
    s->at.M = take_doubles(block, n * n);
    s->at.J = take_doubles(block, m * n);
    s->closure.J = take_doubles(block, m * n);
    s->M = take_doubles(block, n * n);
    s->J = take_doubles(block, m * n);
    s->trial = take_doubles(block, model->n_x);
    s->kept = take_doubles(block, model->n_x);
    s->free = take_ints(block, n);
    s->counting = take_ints(block, m);
    s->counts = take_ints(block, m);
    s->way.x = take_doubles(block, STEPS_KEPT * model->n_x);
    s->way.share = take_doubles(block, STEPS_KEPT);
    s->null_load = take_doubles(block, m * model->n_loads);
    s->load = take_doubles(block, model->n_loads);
    s->dload = take_doubles(block, model->n_loads);
    s->normal = take_doubles(block, m * m);
    s->no_w = take_doubles(block, model->n_w);
    s->change = take_residual(block, model, 1);
    lay_out_assembling(block, model, &s->assembling);
    if (!model->residual_jacobian) return;
    s->jacobian = take_residual(block, model, model->n_x + 1);
    s->rates = take_doubles(block, model->n_x * (model->n_x + 1));
    s->by_vd = take_doubles(block, model->n_x * n);
}
