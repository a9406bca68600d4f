"""What may be asked of a room, tried under all policies at once, compared with one trial after another."""

from dataclasses import replace
from functools import cache
from random import Random

import numpy as np

from mpcbench.generate.sampling.level3 import Found
from mpcbench.generate.sampling.limits import Limits, from_instant, half_hours
from mpcbench.generate.sampling.room_choice import COUNTS, RoomChoice, first_places
from mpcbench.generate.sampling.room_request import RoomRequest, asks_of
from mpcbench.generate.sampling.trial import Trial
from mpcbench.generate.sampling.truth_table import rows_and_places, sets_of, table_of
from unit_tests.generate.samples import setting
from unit_tests.generate.sampling.test_trial import found


@cache
def sample() -> Found:
    """One that the search finds, without a turnaround."""
    return next(one for one in found() if one.turnaround is None)


def test_sets_as_rows_of_truth_values() -> None:
    """Each row has the places of its set below the size."""
    table = table_of([0b01010, 0], 5)

    assert np.array([[0, 1, 0, 1, 0], [0, 0, 0, 0, 0]], dtype=bool).tolist() == table.tolist()
    assert sets_of(table) == [0b01010, 0]


def test_where_a_table_is_true() -> None:
    """The rows and places come row by row."""
    rows, places = rows_and_places(table_of([0b01010, 0, 0b1], 5))

    assert [(0, 1), (0, 3), (2, 0)] == list(zip(rows.tolist(), places.tolist(), strict=True))


def test_first_places() -> None:
    """The first of each row in order, then the filler."""
    table = table_of([0b1110010, 0, 0b1], 7)

    assert [[1, 4, 5], [7, 7, 7], [0, 7, 7]] == first_places(table, 3, 7).tolist()


def test_whatever_passes_under_enough_policies_is_promising() -> None:
    """Nothing is left out under which as many policies pass a trial with a gold of their own and a tie-break to make."""
    one, least = sample(), 4
    trial, rng = sample().trial, Random(3)
    choice_of = asks_of(setting(3).rooms, len(trial.party.free))
    asks = rng.sample(choice_of, 40)
    size = trial.party.timetable.slots.bit_length()
    choice = RoomChoice(trial.rooms, asks, 0, size)
    able = [under for under in one.unders if all(under.alone)]
    others = [under for under in one.unders if not all(under.alone)]
    passed = 0
    for at in rng.sample(list(half_hours(setting(3), trial.request.problem)), 12):
        limits = Limits.of([from_instant(setting(3), trial.party.timetable, at)])
        promising = {
            (ask.search, count): unders for ask, count, unders in choice.promising(able, others, limits, least)
        }
        for ask in asks:
            for count in COUNTS:
                request = RoomRequest.of(ask, replace(trial.request.problem, tie_break=()), count, None)
                tried = Trial.of(setting(3), trial.party, trial.rooms, request)
                passing = tried.told_apart(tried.passing(able, limits), limits, one.unders)
                passing = [item for item in passing if tried.cut_off([item])]
                if len(passing) >= least:
                    passed += 1
                    known = {id(under) for under in promising[ask.search, count]}
                    assert known >= {id(under) for under, _ in passing}

    assert passed > 3
