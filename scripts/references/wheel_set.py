"""An axle with two rolling wheels: forward speed u and yaw rate w, everything else follows.

The axle's centre accelerates by u' along and u w across the heading, the load (s ahead) by
u' - s w^2 and u w + s w'; each wheel by u' -+ w' b / 2 along, with theta' = (u -+ w b / 2) / r. So

    (m_l + 2 m_w + 2 I_a / r^2) u' - m_l s w^2 = F_u
    (J_l + m_l s^2 + 2 I_t + (2 m_w + 2 I_a / r^2) b^2 / 4) w' + m_l s u w = s F_n

with F_u, F_n the force along and across the heading and b the track.
"""

import numpy as np

from scripts.references._ode import held, rows_of_time, states, table


def inputs(_):
    """As in Modelica: 1 N ahead for a second, then over to 2 N along y within the next one."""
    t = rows_of_time(3.0, 0.02)
    fx, fy = np.interp(t, [0, 1, 2, 3], [1, 1, 0, 0]), np.interp(t, [0, 1, 2, 3], [0, 0, 2, 2])
    return held(t, **{"pull.force.x": fx, "pull.force.y": fy})


def reference(spec, inputs):
    p = spec.nominal
    m, mw, r = p["load_mass"], p["wheel_mass"], p["wheel_radius"]
    Ia, It, b, s = p["wheel_axial"], p["wheel_across"], p["track"], p["shaft"]
    J = 0.001  # of the axle with its load, about the vertical
    along = m + 2 * mw + 2 * Ia / r**2
    about = J + m * s * s + 2 * It + (2 * mw + 2 * Ia / r**2) * b * b / 4
    fx, fy = inputs.column("pull.force.x"), inputs.column("pull.force.y")

    def rate(_, state, k):
        _, _, angle, _, _, u, w = state
        c, n = np.cos(angle), np.sin(angle)
        ahead, across = c * fx[k] + n * fy[k], -n * fx[k] + c * fy[k]
        ud = (ahead + m * s * w * w) / along
        wd = (s * across - m * s * u * w) / about
        left, right = (u - w * b / 2) / r, (u + w * b / 2) / r
        return np.array([u * c, u * n, w, left, right, ud, wd])

    x, y, angle, left, right, u, w = states(rate, np.zeros(7), inputs.time).T
    columns = {
        "level.q[1]": angle,
        "level.q[2]": x,
        "level.q[3]": y,
        "level.qd[1]": w,
        "left_bearing.q": left,
        "right_bearing.q": right,
        "left_bearing.qd": (u - w * b / 2) / r,
        "right_bearing.qd": (u + w * b / 2) / r,
    }
    return table(inputs.time, columns)
