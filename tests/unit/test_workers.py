"""Processes that work for us: whatever ends one, and whenever, costs the task it had, no other."""

import os
import signal
import sys
import threading
import time
from multiprocessing.connection import wait

import pytest

from mbd_fmu.errors import MbdFmuError, Problem, SpecError
from mbd_fmu.host.workers import fresh_processes

MORE_THAN_A_PIPE_HOLDS = 1 << 25


def square(k):
    return k * k


def deadly(k):
    if k == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return k


def long_answer(k):
    return bytes([k]) * MORE_THAN_A_PIPE_HOLDS


def wrong(_k):
    raise SpecError("arm.toml", [Problem("joint", "is none", "make one")])


def that_cannot_travel(_k):
    return threading.Lock()


def leave():
    os._exit(3)


def leave_if_among_the_first_two(folder):
    (folder / str(os.getpid())).touch()
    if len(list(folder.iterdir())) <= 2:
        os._exit(3)


def tasks(n):
    return [(k,) for k in range(n)]


def test_each_task_is_done_once_and_told_while_it_is_at_work(tmp_path):
    seen = []
    with fresh_processes(2, tmp_path) as workers:
        found = dict(workers.results(square, tasks(20), lambda at_work: seen.append([*at_work])))
        again = dict(workers.results(square, tasks(3)))
    assert found == {k: k * k for k in range(20)}
    assert again == {0: 0, 1: 1, 2: 4}
    assert {k for at_work in seen for k in at_work} == set(range(20))
    assert max(map(len, seen)) == 2


def test_a_process_that_ends_takes_its_own_task_along_and_another_goes_on(tmp_path):
    with fresh_processes(2, tmp_path) as workers:
        found = dict(workers.results(deadly, tasks(8)))
        assert found == {k: k if k != 3 else None for k in range(8)}
        assert dict(workers.results(square, tasks(4))) == {0: 0, 1: 1, 2: 4, 3: 9}


@pytest.mark.skipif(sys.platform == "win32", reason="has no signal that kills")
def test_a_process_that_is_killed_while_it_hands_over_a_result_keeps_nobody_waiting(tmp_path):
    killed = []

    def kill_in_the_middle(_at_work):
        if killed:
            return
        (worker,) = workers.crew
        if worker.has_begun:
            assert wait([worker.pipe], timeout=60)  # it writes, and cannot come to an end
            time.sleep(0.1)
            worker.process.kill()
            worker.process.join()
            killed.append(worker.task)

    with fresh_processes(1, tmp_path) as workers:
        found = dict(workers.results(long_answer, tasks(3), kill_in_the_middle))
    assert killed == [0]
    assert found[0] is None
    assert all(found[k] == long_answer(k) for k in (1, 2))


def test_a_process_that_is_killed_while_it_has_nothing_to_do_costs_nothing(tmp_path):
    with fresh_processes(2, tmp_path) as workers:
        assert len(dict(workers.results(square, tasks(4)))) == 4
        for worker in workers.crew:
            worker.process.kill()
            worker.process.join()
        assert dict(workers.results(square, tasks(4))) == {0: 0, 1: 1, 2: 4, 3: 9}


def test_what_a_task_raises_is_raised_here_and_says_where(tmp_path):
    with (
        pytest.raises(SpecError, match="joint: is none; make one") as raised,
        fresh_processes(2, tmp_path) as workers,
    ):
        list(workers.results(wrong, tasks(4)))
    assert "in wrong" in raised.value.__notes__[0]


def test_a_result_that_cannot_travel_is_an_error(tmp_path):
    with (
        pytest.raises(TypeError, match="lock"),
        fresh_processes(1, tmp_path) as workers,
    ):
        list(workers.results(that_cannot_travel, tasks(1)))


def test_processes_that_end_while_they_begin_are_told(tmp_path):
    with (
        pytest.raises(MbdFmuError, match="3 processes ended while they began"),
        fresh_processes(2, tmp_path, leave) as workers,
    ):
        list(workers.results(square, tasks(4)))


def test_processes_that_end_once_while_they_begin_are_begun_again(tmp_path):
    seen = tmp_path / "seen"
    seen.mkdir()
    with fresh_processes(2, tmp_path, leave_if_among_the_first_two, seen) as workers:
        found = dict(workers.results(square, tasks(4)))
    assert found == {0: 0, 1: 1, 2: 4, 3: 9}
    assert len(list(seen.iterdir())) > 2
