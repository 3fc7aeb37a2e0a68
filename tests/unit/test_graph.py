"""Section 1 of the theory: every number the seeds print."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mbd_fmu.topology import graph
from mbd_fmu.topology.graph import DirectedTree, tree_of_array

HUSTON = (0, 1, 2, 1, 2, 1, 1, 7)  # [001]: eight bodies
FIG_A = DirectedTree(tail=(3, 7, 5, 6, 1, 2, 4), head=(4, 2, 7, 5, 7, 0, 2))  # [003] Fig. 5.35a
FIG_B = tree_of_array((0, 1, 1, 2, 3, 2, 4))  # [003] Fig. 5.35b


@pytest.mark.parametrize(("power", "body"), [(0, 5), (1, 2), (2, 1), (3, 0)])
def test_powers_of_the_body_connection_array_lead_to_the_fixed_frame(power, body):
    assert graph.lower_body(HUSTON, 5, power) == body


def test_beyond_the_base_there_is_nothing():
    with pytest.raises(ValueError, match="ends at the base"):
        graph.lower_body(HUSTON, 5, 4)


def test_the_powers_end_with_zeros():
    """The table on Huston's page."""
    assert graph.powers(HUSTON) == (
        (1, 2, 3, 4, 5, 6, 7, 8),
        HUSTON,
        (0, 0, 1, 0, 1, 0, 0, 1),
        (0, 0, 0, 0, 0, 0, 0, 0),
    )
    assert graph.powers((0,)) == ((1,), (0,))


def test_two_bodies_lie_below_body_five():
    assert graph.bodies_below(HUSTON, 5) == 2
    assert graph.bodies_below(HUSTON, 1) == 0
    assert graph.path_to_base(HUSTON, 5) == (5, 2, 1, 0)
    assert graph.path_to_base(HUSTON, 8) == (8, 7, 1, 0)


def test_carriers_and_the_weak_order():
    assert graph.carriers(HUSTON, 5) == (2, 1)
    assert graph.carriers(HUSTON, 1) == ()
    assert graph.main_carrier(HUSTON, 8) == 1
    assert graph.precedes(HUSTON, 2, 5)
    assert graph.precedes(HUSTON, 5, 5)
    assert not graph.precedes(HUSTON, 5, 2)


def test_arrays_of_the_arbitrarily_labelled_graph():
    assert FIG_A.carrier == (7, 0, 4, 2, 7, 5, 2)
    assert FIG_A.tail[4 - 1] == 6  # 4+ = 6, 4- = 5
    assert FIG_A.head[4 - 1] == 5


def test_the_path_between_vertices_six_and_three():
    assert FIG_A.path(6, 3) == (4, 3, 2, 7, 1)


def test_arrays_of_the_regularly_labelled_graph():
    assert FIG_B.tail == (1, 2, 3, 4, 5, 6, 7)
    assert FIG_B.head == FIG_B.carrier == (0, 1, 1, 2, 3, 2, 4)
    assert (FIG_B.tail[3], FIG_B.head[3]) == (4, 2)
    # neither 5 <= 4 nor 4 <= 5, neither 6 <= 7 nor 7 <= 6 [003]
    for one, other in ((5, 4), (6, 7)):
        assert not graph.precedes(FIG_B.carrier, one, other)
        assert not graph.precedes(FIG_B.carrier, other, one)


def test_matrices_of_the_regularly_labelled_graph():
    S_0, S = FIG_B.incidence()
    S_plus, S_minus = FIG_B.incidence_parts()
    arrives = np.zeros((7, 7), dtype=int)  # eq. 5.41
    for row, columns in enumerate([(2, 3), (4, 6), (5,), (7,)]):
        for column in columns:
            arrives[row, column - 1] = 1
    assert S_0.tolist() == [-1, 0, 0, 0, 0, 0, 0]  # eq. 5.38
    assert np.array_equal(S_plus, np.eye(7))  # eq. 5.40
    assert np.array_equal(S_minus, arrives)
    assert np.array_equal(S, np.eye(7) - arrives)  # eq. 5.39


def test_path_matrix_of_the_regularly_labelled_graph():
    P = FIG_B.path_matrix()
    assert P[0].tolist() == [1] * 7
    assert P[1].tolist() == [0, 1, 0, 1, 0, 1, 1]
    assert P[2].tolist() == [0, 0, 1, 0, 1, 0, 0]
    assert P[3].tolist() == [0, 0, 0, 1, 0, 0, 1]
    assert np.array_equal(P[4:], np.eye(7)[4:])


def isomorphic(one, other):
    """Rooted trees with the same shape: compared by nested shapes of their branches."""

    def shape(carrier, vertex):
        children = [k for k, c in enumerate(carrier, start=1) if c == vertex]
        return tuple(sorted(shape(carrier, child) for child in children))

    return shape(one.carrier, 0) == shape(other.carrier, 0)


def test_regular_labelling_of_one_figure_is_isomorphic_to_the_other():
    assert isomorphic(FIG_A.regular(), FIG_B)
    assert isomorphic(FIG_A, FIG_B)
    assert not isomorphic(FIG_A, tree_of_array((0, 1, 2, 3, 4, 5, 6)))
    assert FIG_B.regular() == FIG_B


def test_an_ascending_graph_has_the_arcs_turned_round():
    up = FIG_A.regular(ascending=True)
    assert up.head == tuple(range(1, 8))
    assert up.tail == up.carrier
    assert np.array_equal(up.path_matrix(), -FIG_A.regular().path_matrix())


@st.composite
def trees(draw):
    """Any tree on the base and up to twelve bodies, with any labels and any directions of arcs."""
    n = draw(st.integers(1, 12))
    label = [0, *draw(st.permutations(range(1, n + 1)))]
    arcs = []
    for k in range(1, n + 1):
        ends = (label[k], label[draw(st.integers(0, k - 1))])
        arcs.append(ends if draw(st.booleans()) else ends[::-1])
    arcs = draw(st.permutations(arcs))
    return DirectedTree(tuple(a for a, _ in arcs), tuple(b for _, b in arcs))


@settings(derandomize=True, deadline=None)
@given(trees())
def test_path_and_incidence_matrix_are_inverse(tree):
    _, S = tree.incidence()
    assert np.array_equal(tree.path_matrix() @ S, np.eye(tree.n))


@settings(derandomize=True, deadline=None)
@given(trees())
def test_regular_labels_put_carriers_first_and_change_no_more_when_repeated(tree):
    regular = tree.regular()
    P = regular.path_matrix()
    assert all(carrier < body for body, carrier in enumerate(regular.carrier, start=1))
    assert np.array_equal(P, np.triu(P))
    assert P.min() >= 0
    assert isomorphic(regular, tree)
    assert regular.regular() == regular


def test_an_array_that_is_regular_keeps_its_labels():
    """Leaves need not have the highest numbers of all: Huston's third body is one."""
    assert tree_of_array(HUSTON).regular_labels() == (1, 2, 3, 4, 5, 6, 7, 8)
    assert tree_of_array(HUSTON).regular().carrier == HUSTON


def leaf_by_leaf(L):
    """The seed's way: the leaf with the highest number gets the highest free one, is cut off."""
    left, order = set(range(1, len(L) + 1)), []
    while left:
        order.append(max(left - {L[v - 1] for v in left}))
        left.remove(order[-1])
    return tuple(reversed(order))


@settings(derandomize=True, deadline=None)
@given(trees())
def test_the_regular_order_is_that_of_cutting_off_leaves(tree):
    assert graph.regular_order(tree.carrier) == leaf_by_leaf(tree.carrier)


@settings(derandomize=True, deadline=None)
@given(st.data())
def test_no_regular_labels_are_smaller_in_the_order_of_the_bodies(data):
    """Nearest: among all regular labellings, the first body's number is least, and so on."""
    n = data.draw(st.integers(1, 6))
    name = [0, *data.draw(st.permutations(range(1, n + 1)))]
    carrier = {name[k]: name[data.draw(st.integers(0, k - 1))] for k in range(1, n + 1)}
    L = tuple(carrier[k] for k in range(1, n + 1))
    regular = [
        labels
        for labels in permutations(range(1, n + 1))
        if all(c == 0 or labels[c - 1] < label for label, c in zip(labels, L, strict=True))
    ]
    assert tree_of_array(L).regular_labels() == min(regular)


@settings(derandomize=True, deadline=None)
@given(trees(), st.data())
def test_a_path_there_is_the_path_back_reversed(tree, data):
    one, other = (data.draw(st.integers(0, tree.n)) for _ in range(2))
    path = tree.path(one, other)
    assert path == tree.path(other, one)[::-1]
    assert len(set(path)) == len(path)
    assert (path == ()) == (one == other)


def test_what_is_no_tree_is_refused():
    with pytest.raises(ValueError, match="not connected to the base"):
        _ = DirectedTree((1, 2), (2, 1)).carrier
