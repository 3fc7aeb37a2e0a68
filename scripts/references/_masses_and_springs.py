"""Masses on a rail and springs: M x'' + K x = 0 with K = S^T diag(k) S, S the incidence matrix.

x = sum_i phi_i cos(w_i t) (phi_i^T M x_0) with K phi = w^2 M phi and phi^T M phi = 1.
"""

import numpy as np
from scipy.linalg import eigh

from scripts.references._ode import rows_of_time, table


def closed_form(spec, ends):
    p, times = spec.nominal, rows_of_time(4.0, 0.02)
    M = np.diag([p[f"m{k}"] for k in (1, 2, 3)])
    S = np.zeros((len(ends), 4))
    for row, (a, b) in enumerate(ends):
        S[row, [a, b]] = -1, 1
    S = S[:, 1:]
    K = S.T @ np.diag([p[f"k{k}"] for k in (1, 2, 3)]) @ S
    x0 = np.array([j.position[0] for j in spec.joints])
    squares, modes = eigh(K, M)
    w, share = np.sqrt(squares), modes.T @ M @ x0
    wt = np.outer(times, w)
    x = (np.cos(wt) * share) @ modes.T
    xd = (-np.sin(wt) * w * share) @ modes.T
    xdd = -x @ K.T @ np.linalg.inv(M)
    columns = {}
    for k in range(3):
        name = f"rail{k + 1}"
        columns |= {f"{name}.q": x[:, k], f"{name}.qd": xd[:, k], f"{name}.qdd": xdd[:, k]}
    columns["energy.kinetic"] = np.einsum("ti,ij,tj->t", xd, M, xd) / 2
    columns["energy.potential"] = np.einsum("ti,ij,tj->t", x, K, x) / 2
    return table(times, columns)
